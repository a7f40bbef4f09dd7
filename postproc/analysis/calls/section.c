/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report on calls. docs/calls.md says what each figure means. */
#include "postproc/analysis/calls/section.h"
#include "postproc/analysis/calls/sorted.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define COLUMNS(list) .column = list, .columns = sizeof(list) / sizeof(*list)
#define NUMBER(key, title, help, unit)                                                             \
	{                                                                                          \
		key, title, help, CT_SECTION_NUMBER, unit, false                                   \
	}
#define DETAIL(key, title, help, unit)                                                             \
	{                                                                                          \
		key, title, help, CT_SECTION_NUMBER, unit, true                                    \
	}
#define TEXT(key, title, help)                                                                     \
	{                                                                                          \
		key, title, help, CT_SECTION_TEXT, NULL, false                                     \
	}

static const struct ct_section_column function_columns[] = {
    TEXT("function", "function", NULL),
    NUMBER("calls", "calls", NULL, NULL),
    NUMBER("seconds", "time", "Of all of them, in all threads.", "s"),
    DETAIL("mean_seconds", "mean", NULL, "s"),
    DETAIL("max_seconds", "longest", NULL, "s"),
    NUMBER("waited_seconds", "waited",
	   "Of the time, how long what they wait for was under way on a device.", "s"),
    NUMBER("device_seconds", "on devices", "Time of what they caused there.", "s"),
    DETAIL("bytes", "bytes", "That they allocate, copy or set.", "B"),
    NUMBER("share_percent", "share", "Of the run of all processes.", "%"),
    DETAIL("failed", "failed", "Their result is not success.", NULL),
};
static const struct ct_section_column kernel_columns[] = {
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    TEXT("instrumented", "traced",
	 "Traced launches run the instrumented kernel: their time is not the program's."),
    NUMBER("launches", "launches", NULL, NULL),
    NUMBER("seconds", "time", "Of all of them.", "s"),
    NUMBER("mean_seconds", "mean", NULL, "s"),
    DETAIL("min_seconds", "shortest", NULL, "s"),
    DETAIL("max_seconds", "longest", NULL, "s"),
    NUMBER("share_percent", "share", "Of the time of all kernels, copies and memsets.", "%"),
};
static const struct ct_section_column copy_columns[] = {
    TEXT("direction", "direction", NULL),
    NUMBER("count", "count", NULL, NULL),
    NUMBER("bytes", "bytes", NULL, "B"),
    NUMBER("seconds", "time", "Of all of them.", "s"),
    NUMBER("gigabytes_per_second", "rate", "All bytes over all of the time.", "GB/s"),
    DETAIL("pageable", "pageable", "From or to host memory that is not pinned.", NULL),
};
static const struct ct_section_column wait_columns[] = {
    TEXT("function", "waiting call", NULL),
    {"for", "for", NULL, CT_SECTION_NAME, NULL, false},
    NUMBER("count", "times", NULL, NULL),
    NUMBER("waited_seconds", "waited", NULL, "s"),
    NUMBER("share_percent", "share", "Of the run of all processes.", "%"),
};
static const struct ct_section_column range_columns[] = {
    TEXT("name", "name", NULL),
    TEXT("what", "what", NULL),
    NUMBER("count", "times", NULL, NULL),
    NUMBER("seconds", "time", "Of all of them.", "s"),
    DETAIL("mean_seconds", "mean", NULL, "s"),
    DETAIL("max_seconds", "longest", NULL, "s"),
    NUMBER("share_percent", "share", "Of the run of all processes.", "%"),
};

static void put_seconds(struct ct_sections *sections, uint64_t ns)
{
	ct_sections_number(sections, (double)ns / 1e9);
}

static void put_mean(struct ct_sections *sections, const struct ct_times *times)
{
	ct_sections_number(sections, (double)times->total_ns / (double)times->count / 1e9);
}

static void put_share(struct ct_sections *sections, uint64_t part, uint64_t whole)
{
	ct_sections_number(sections, whole ? 100 * (double)part / (double)whole : NAN);
}

static bool is_range(const struct ct_calls_function *function)
{
	return function->kind > CT_SPAN_DRIVER;
}

static void put_function(struct ct_sections *sections, const struct ct_calls *calls, size_t number)
{
	const struct ct_calls_function *function = &calls->function[number];

	if (function->is_inner || is_range(function))
		return;
	ct_sections_text(sections, function->name);
	ct_sections_number(sections, (double)function->times.count);
	put_seconds(sections, function->times.total_ns);
	put_mean(sections, &function->times);
	put_seconds(sections, function->times.most_ns);
	if (ct_calls_knows_wait(calls, function))
		put_seconds(sections, function->waited_ns);
	else
		ct_sections_number(sections, NAN);
	put_seconds(sections, function->device_ns);
	ct_sections_number(sections, (double)function->bytes);
	put_share(sections, function->times.total_ns, calls->run_ns);
	ct_sections_number(sections, (double)function->failed);
}

static void put_range(struct ct_sections *sections, const struct ct_calls *calls, size_t number)
{
	const struct ct_calls_function *range = &calls->function[number];

	if (!is_range(range))
		return;
	ct_sections_text(sections, range->name);
	ct_sections_text(sections, ct_span_kind_name(range->kind));
	ct_sections_number(sections, (double)range->times.count);
	put_seconds(sections, range->times.total_ns);
	put_mean(sections, &range->times);
	put_seconds(sections, range->times.most_ns);
	put_share(sections, range->times.total_ns, calls->run_ns);
}

static void put_kernel(struct ct_sections *sections, const struct ct_calls *calls, size_t number)
{
	const struct ct_calls_kernel *kernel = &calls->kernel[number];

	ct_sections_name(sections, kernel->name);
	ct_sections_text(sections, kernel->is_traced ? "yes" : "no");
	ct_sections_number(sections, (double)kernel->times.count);
	if (!kernel->is_timed) {
		for (unsigned i = 0; i < 5; i++)
			ct_sections_number(sections, NAN);
		return;
	}
	put_seconds(sections, kernel->times.total_ns);
	put_mean(sections, &kernel->times);
	put_seconds(sections, kernel->times.least_ns);
	put_seconds(sections, kernel->times.most_ns);
	put_share(sections, kernel->times.total_ns, calls->device_ns);
}

static void put_wait(struct ct_sections *sections, const struct ct_calls *calls, size_t number)
{
	const struct ct_calls_wait *wait = &calls->wait[number];
	char name[CT_WAITED_BYTES];

	ct_sections_text(sections, calls->function[wait->function].name);
	ct_sections_name(sections, ct_waited_name(calls, wait, name));
	ct_sections_number(sections, (double)wait->count);
	put_seconds(sections, wait->total_ns);
	put_share(sections, wait->total_ns, calls->run_ns);
}

static void put_copies(struct ct_sections *sections, const char *name,
		       const struct ct_calls_copies *copies)
{
	if (!copies->count)
		return;
	ct_sections_text(sections, name);
	ct_sections_number(sections, (double)copies->count);
	ct_sections_number(sections, (double)copies->bytes);
	put_seconds(sections, copies->total_ns);
	ct_sections_number(
	    sections, copies->total_ns ? (double)copies->bytes / (double)copies->total_ns : NAN);
	ct_sections_number(sections, (double)copies->pageable.count);
}

static void show_copies(struct ct_sections *sections, const struct ct_calls *calls)
{
	struct ct_section like = {
	    .analysis = "calls",
	    .name = "copies",
	    .title = "Copies and memsets",
	    .about = calls->copies_are_calls
			 ? "By direction. What the devices did is not recorded: times are those of "
			   "the calls on the host."
			 : "By direction, as the devices made them.",
	    COLUMNS(copy_columns),
	    .order = 3,
	};

	ct_sections_add(sections, &like);
	for (uint32_t kind = 0; kind < CT_COPY_KINDS; kind++)
		put_copies(sections, ct_copy_kind_name(kind), &calls->copy[kind]);
	put_copies(sections, "memset", &calls->set);
}

/* A section with a row for each that `put` does not leave out, by what is most. */
static int show(struct ct_sections *sections, const struct ct_calls *calls,
		const struct ct_section *like, size_t count,
		uint64_t (*most)(const struct ct_calls *calls, size_t number),
		void (*put)(struct ct_sections *, const struct ct_calls *, size_t))
{
	uint32_t *numbers = ct_calls_sorted(calls, count, most);

	if (!numbers)
		return -ENOMEM;
	ct_sections_add(sections, like);
	for (size_t i = 0; i < count; i++)
		put(sections, calls, numbers[i]);
	free(numbers);
	return 0;
}

int ct_calls_show(struct ct_sections *sections, const struct ct_calls *calls)
{
	const struct ct_section functions = {
	    .analysis = "calls",
	    .name = "cuda-calls",
	    .title = "CUDA calls",
	    .about =
		calls->waits_are_bounds
		    ? "Calls of the program and its libraries (docs/calls.md). What the devices "
		      "did is not recorded: calls that only synchronise waited at most so long."
		    : "Calls of the program and its libraries, how long they took and waited "
		      "for a device (docs/calls.md).",
	    COLUMNS(function_columns),
	    .order = 2,
	};
	static const struct ct_section waits = {
	    .analysis = "calls",
	    .name = "waits",
	    .title = "Who waited for what",
	    .about = "Each moment that a call waited belongs to what was under way then and ended "
		     "last (docs/calls.md).",
	    COLUMNS(wait_columns),
	    .order = 3,
	};
	static const struct ct_section kernels = {
	    .analysis = "calls",
	    .name = "kernel-times",
	    .title = "Times of kernels",
	    .about = "As the devices ran them. The time of traced launches is that of the "
		     "instrumented kernel and not the program's.",
	    COLUMNS(kernel_columns),
	    .order = 3,
	};
	static const struct ct_section ranges = {
	    .analysis = "calls",
	    .name = "ranges",
	    .title = "Ranges and regions",
	    .about = "NVTX ranges and marks, and regions, by name.",
	    COLUMNS(range_columns),
	    .order = 3,
	};
	int err =
	    show(sections, calls, &functions, calls->functions, ct_function_time, put_function);

	if (err == 0)
		err = show(sections, calls, &waits, calls->waits, ct_wait_time, put_wait);
	if (err == 0)
		err = show(sections, calls, &kernels, calls->kernels, ct_kernel_time, put_kernel);
	show_copies(sections, calls);
	if (err == 0)
		err = show(sections, calls, &ranges, calls->functions, ct_function_time, put_range);
	return err;
}
