/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in the report: paths, and how often each kernel came from each. */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>

#define PATHS_MAX 2000u

struct kernel_path {
	uint32_t kernel, path;
	uint64_t launches;
};

static int compare(const void *a, const void *b)
{
	const struct kernel_path *x = a, *y = b;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	return x->path < y->path ? -1 : x->path > y->path;
}

/* Launches by kernel and path; freed by the caller. NULL: memory is short. */
static struct kernel_path *count_launches(const struct ct_report *report, size_t *pairs)
{
	const struct ct_comm_figures *f = report->figures;
	struct kernel_path *list = malloc((f->supersteps + 1) * sizeof(*list));
	size_t count = 0, kept = 0;

	for (size_t s = 0; list && s < f->supersteps; s++)
		if (f->superstep[s].launch && report->kernel_of[s] != CT_NONE)
			list[count++] = (struct kernel_path){
			    report->kernel_of[s],
			    ct_host_paths_of(report->paths, f->superstep[s].launch), 1};
	if (count)
		qsort(list, count, sizeof(*list), compare);
	for (size_t i = 0; i < count; i++)
		if (kept && compare(&list[kept - 1], &list[i]) == 0)
			list[kept - 1].launches++;
		else
			list[kept++] = list[i];
	*pairs = kept;
	return list;
}

/* By kernel, [path, launches]. */
static int put_kernels(const struct ct_report_writer *w)
{
	size_t pairs, at = 0;
	struct kernel_path *pair = count_launches(w->report, &pairs);

	if (!pair)
		return -ENOMEM;
	ct_out_array(w->out, "kernels");
	for (uint32_t kernel = 0; kernel < w->report->figures->kernels; kernel++) {
		ct_out_array(w->out, NULL);
		for (; at < pairs && pair[at].kernel == kernel; at++) {
			if (pair[at].path == 0 || pair[at].path > PATHS_MAX)
				continue;
			ct_out_array(w->out, NULL);
			ct_out_integer(w->out, NULL, pair[at].path);
			ct_out_integer(w->out, NULL, pair[at].launches);
			ct_out_end(w->out);
		}
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	free(pair);
	return 0;
}

static void put_path(const struct ct_report_writer *w, uint32_t path)
{
	const struct ct_code_frame *const *frame;
	size_t count = ct_host_paths_frames(w->report->paths, path, &frame);

	ct_out_array(w->out, NULL);
	for (size_t i = 0; i < count; i++) {
		ct_out_array(w->out, NULL);
		ct_out_text(w->out, NULL, frame[i]->function);
		ct_sources_put(w->sources, w->out, NULL, frame[i]->file, frame[i]->line);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

uint32_t ct_report_path_of(const struct ct_report_writer *w, const struct ct_launch_info *launch)
{
	uint32_t path = ct_host_paths_of(w->report->paths, launch);

	return path <= PATHS_MAX ? path : 0;
}

int ct_report_put_paths(const struct ct_report_writer *w)
{
	size_t count = ct_host_paths_count(w->report->paths);
	int err;

	if (!count)
		return 0;
	ct_out_object(w->out, "host_paths");
	ct_out_integer(w->out, "count", count);
	err = put_kernels(w);
	ct_out_array(w->out, "paths");
	for (uint32_t path = 1; path <= count && path <= PATHS_MAX; path++)
		put_path(w, path);
	ct_out_end(w->out);
	ct_out_end(w->out);
	return err;
}
