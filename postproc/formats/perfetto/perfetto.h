/* SPDX-License-Identifier: Apache-2.0 */
/* A time line for ui.perfetto.dev (docs/export.md): calls by thread, activities by stream, CTAs by
 * SM. Without activities it is not known when devices did what: then launches by the times of their
 * calls, CTAs in their order, flows. */
#ifndef CT_POSTPROC_FORMATS_PERFETTO_PERFETTO_H
#define CT_POSTPROC_FORMATS_PERFETTO_PERFETTO_H

#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/analysis/ffm/study.h"
#include "postproc/facts/processes.h"
#include "postproc/formats/perfetto/out.h"
#include "postproc/formats/perfetto/timeline.h"
#include "postproc/scan/each.h"

enum ct_perfetto_ctas {
	CT_PERFETTO_CTAS,    /* a slice each */
	CT_PERFETTO_BY_SM,   /* a slice for those of a launch on an SM */
	CT_PERFETTO_NO_CTAS, /* none */
	CT_PERFETTO_TIMES,   /* a slice each, with its time */
	CT_PERFETTO_UNTIMED, /* none: the trace has no times of them, but of what devices did */
};

struct ct_perfetto {
	struct ct_comm *comm;
	struct ct_comm_lists lists;
	const char *program;
	const struct ct_processes *processes;
	const struct ct_ffm_study *ffm; /* what of the calls is not needed; NULL: not known */
	uint64_t start_ns, limit;
	int (*each)(void *user, struct ct_trace *trace, const struct ct_each *each);
	void *user;

	/* Set by ct_perfetto_write: what the limit left out. */
	enum ct_perfetto_ctas ctas;
	uint64_t left_out; /* events */

	/* Its own. */
	bool has_activities;
	struct ct_perfetto_out out;
	struct ct_timeline timeline;
	const struct ct_comm_figures *figures;
};

/* 0 or a negative error */
int ct_perfetto_write(struct ct_perfetto *perfetto, FILE *file);

/* The time of the first call, if there is one before start_ns; else that. */
uint64_t ct_perfetto_first_call(struct ct_trace *trace, uint64_t start_ns);

/* Its parts. */
int ct_perfetto_write_ctas(struct ct_perfetto *perfetto);
/* Those that the trace has times of; *are_there: it has some. */
int ct_perfetto_write_cta_times(struct ct_perfetto *perfetto, bool *are_there);
int ct_perfetto_write_flows(struct ct_perfetto *perfetto);
int ct_perfetto_write_calls(struct ct_perfetto *perfetto);
/* Writes what is known of a launch, by its superstep; kernel: its whole name; has_call: when it
 * was called, too. */
void ct_perfetto_put_launch(struct ct_json *args, const struct ct_perfetto *perfetto, size_t i,
			    const char *kernel, bool has_call);
/* Writes the events that are gathered, or counts one that is left out. */
void ct_perfetto_put(struct ct_perfetto *perfetto);
/* A metadata event; tid 0: about the process. */
void ct_perfetto_name(struct ct_perfetto *perfetto, const char *what, uint64_t pid, uint64_t tid,
		      const char *name);
void ct_perfetto_sort(struct ct_perfetto *perfetto, const char *what, uint64_t pid, uint64_t tid,
		      uint64_t index);
/* Numbers of tracks, within JSON's and the viewer's 32 bits. */
uint64_t ct_perfetto_host(const struct ct_perfetto *perfetto, uint32_t part);
uint64_t ct_perfetto_device(const struct ct_perfetto *perfetto, uint32_t part, uint32_t device);
/* The same of a device's activities. */
uint64_t ct_perfetto_activities(const struct ct_perfetto *perfetto, uint32_t part, uint32_t device);
/* "process 3", "rank 3" */
const char *ct_perfetto_process(const struct ct_perfetto *perfetto, uint32_t part, char *text,
				size_t bytes);

#endif
