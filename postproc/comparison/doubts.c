/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what two studies differ in beside what was changed: programs, arguments, machines, what
 * was recorded. */
#include "postproc/comparison/doubts.h"

#include "base/array.h"
#include "base/quantity.h"
#include "postproc/tables/amount.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(struct ct_comparison *comparison, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int add(struct ct_comparison *comparison, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	int bytes;

	if (ct_array_grow(&comparison->doubt, comparison->doubts, sizeof(*comparison->doubt)) < 0)
		return -ENOMEM;
	va_start(arguments, format);
	bytes = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (bytes < 0)
		return -ENOMEM;
	comparison->doubt[comparison->doubts++] = text;
	return 0;
}

static const struct ct_process_info *process_of(const struct ct_side *side, size_t *count)
{
	const struct ct_process_info *processes;

	*count = ct_trace_processes(side->inquiry->trace, &processes);
	return *count ? processes : NULL;
}

/* Behind the program's name, which may be another one now. */
static const char *arguments_of(const struct ct_process_info *process)
{
	const char *program = process ? process->program : "";

	return program + strcspn(program, " ");
}

static bool has_common_kernel(const struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->kernels.count; i++)
		if (comparison->kernels.list[i].before != CT_PAIR_NONE &&
		    comparison->kernels.list[i].after != CT_PAIR_NONE)
			return true;
	return false;
}

/* Each study's way to run: the program, its arguments, the machine. */
static int add_runs(struct ct_comparison *comparison)
{
	const struct ct_side *before = comparison->side[0], *after = comparison->side[1];
	size_t were, are;
	const struct ct_process_info *was = process_of(before, &were);
	const struct ct_process_info *is = process_of(after, &are);
	int err = 0;

	if (comparison->is_other_program)
		err = add(comparison, "No kernel and no source is in both: these are different "
				      "programs, and nothing of them is compared.");
	else if (before->kernels && after->kernels && !has_common_kernel(comparison))
		err = add(comparison, "No kernel is in both.");
	if (err == 0 && was && is && strcmp(arguments_of(was), arguments_of(is)) != 0)
		err = add(comparison, "The programs were run with different arguments:%s and%s.",
			  *arguments_of(was) ? arguments_of(was) : " none",
			  *arguments_of(is) ? arguments_of(is) : " none");
	if (err == 0 && were != are)
		err = add(comparison, "The programs ran as %zu and %zu processes.", were, are);
	if (err == 0 && before->is_cpu != after->is_cpu)
		err =
		    add(comparison, "Kernels ran on %s, now on %s: their times cannot be compared.",
			before->is_cpu ? "CPU threads" : "a GPU",
			after->is_cpu ? "CPU threads" : "a GPU");
	return err;
}

/* Each function whose calls are fewer than what is gone explains; copies that are more. */
static int add_calls(struct ct_comparison *comparison)
{
	const struct ct_ffm_comparison *ffm = comparison->ffm;

	for (size_t i = 0; i < ffm->calls; i++) {
		const struct ct_ffm_compared_call *call = &ffm->call[i];
		char number[2][CT_NUMBER_BYTES];

		if (call->count[1] < call->count[0] && ct_ffm_is_unexplained(ffm, call))
			return add(comparison,
				   "%s was called %s times, now %s times, which what is gone "
				   "does not explain.",
				   call->call, ct_number(call->count[0], number[0]),
				   ct_number(call->count[1], number[1]));
	}
	return add(comparison, "More copies are made than before.");
}

static bool has_gone_kernels(const struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->problems; i++)
		if (comparison->problem[i].state == CT_COMPARED_GONE &&
		    comparison->problem[i].measure == CT_MEASURED_KERNEL)
			return true;
	return false;
}

static const char *time_text(uint64_t ns, char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(&(struct ct_amount){1e-9 * (double)ns, "s"}, buffer);
}

/* Compares runs whose calls and kernels are known. */
static int add_work(struct ct_comparison *comparison)
{
	const struct ct_ffm_comparison *ffm = comparison->ffm;
	unsigned doubts = ffm ? ffm->doubts : 0;
	char number[2][CT_NUMBER_BYTES], time[2][CT_AMOUNT_BYTES];
	int err = 0;

	if (doubts & CT_FFM_OTHER_LAUNCHES)
		err = add(comparison, "%s kernels ran, now %s.",
			  ct_number(ffm->kernels[0], number[0]),
			  ct_number(ffm->kernels[1], number[1]));
	/* Those of CPU threads take another time in each run. */
	if (err == 0 && doubts & CT_FFM_OTHER_KERNELS && !comparison->side[0]->is_cpu &&
	    !has_gone_kernels(comparison))
		err = add(
		    comparison, "Kernels took %s, now %s, which nothing that is gone explains.",
		    time_text(ffm->kernel_ns[0], time[0]), time_text(ffm->kernel_ns[1], time[1]));
	if (err == 0 && doubts & CT_FFM_OTHER_CALLS)
		err = add_calls(comparison);
	if (err == 0 && doubts & CT_FFM_SMALL && comparison->count[CT_COMPARED_GONE])
		err = add(comparison, "The runs differ by less than 1 %%, as two runs of the same "
				      "program do; each was run once.");
	return err;
}

/* Says what figures are of. */
static int add_figures(struct ct_comparison *comparison)
{
	static const char *const name[] = {"The first", "The second"};
	const struct ct_side *const *side = comparison->side;
	int err = 0;

	for (unsigned when = 0; when < 2 && err == 0; when++) {
		bool has_times = !isnan(side[when]->kernel_seconds);

		if (side[when]->is_scaled)
			err = add(comparison,
				  "%s one's figures are scaled: a part of its thread blocks was "
				  "recorded.",
				  name[when]);
		if (err == 0 && !has_times && !isnan(side[!when]->kernel_seconds))
			err = add(comparison,
				  "%s one has no times of a run whose kernels are pristine, which "
				  "those of the other one could be compared with.",
				  name[when]);
	}
	return err;
}

int ct_compared_doubts_make(struct ct_comparison *comparison)
{
	int err = add_runs(comparison);

	if (comparison->is_other_program)
		return err;
	if (err == 0)
		err = add_work(comparison);
	return err == 0 ? add_figures(comparison) : err;
}
