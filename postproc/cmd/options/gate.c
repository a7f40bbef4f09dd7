/* SPDX-License-Identifier: Apache-2.0 */
/* The gate of ctpost findings. */
#include "postproc/cmd/options/gate.h"

#include "base/error.h"
#include "postproc/problems/baseline.h"
#include "postproc/tables/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NAMED_MAX 3u

const struct ctpost_option ctpost_gate_options[] = {
    {.name = "fail-on",
     .argument = "WHAT",
     .help = "end with 3 if a problem is any|new|wrong, worth so much (1ms), such a share of the "
	     "run (2%), of this id: commas join what must hold of one problem (of ids one), "
	     "slashes what is enough: new,1ms/race"},
    {.name = "baseline",
     .argument = "BEFORE",
     .complete = CTPOST_COMPLETE_FILE,
     .help =
	 "what is known: a file of --write-baseline, a study or a trace; other problems are new"},
    {.name = "write-baseline",
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help =
	 "write the problems that are not suppressed, for --baseline: to keep with the sources"},
    {.name = NULL},
};

static int read_baseline(struct ctpost_gate *gate, struct ctpost_call *call)
{
	struct stat status;

	gate->baseline = ctpost_value(call, "baseline");
	if (!gate->baseline)
		return CTPOST_OK;
	if (stat(gate->baseline, &status) != 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", gate->baseline,
				   ct_strerror(errno));
	gate->is_study = S_ISDIR(status.st_mode);
	return CTPOST_OK;
}

int ctpost_gate_read(struct ctpost_gate *gate, struct ctpost_call *call)
{
	const char *when = ctpost_value(call, "fail-on");
	char why[CT_GATE_WHY_BYTES];

	*gate = (struct ctpost_gate){.written = ctpost_value(call, "write-baseline")};
	gate->is_closed = when != NULL;
	if (when && ct_gate_parse(&gate->gate, when, why) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "findings: --fail-on: %s", why);
	if (when && gate->gate.asks_what_is_new && !ctpost_value(call, "baseline"))
		return ctpost_fail(call, CTPOST_USAGE,
				   "findings: --fail-on=%s: new beside what? --baseline is missing",
				   when);
	return read_baseline(gate, call);
}

int ctpost_gate_write(const struct ctpost_gate *gate, struct ctpost_call *call,
		      const struct ct_verdict *verdict)
{
	struct ct_output *output;
	FILE *file;
	int err;

	if (!gate->written)
		return CTPOST_OK;
	if (ct_output_open(&output, gate->written, 0, call->why, sizeof(call->why)) < 0)
		return CTPOST_FAILED;
	file = ct_output_file(output, NULL);
	err = file ? ct_baseline_write(file, &verdict->identities) : -errno;
	if (file && fclose(file) != 0 && err == 0)
		err = -errno;
	if (err == 0)
		err = ct_output_commit(output);
	else
		ct_output_discard(output);
	return err == 0
		   ? CTPOST_OK
		   : ctpost_fail(call, CTPOST_FAILED, "%s: %s", gate->written, ct_strerror(err));
}

static size_t name_problem(char *text, size_t bytes, const struct ct_identity *identity,
			   bool is_first)
{
	int used =
	    snprintf(text, bytes, "%s%s", is_first ? "" : ", ", ct_finding_id_text(identity->id));

	if (used > 0 && *identity->file && identity->line)
		used += snprintf(text + used, (size_t)used < bytes ? bytes - (size_t)used : 0,
				 " at %s:%u", identity->file, identity->line);
	else if (used > 0 && *identity->function)
		used += snprintf(text + used, (size_t)used < bytes ? bytes - (size_t)used : 0,
				 " in %s", identity->function);
	return used > 0 && (size_t)used < bytes ? (size_t)used : 0;
}

/* A problem whose time is not known meets no condition of worth: that must not pass for good. */
static void warn_unknown(const struct ctpost_gate *gate, const struct ct_verdict *verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < verdict->identities.count && gate->gate.asks_worth; i++)
		count += !verdict->identities.list[i].is_wrong &&
			 isnan(verdict->identities.list[i].share);
	if (count)
		fprintf(stderr,
			"ctpost: warning: what %zu problem%s worth is not known, and --fail-on "
			"asks for it: no times are recorded (ctrun profile records them)\n",
			count, count == 1 ? " is" : "s are");
}

int ctpost_gate_decide(const struct ctpost_gate *gate, struct ctpost_call *call,
		       const struct ct_verdict *verdict)
{
	bool is_all = ctpost_value(call, "all") != NULL;
	char named[CTPOST_WHY_BYTES / 2] = "";
	size_t count = 0, used = 0;

	if (!gate->is_closed)
		return CTPOST_OK;
	warn_unknown(gate, verdict);
	for (size_t i = 0; i < verdict->identities.count; i++) {
		if (!ct_gate_fails(&gate->gate, &verdict->identities.list[i],
				   ct_verdict_is_new(verdict, i), is_all))
			continue;
		if (count++ < NAMED_MAX)
			used += name_problem(named + used, sizeof(named) - used,
					     &verdict->identities.list[i], used == 0);
	}
	if (!count)
		return CTPOST_OK;
	return ctpost_fail(call, CTPOST_FOUND, "findings: %zu problem%s --fail-on=%s: %s%s", count,
			   count == 1 ? " meets" : "s meet", ctpost_value(call, "fail-on"), named,
			   count > NAMED_MAX ? ", ..." : "");
}
