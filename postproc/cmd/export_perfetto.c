/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=perfetto: a time line. */
#include "base/quantity.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/export.h"
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/render/base/start.h"
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
		fprintf(
		    stderr,
		    "ctpost: warning: the blocks of a launch on a multiprocessor are one slice, "
		    "to keep to --limit\n");
	if (perfetto->ctas == CT_PERFETTO_NO_CTAS)
		fprintf(stderr, "ctpost: warning: blocks are left out, to keep to --limit\n");
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

/* Rank 0 only. 0 or a negative error, with call->why set. */
static int write_study(struct ctpost_study *study, struct ctpost_gathered *gathered, uint64_t limit)
{
	struct ctpost_call *call = study->call;
	struct ct_perfetto perfetto = {
	    .comm = study->comm,
	    .lists = ctpost_gathered_lists(gathered),
	    .program = study->summary.program,
	    .processes = &study->summary.processes,
	    .ffm = study->inquiry.ffm,
	    .start_ns = ct_perfetto_first_call(study->trace, ct_start_ns(study->trace)),
	    .limit = limit,
	    .each = read_each,
	    .user = call,
	};

	ctpost_comm_warn(study->comm);
	return write_file(call, &perfetto) == CTPOST_OK ? 0 : -EIO;
}

static int analyse(struct ctpost_study *study, struct ctpost_gathered **gathered)
{
	int err = ctpost_study_open(study);

	if (err == 0)
		err = ctpost_study_run(study);
	if (err == 0)
		err = ctpost_gather(gathered, study->comm, &study->options,
				    CTPOST_GATHER_TRANSFERS | CTPOST_GATHER_CTAS);
	return ctpost_explain(study->call, err, study->path, "");
}

int ctpost_export_perfetto(struct ctpost_call *call)
{
	const char *text = ctpost_value(call, "limit");
	struct ctpost_study study = {.wanted = CT_STUDY(comm) | CT_STUDY_CALLS | CT_STUDY_FFM};
	struct ctpost_gathered *gathered = NULL;
	uint64_t limit = LIMIT_BYTES;
	int status = ctpost_study_read(&study, call), err;

	study.options.transfers = true;
	if (status == CTPOST_OK && text && (ct_parse_size(text, &limit) < 0 || limit < LIMIT_LEAST))
		status = ctpost_wrong(call, "limit", "a size of at least 64K");
	if (status == CTPOST_OK)
		status = ctpost_study_meet(&study);
	if (status == CTPOST_OK) {
		err = analyse(&study, &gathered);
		if (err == 0 && study.ranks->rank == 0)
			err = write_study(&study, gathered, limit);
		status = ctpost_study_end(&study, err);
	}
	ctpost_gathered_close(gathered);
	ctpost_study_close(&study);
	return status;
}
