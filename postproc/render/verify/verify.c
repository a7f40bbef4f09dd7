/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost verify: a line per finding, then the sum; and JSON. */
#include "postproc/render/verify/verify.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/base/json.h"
#include "postproc/render/findings/findings.h"

struct sums {
	uint64_t traced, warps, segments;
};

static struct sums sum_up(const struct ct_verify_outcome *outcome)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(outcome->trace, &launches);
	struct sums sums = {.traced = 0};

	for (size_t i = 0; i < count; i++) {
		const struct ct_tally_launch *launch = ct_tally_launch(outcome->tally, i);

		sums.traced += (launches[i].event->flags & CT_LAUNCH_TRACED) != 0;
		sums.warps += launch->warps;
		sums.segments += launch->segments;
	}
	return sums;
}

/* "1 launch", "2 launches": what: one of them, many: the ending of more. */
static void write_count(FILE *out, uint64_t count, const char *what, const char *many)
{
	char number[CT_NUMBER_BYTES];

	fprintf(out, "%s %s%s", ct_number(count, number), what, count == 1 ? "" : many);
}

static void write_result(FILE *out, const struct ct_expectation_result *result)
{
	char number[CT_NUMBER_BYTES];

	fputs("; ", out);
	write_count(out, result->compared, "launch", "es");
	fprintf(out, " compared (%s accesses)", ct_number(result->accesses, number));
	if (result->unexpected)
		fprintf(out, ", %s not in the file", ct_number(result->unexpected, number));
}

static const struct ct_launch_info *launch_of(const struct ct_finding *finding)
{
	return finding->launches ? finding->launch[0] : NULL;
}

void ct_verify_write_text(FILE *out, const struct ct_verify_outcome *outcome,
			  const struct ct_style *style)
{
	const struct ct_findings *findings = outcome->findings;
	struct sums sums = sum_up(outcome);
	char name[CT_BRIEF_NAME_BYTES];

	for (size_t i = 0; i < findings->count; i++) {
		const struct ct_launch_info *launch = launch_of(&findings->list[i]);

		if (launch)
			fprintf(out, "launch %u %s: ", launch->event->launch,
				ct_source_name_brief(launch->kernel, name));
		fprintf(out, "%s\n", findings->list[i].text);
	}
	ct_emphasise(out, style, findings->count ? CT_BAD : CT_GOOD,
		     findings->count ? "not sound" : "sound");
	fputs(": ", out);
	write_count(out, sums.traced, "traced launch", "es");
	fputs(", ", out);
	write_count(out, sums.warps, "warp", "s");
	fputs(" in ", out);
	write_count(out, sums.segments, "segment", "s");
	if (outcome->result)
		write_result(out, outcome->result);
	fputc('\n', out);
}

/* As every finding, and the launch in fields of its own. */
static void add_launch(json_t *value, const struct ct_finding *finding)
{
	const struct ct_launch_info *launch = launch_of(finding);

	json_object_set_new(value, "launch",
			    launch ? ct_json_number(launch->event->launch) : json_null());
	json_object_set_new(value, "part", launch ? ct_json_number(launch->part) : json_null());
	json_object_set_new(value, "kernel", launch ? ct_json_text(launch->kernel) : json_null());
}

int ct_verify_write_json(FILE *out, const struct ct_verify_outcome *outcome)
{
	const struct ct_findings *findings = outcome->findings;
	const struct ct_expectation_result *result = outcome->result;
	struct sums sums = sum_up(outcome);
	json_t *value = json_object(), *list = ct_findings_json(findings, outcome->trace);

	for (size_t i = 0; i < findings->count && list; i++)
		add_launch(json_array_get(list, i), &findings->list[i]);
	json_object_set_new(value, "schema", json_string("cudatrace-verify-1"));
	json_object_set_new(value, "trace", ct_json_text(ct_trace_directory(outcome->trace)));
	json_object_set_new(value, "sound", json_boolean(!findings->count));
	json_object_set_new(value, "traced_launches", ct_json_number(sums.traced));
	json_object_set_new(value, "warps", ct_json_number(sums.warps));
	json_object_set_new(value, "segments", ct_json_number(sums.segments));
	json_object_set_new(
	    value, "expected",
	    result ? json_pack("{s:o,s:o,s:o}", "launches", ct_json_number(result->compared),
			       "accesses", ct_json_number(result->accesses), "launches_not_in_file",
			       ct_json_number(result->unexpected))
		   : json_null());
	json_object_set_new(value, "findings", list);
	return ct_json_write(out, value, 1);
}
