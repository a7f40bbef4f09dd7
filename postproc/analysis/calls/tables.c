/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls: functions, kernels, copies, waits, ranges, what takes most first. */
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/calls/sorted.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>

struct row_function {
	uint64_t number;
	const struct ct_calls *calls;
	const struct ct_calls_function *f;
};

#define row_call_functions row_function
#define row_range_times row_function

struct row_call_waits {
	uint64_t number;
	const struct ct_calls *calls;
	const struct ct_calls_wait *wait;
	const char *name;
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

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/calls/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/calls/tables.def"

typedef int put_row(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number);

static int put_functions(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number,
			 bool are_ranges)
{
	const struct ct_calls_function *function = &calls->function[number];
	const struct row_function row = {sink->given, calls, function};

	if ((function->kind > CT_SPAN_DRIVER) != are_ranges || (function->is_inner && !are_ranges))
		return 0;
	sink->given++;
	return ct_table_put_row(sink, &row);
}

static int put_function(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return put_functions(sink, calls, number, false);
}

static int put_range(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	return put_functions(sink, calls, number, true);
}

static int put_kernel(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	const struct row_kernel_times row = {sink->given++, calls, &calls->kernel[number]};

	return ct_table_put_row(sink, &row);
}

static int put_wait(struct ct_table_sink *sink, const struct ct_calls *calls, size_t number)
{
	const struct ct_calls_wait *wait = &calls->wait[number];
	char name[CT_WAITED_BYTES];
	const struct row_call_waits row = {sink->given++, calls, wait,
					   ct_waited_name(calls, wait, name)};

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
