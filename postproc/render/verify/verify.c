/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost verify: a line per finding, then the sum; and its table. */
#include "postproc/render/verify/verify.h"
#include "postproc/facts/folded_name.h"
#include "postproc/tables/sink.h"

struct row_verify_totals {
	const struct ct_verify_outcome *outcome;
	uint64_t traced, warps, segments;
};

static struct row_verify_totals sum_up(const struct ct_verify_outcome *outcome)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(outcome->trace, &launches);
	struct row_verify_totals sums = {.outcome = outcome};

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
	struct row_verify_totals sums = sum_up(outcome);
	char name[CT_BRIEF_NAME_BYTES];

	for (size_t i = 0; i < findings->count; i++) {
		const struct ct_launch_info *launch = launch_of(&findings->list[i]);

		if (launch)
			fprintf(out, "launch %u %s: ", launch->event->launch,
				ct_shown_name(launch->kernel, name));
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

#define CT_DESCRIBED "postproc/render/verify/tables.def"
#include "postproc/tables/described.h"

static int rows_verify_totals(const void *from, struct ct_table_sink *sink)
{
	const struct row_verify_totals row = sum_up(from);

	return ct_table_put_row(sink, &row);
}

const struct ct_table_def ct_verify_totals_table = {CT_TABLE_PARTS(verify_totals, NULL)};
