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

static int compare_line(struct ct_findings *findings, const struct ct_launch_info *launch,
			const struct ct_tally_line *want, const struct ct_tally_line *got)
{
	static const struct ct_tally_figures nothing;
	const struct ct_tally_figures *figures = got ? &got->figures : &nothing;
	const char *operation = ct_operation_text(want->operation);

	if (figures->count != want->figures.count)
		return ct_findings_add(findings, launch,
				       "line %u, %s: %" PRIu64 " accesses instead of %" PRIu64,
				       want->line, operation, figures->count, want->figures.count);
	if (figures->sum != want->figures.sum)
		return ct_findings_add(findings, launch,
				       "line %u, %s: the addresses sum up to 0x%" PRIx64
				       " instead of 0x%" PRIx64,
				       want->line, operation, figures->sum, want->figures.sum);
	if (figures->squares != want->figures.squares)
		return ct_findings_add(
		    findings, launch,
		    "line %u, %s: the squares of the addresses sum up to 0x%" PRIx64
		    " instead of 0x%" PRIx64,
		    want->line, operation, figures->squares, want->figures.squares);
	return 0;
}

static int compare_lines(struct ct_findings *findings, const struct ct_launch_info *launch,
			 const struct ct_expected_kernel *kernel, const struct ct_tally_line *lines,
			 size_t count, uint64_t *accesses)
{
	int err = 0;

	for (size_t i = 0; i < kernel->line_count && err == 0; i++)
		err = compare_line(findings, launch, &kernel->lines[i],
				   find(lines, count, &kernel->lines[i]));
	for (size_t i = 0; i < count && err == 0; i++) {
		*accesses += lines[i].figures.count;
		if (!find(kernel->lines, kernel->line_count, &lines[i]))
			err = ct_findings_add(findings, launch,
					      "line %u, %s: %" PRIu64
					      " accesses that are not expected",
					      lines[i].line, ct_operation_text(lines[i].operation),
					      lines[i].figures.count);
	}
	return err;
}

static int check_launch(struct ct_findings *findings, const struct ct_launch_info *launch,
			const struct ct_expected_kernel *kernel, const struct ct_tally *tally,
			size_t index, uint64_t *accesses)
{
	uint64_t order = ct_tally_launch(tally, index)->order;
	struct ct_tally_line *lines;
	size_t count;
	int err;

	if (launch->event->block_period > 1 || launch->event->tier != CT_TIER_FULL)
		return ct_findings_add(findings, launch,
				       "is recorded in part, so that nothing can be compared");
	err = ct_tally_lines(tally, index, &lines, &count);
	if (err == 0)
		err = compare_lines(findings, launch, kernel, lines, count, accesses);
	free(lines);
	if (err == 0 && kernel->by && order != kernel->order)
		err = ct_findings_add(findings, launch,
				      "the order of accesses within %s is another (hash 0x%" PRIx64
				      " instead of 0x%" PRIx64 ")",
				      kernel->by == CT_TALLY_BY_WARP ? "warps" : "lanes", order,
				      kernel->order);
	return err;
}

static int check_number(struct ct_findings *findings, const struct ct_expected_kernel *kernel,
			uint64_t found)
{
	if (kernel->launch && !found)
		return ct_findings_add(findings, NULL, "%s: launch %" PRIu64 " is not there",
				       kernel->kernel, kernel->launch);
	if (kernel->launches && found != kernel->launches)
		return ct_findings_add(findings, NULL,
				       "%s: %" PRIu64 " traced launches instead of %" PRIu64,
				       kernel->kernel, found, kernel->launches);
	return 0;
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
		err = check_number(findings, &expectation->list[i], found[i]);
	free(found);
	return err;
}
