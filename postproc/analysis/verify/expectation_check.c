/* SPDX-License-Identifier: Apache-2.0 */
/* Compare a trace's figures with what is expected. */
#include "postproc/analysis/verify/expectation.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct ct_expected_kernel *ct_expectation_of(const struct ct_expectation *expectation,
						   const struct ct_launch_info *launch)
{
	const struct ct_expected_kernel *any = NULL;

	for (size_t i = 0; i < expectation->count; i++) {
		const struct ct_expected_kernel *kernel = &expectation->list[i];

		if (strcmp(kernel->kernel, launch->kernel))
			continue;
		if (kernel->launch == launch->event->launch)
			return kernel;
		if (!kernel->launch)
			any = kernel;
	}
	return any;
}

static const struct ct_tally_line *find(const struct ct_tally_line *lines, size_t count,
					const struct ct_tally_line *like)
{
	for (size_t i = 0; i < count; i++)
		if (lines[i].line == like->line && lines[i].operation == like->operation)
			return &lines[i];
	return NULL;
}

static void compare_line(struct ct_findings *findings, const struct ct_launch_info *launch,
			 const struct ct_tally_line *want, const struct ct_tally_line *got)
{
	static const struct ct_tally_figures nothing;
	const struct ct_tally_figures *figures = got ? &got->figures : &nothing;
	const char *operation = ct_operation_text(want->operation);

	if (figures->count != want->figures.count)
		ct_verify_add(findings, launch, CT_ID_COUNT,
			      "line %u, %s: %" PRIu64 " accesses instead of %" PRIu64, want->line,
			      operation, figures->count, want->figures.count);
	else if (figures->sum != want->figures.sum)
		ct_verify_add(findings, launch, CT_ID_SUM,
			      "line %u, %s: the addresses sum up to 0x%" PRIx64
			      " instead of 0x%" PRIx64,
			      want->line, operation, figures->sum, want->figures.sum);
	else if (figures->squares != want->figures.squares)
		ct_verify_add(findings, launch, CT_ID_SQUARES,
			      "line %u, %s: the squares of the addresses sum up to 0x%" PRIx64
			      " instead of 0x%" PRIx64,
			      want->line, operation, figures->squares, want->figures.squares);
}

static void compare_lines(struct ct_findings *findings, const struct ct_launch_info *launch,
			  const struct ct_expected_kernel *kernel,
			  const struct ct_tally_line *lines, size_t count, uint64_t *accesses)
{
	for (size_t i = 0; i < kernel->line_count; i++)
		compare_line(findings, launch, &kernel->lines[i],
			     find(lines, count, &kernel->lines[i]));
	for (size_t i = 0; i < count; i++) {
		*accesses += lines[i].figures.count;
		if (!find(kernel->lines, kernel->line_count, &lines[i]))
			ct_verify_add(findings, launch, CT_ID_EXTRA,
				      "line %u, %s: %" PRIu64 " accesses that are not expected",
				      lines[i].line, ct_operation_text(lines[i].operation),
				      lines[i].figures.count);
	}
}

static int check_launch(struct ct_findings *findings, const struct ct_launch_info *launch,
			const struct ct_expected_kernel *kernel, const struct ct_tally *tally,
			size_t index, uint64_t *accesses)
{
	uint64_t order = ct_tally_launch(tally, index)->order;
	struct ct_tally_line *lines;
	size_t count;
	int err;

	if (launch->event->block_period > 1 || launch->event->tier != CT_TIER_FULL) {
		ct_verify_add(findings, launch, CT_ID_PARTIAL,
			      "is recorded in part, so that nothing can be compared");
		return findings->err;
	}
	err = ct_tally_lines(tally, index, &lines, &count);
	if (err == 0)
		compare_lines(findings, launch, kernel, lines, count, accesses);
	free(lines);
	if (err == 0 && kernel->by && order != kernel->order)
		ct_verify_add(findings, launch, CT_ID_ORDER,
			      "the order of accesses within %s is another (hash 0x%" PRIx64
			      " instead of 0x%" PRIx64 ")",
			      kernel->by == CT_TALLY_BY_WARP ? "warps" : "lanes", order,
			      kernel->order);
	return err < 0 ? err : findings->err;
}

static void check_number(struct ct_findings *findings, const struct ct_expected_kernel *kernel,
			 uint64_t found)
{
	if (kernel->launch && !found)
		ct_verify_add(findings, NULL, CT_ID_MISSING, "%s: launch %" PRIu64 " is not there",
			      kernel->kernel, kernel->launch);
	else if (kernel->launches && found != kernel->launches)
		ct_verify_add(findings, NULL, CT_ID_LAUNCHES,
			      "%s: %" PRIu64 " traced launches instead of %" PRIu64, kernel->kernel,
			      found, kernel->launches);
}

int ct_expectation_check(const struct ct_expectation *expectation, const struct ct_trace *trace,
			 const struct ct_tally *tally, struct ct_findings *findings,
			 struct ct_expectation_result *result)
{
	uint64_t *found = calloc(expectation->count + 1, sizeof(*found));
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	int err = found ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_expected_kernel *kernel =
		    ct_expectation_of(expectation, &launches[i]);

		if (!(launches[i].event->flags & CT_LAUNCH_TRACED))
			continue;
		if (!kernel) {
			result->unexpected++;
			continue;
		}
		found[kernel - expectation->list]++;
		result->compared++;
		err = check_launch(findings, &launches[i], kernel, tally, i, &result->accesses);
	}
	for (size_t i = 0; i < expectation->count && err == 0; i++)
		check_number(findings, &expectation->list[i], found[i]);
	free(found);
	return err < 0 ? err : findings->err;
}
