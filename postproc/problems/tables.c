/* SPDX-License-Identifier: Apache-2.0 */
/* Problems as a table, with the findings that each is made of. */
#include "postproc/problems/tables.h"
#include "postproc/problems/verdict.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

struct row_problems {
	uint64_t number;
	const struct ct_problem *problem;
	const struct ct_problem_part *part;
};

struct row_suppressed_problems {
	size_t position;
	const struct ct_identity *identity;
	const struct ct_suppressed *suppressed;
};

struct row_problem_parts {
	size_t position;
	const struct ct_problem_part *part;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/problems/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/problems/tables.def"

static int rows_problems(const void *from, struct ct_table_sink *sink)
{
	const struct ct_problems *problems = from;
	int err = 0;

	for (size_t i = 0; i < problems->count && err == 0; i++) {
		const struct ct_problem *problem = &problems->list[i];
		const struct ct_problem_part *part = &problems->part[problem->first];

		err = ct_table_put_row(sink, &(struct row_problems){i + 1, problem, part});
		for (size_t p = 0; p < problem->parts && err == 0; p++)
			err = ct_table_put_child(sink, 0, &(struct row_problem_parts){p, part + p});
	}
	return err;
}

static int rows_suppressed_problems(const void *from, struct ct_table_sink *sink)
{
	const struct ct_verdict *verdict = from;
	int err = 0;

	for (size_t i = 0; i < verdict->expected.count && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_suppressed_problems){i, &verdict->expected.list[i],
							    &verdict->suppressed[i]});
	return err;
}

const struct ct_table_def ct_suppressed_problems_table = {
    CT_TABLE_PARTS(suppressed_problems, NULL)};

/* Its rows come with those of its table. */
#define rows_problem_parts NULL

static const struct ct_table_def parts = {CT_TABLE_PARTS(problem_parts, NULL)};
static const struct ct_table_child of_problem[] = {{"parts", &parts}, {NULL, NULL}};

const struct ct_table_def ct_problems_table = {CT_TABLE_PARTS(problems, NULL), .child = of_problem};
