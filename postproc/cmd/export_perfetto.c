/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=perfetto: a time line. */
#include "base/quantity.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/export.h"
#include "postproc/cmd/ffm_files.h"
#include "postproc/facts/summary.h"
#include "postproc/render/export/clock.h"
#include "postproc/render/perfetto/perfetto.h"
#include "postproc/tables/output.h"
#include <errno.h>

#define LIMIT_BYTES (100u << 20)
#define LIMIT_LEAST (64u << 10)

static int read_each(void *user, struct ct_trace *trace, const struct ct_each *each)
{
	return ctpost_each(user, trace, each, NULL);
}

static void report_left_out(const struct ct_perfetto *perfetto)
{
	if (perfetto->ctas == CT_PERFETTO_BY_SM)
		fprintf(stderr,
			"ctpost: warning: the CTAs of a launch on a multiprocessor are one slice, "
			"to keep to --limit\n");
	if (perfetto->ctas == CT_PERFETTO_NO_CTAS)
		fprintf(stderr, "ctpost: warning: CTAs are left out, to keep to --limit\n");
	if (perfetto->left_out)
		fprintf(stderr, "ctpost: warning: %llu further events are left out\n",
			(unsigned long long)perfetto->left_out);
}

static int write_file(struct ctpost_call *call, struct ct_perfetto *perfetto)
{
	const char *path = ctpost_value(call, "output");
	struct ct_output *output;
	FILE *file;
	int err = ct_output_open(&output, path, 0, call->why, sizeof(call->why));

	if (err < 0)
		return CTPOST_FAILED;
	file = ct_output_file(output, NULL);
	err = file ? ct_perfetto_write(perfetto, file) : -errno;
	if (file && fclose(file) != 0 && err == 0)
		err = -errno;
	if (err == 0)
		err = ct_output_commit(output);
	else
		ct_output_discard(output);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, ct_strerror(err));
	report_left_out(perfetto);
	return CTPOST_OK;
}

static int write_analysed(struct ctpost_call *call, struct ct_comm *comm,
			  const struct ct_export_lists *lists, uint64_t limit)
{
	struct ct_trace *trace = ct_comm_trace(comm);
	struct ct_perfetto perfetto = {
	    .comm = comm,
	    .lists = *lists,
	    .start_ns = ct_perfetto_first_call(trace, ct_export_start_ns(trace)),
	    .limit = limit,
	    .each = read_each,
	    .user = call,
	};
	struct ctpost_ffm_beside ffm = {.is_there = false};
	struct ct_summary summary;
	int status, err;

	ctpost_comm_warn(comm);
	if (ct_summary_init(&summary, trace) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: out of memory", call->operand[0]);
	perfetto.program = summary.program;
	perfetto.processes = &summary.processes;
	err = ctpost_ffm_beside_init(&ffm, call, call->operand[0], trace);
	perfetto.ffm = ffm.is_there ? &ffm.study : NULL;
	status = err == 0 ? write_file(call, &perfetto) : CTPOST_FAILED;
	ctpost_explain(call, err, call->operand[0], "");
	ctpost_ffm_beside_fini(&ffm);
	ct_summary_fini(&summary);
	return status;
}

static int export_analysed(struct ctpost_call *call, const struct ct_comm_options *options,
			   uint64_t limit)
{
	struct ctpost_export_comm comm;
	struct ct_export_lists lists;
	int status = CTPOST_OK;

	if (ctpost_export_open(call, options, &comm) != CTPOST_OK ||
	    ctpost_export_run(&comm, NULL, 0) != CTPOST_OK ||
	    ctpost_export_gather(&comm, CTPOST_GATHER_TRANSFERS | CTPOST_GATHER_CTAS, &lists) !=
		CTPOST_OK)
		return CTPOST_FAILED;
	if (comm.ranks->rank == 0)
		status = write_analysed(call, comm.comm, &lists, limit);
	ctpost_export_close(&comm);
	return status;
}

int ctpost_export_perfetto(struct ctpost_call *call)
{
	const char *text = ctpost_value(call, "limit");
	struct ct_comm_options options = {0};
	struct ct_selection selection;
	uint64_t limit = LIMIT_BYTES;
	int status = ctpost_read_comm_options(call, &options, &selection);

	if (status != CTPOST_OK)
		return status;
	if (text && (ct_parse_size(text, &limit) < 0 || limit < LIMIT_LEAST)) {
		ct_selection_fini(&selection);
		return ctpost_wrong(call, "limit", "a size of at least 64K");
	}
	status = export_analysed(call, &options, limit);
	ct_selection_fini(&selection);
	return status;
}
