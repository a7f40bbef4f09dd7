/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls: functions, kernels, copies, waits, ranges, what takes most first. */
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/calls/sorted.h"
#include "postproc/analysis/calls/tree.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>

#define row_call_totals ct_calls
#define row_call_parts ct_calls_part
#define row_call_threads ct_calls_thread

struct row_function {
	uint64_t number;
	const struct ct_calls *calls;
	const struct ct_calls_function *f;
};

#define row_call_functions row_function
#define row_inner_functions row_function
#define row_range_times row_function

struct row_call_waits {
	uint64_t number;
	const struct ct_calls *calls;
	const struct ct_calls_wait *wait;
	const char *name, *kind;
};

struct row_kernel_times {
	uint64_t number;
	const struct ct_calls *calls;
	const struct ct_calls_kernel *k;
};

struct row_copy_times {
	const char *direction;
	const struct ct_calls_copies *copies;
};

struct row_call_streams {
	const struct ct_calls *calls;
	const struct ct_calls_stream *s;
};

struct row_call_paths {
	uint64_t number;
	const struct ct_call_tree *tree;
	uint32_t node;
};

struct row_call_frames {
	uint64_t position;
	const struct ct_code_frame *frame;
};

struct row_call_warnings {
	uint64_t number;
	const char *text;
};

#define CT_DESCRIBED "postproc/analysis/calls/tables.def"
#include "postproc/tables/described.h"

typedef int put_row(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number);

static int put_functions(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number,
			 bool are_ranges, bool are_inner)
{
	const struct ct_calls_function *function = &calls->function[number];
	const struct row_function row = {sink->given, calls, function};
	bool is_range = function->kind != CT_SPAN_RUNTIME && function->kind != CT_SPAN_DRIVER;

	if (is_range != are_ranges || (!is_range && function->is_inner != are_inner))
		return 0;
	sink->given++;
	return ct_table_put_row(sink, &row);
}

static int put_function(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return put_functions(sink, calls, number, false, false);
}

static int put_inner(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return put_functions(sink, calls, number, false, true);
}

static int put_range(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return put_functions(sink, calls, number, true, false);
}

static int put_thread(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return ct_table_put_row(sink, &calls->thread[number]);
}

static int put_stream(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return ct_table_put_row(sink, &(struct row_call_streams){calls, &calls->stream[number]});
}

static int put_kernel(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	const struct row_kernel_times row = {sink->given++, calls, &calls->kernel[number]};

	return ct_table_put_row(sink, &row);
}

static int put_wait(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	static const char *const kinds[] = {"kernel", "copy", "set", "tracer"};
	const struct ct_calls_wait *wait = &calls->wait[number];
	char name[CT_WAITED_BYTES];
	const struct row_call_waits row = {sink->given++, calls, wait,
					   ct_waited_name(calls, wait, name), kinds[wait->kind]};

	return ct_table_put_row(sink, &row);
}

static int put_sorted(struct ct_table_sink *sink, const struct ct_calls *calls, size_t count,
		      uint64_t (*most)(const struct ct_calls *calls, size_t number), put_row *put)
{
	uint32_t *numbers = ct_calls_sorted(calls, count, most);
	int err = numbers ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++)
		err = put(sink, calls, numbers[i]);
	free(numbers);
	return err;
}

static int rows_call_functions(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->functions, ct_function_time, put_function);
}

static int rows_call_waits(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->waits, ct_wait_time, put_wait);
}

static int rows_kernel_times(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->kernels, ct_kernel_time, put_kernel);
}

static int rows_range_times(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->functions, ct_function_time, put_range);
}

static int rows_inner_functions(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->functions, ct_function_time, put_inner);
}

static int rows_call_threads(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->threads, ct_thread_time, put_thread);
}

static int rows_call_streams(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;

	return put_sorted(sink, calls, calls->streams, ct_stream_time, put_stream);
}

static int rows_call_totals(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

static int rows_call_parts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;
	int err = 0;

	for (size_t i = 0; i < calls->parts && err == 0; i++)
		err = ct_table_put_row(sink, &calls->part[i]);
	return err;
}

static uint64_t path_time(const struct ct_call_tree *tree, uint32_t node)
{
	return tree->node[node].kind == CT_TREE_CALL ? tree->node[node].total_ns : 0;
}

static int compare_paths(const void *a, const void *b, void *tree)
{
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	uint64_t x = path_time(tree, first), y = path_time(tree, second);

	if (x != y)
		return x > y ? -1 : 1;
	return first < second ? -1 : first > second;
}

static int put_path(struct ct_table_sink *sink, const struct ct_call_tree *tree, uint32_t number)
{
	uint32_t node = tree->node[number].parent;
	struct row_call_frames row = {.position = 0};
	int err = ct_table_put_row(sink, &(struct row_call_paths){sink->given++, tree, number});

	for (; err == 0 && tree->node[node].kind == CT_TREE_FRAME; node = tree->node[node].parent) {
		row.frame = ct_symbols_frame(tree->symbols, tree->node[node].what);
		err = ct_table_put_child(sink, 0, &row);
		row.position++;
	}
	return err;
}

static int rows_call_paths(const void *from, struct ct_table_sink *sink)
{
	const struct ct_call_tree *tree = from;
	uint32_t *numbers = malloc((tree->count + 1) * sizeof(*numbers));
	int err = numbers ? 0 : -ENOMEM;

	for (size_t i = 0; i < tree->count && err == 0; i++)
		numbers[i] = (uint32_t)i;
	if (err == 0)
		qsort_r(numbers, tree->count, sizeof(*numbers), compare_paths, (void *)tree);
	for (size_t i = 0; i < tree->count && err == 0; i++)
		if (tree->node[numbers[i]].kind == CT_TREE_CALL)
			err = put_path(sink, tree, numbers[i]);
	free(numbers);
	return err;
}

static int put_warnings(struct ct_table_sink *sink, const char *const *lines, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_call_warnings){sink->given++, lines[i]});
	return err;
}

static int rows_call_warnings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_call_tree *tree = from;
	const char *const *lines;
	size_t count = ct_trace_warnings(tree->calls->trace, &lines);
	int err = put_warnings(sink, lines, count);

	count = ct_symbols_warnings(tree->symbols, &lines);
	return err == 0 ? put_warnings(sink, lines, count) : err;
}

static int rows_copy_times(const void *from, struct ct_table_sink *sink)
{
	const struct ct_calls *calls = from;
	int err = 0;

	for (uint32_t kind = 0; kind < CT_COPY_KINDS && err == 0; kind++) {
		const struct row_copy_times row = {ct_copy_kind_name(kind), &calls->copy[kind]};

		if (row.copies->count)
			err = ct_table_put_row(sink, &row);
	}
	if (calls->set.count && err == 0)
		err = ct_table_put_row(sink, &(struct row_copy_times){"memset", &calls->set});
	return err;
}

const struct ct_table_def ct_call_functions_table = {CT_TABLE_SHOWN(call_functions, NULL)};
const struct ct_table_def ct_call_waits_table = {CT_TABLE_SHOWN(call_waits, NULL)};
const struct ct_table_def ct_kernel_times_table = {CT_TABLE_SHOWN(kernel_times, NULL)};
const struct ct_table_def ct_copy_times_table = {CT_TABLE_SHOWN(copy_times, NULL)};
const struct ct_table_def ct_range_times_table = {CT_TABLE_SHOWN(range_times, NULL)};

#define rows_call_frames NULL
static const struct ct_table_def frames = {CT_TABLE_PARTS(call_frames, NULL)};
static const struct ct_table_child of_path[] = {{"frames", &frames}, {NULL, NULL}};

const struct ct_table_def ct_call_totals_table = {CT_TABLE_PARTS(call_totals, NULL)};
const struct ct_table_def ct_call_parts_table = {CT_TABLE_PARTS(call_parts, NULL)};
const struct ct_table_def ct_inner_functions_table = {CT_TABLE_SHOWN(inner_functions, NULL)};
const struct ct_table_def ct_call_threads_table = {CT_TABLE_SHOWN(call_threads, NULL)};
const struct ct_table_def ct_call_streams_table = {CT_TABLE_SHOWN(call_streams, NULL)};
const struct ct_table_def ct_call_paths_table = {CT_TABLE_PARTS(call_paths, NULL),
						 .child = of_path};
const struct ct_table_def ct_call_warnings_table = {CT_TABLE_PARTS(call_warnings, NULL)};
