/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls have this in common: their order and some words. */
#include "postproc/analysis/calls/sorted.h"
#include <stdio.h>
#include <stdlib.h>

struct weighed {
	uint64_t weight;
	uint32_t number;
};

static int compare(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

uint32_t *ct_calls_sorted(const struct ct_calls *calls, size_t count,
			  uint64_t (*most)(const struct ct_calls *calls, size_t number))
{
	struct weighed *list = malloc((count + 1) * sizeof(*list));
	uint32_t *numbers = malloc((count + 1) * sizeof(*numbers));

	if (!list || !numbers) {
		free(list);
		free(numbers);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		list[i] = (struct weighed){most(calls, i), (uint32_t)i};
	qsort(list, count, sizeof(*list), compare);
	for (size_t i = 0; i < count; i++)
		numbers[i] = list[i].number;
	free(list);
	return numbers;
}

uint64_t ct_function_time(const struct ct_calls *calls, size_t number)
{
	return calls->function[number].times.total_ns;
}

uint64_t ct_kernel_time(const struct ct_calls *calls, size_t number)
{
	return calls->kernel[number].times.total_ns;
}

uint64_t ct_wait_time(const struct ct_calls *calls, size_t number)
{
	return calls->wait[number].total_ns;
}

uint64_t ct_thread_time(const struct ct_calls *calls, size_t number)
{
	return calls->thread[number].total_ns;
}

uint64_t ct_stream_time(const struct ct_calls *calls, size_t number)
{
	return calls->stream[number].total_ns;
}

const char *ct_waited_name(const struct ct_calls *calls, const struct ct_calls_wait *wait,
			   char buffer[CT_WAITED_BYTES])
{
	switch (wait->kind) {
	case CT_WAITED_KERNEL:
		return calls->kernel[wait->what].name;
	case CT_WAITED_COPY:
		snprintf(buffer, CT_WAITED_BYTES, "copy %s", ct_copy_kind_name(wait->what));
		return buffer;
	case CT_WAITED_SET:
		return "memset";
	default:
		return "the tracer";
	}
}
