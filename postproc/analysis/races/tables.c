/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of races. */
#include "postproc/analysis/races/tables.h"
#include "postproc/analysis/races/analysis.h"
#include "postproc/facts/operation.h"
#include "postproc/tables/sink.h"

#include <stdio.h>

struct row_races {
	uint64_t number;
	const struct ct_race *race;
	char object[256];
};

struct row_race_totals {
	uint64_t number;
	const struct ct_races_results *results;
};

#define CT_DESCRIBED "postproc/analysis/races/tables.def"
#include "postproc/tables/described.h"

static int rows_races(const void *from, struct ct_table_sink *sink)
{
	const struct ct_races_results *results = from;
	int err = 0;

	for (size_t i = 0; i < results->races && err == 0; i++) {
		const struct ct_race *race = &results->race[i];
		struct row_races row = {.number = i, .race = race};

		if (CT_ADDRESS_SPACE(race->address) == CT_SPACE_SHARED)
			snprintf(row.object, sizeof(row.object), "shared memory");
		else if (race->object && *race->object->name)
			snprintf(row.object, sizeof(row.object), "%s", race->object->name);
		else if (race->object)
			snprintf(row.object, sizeof(row.object), "object %u",
				 race->object->event->object);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_race_totals(const void *from, struct ct_table_sink *sink)
{
	const struct row_race_totals row = {.results = from};

	return ct_table_put_row(sink, &row);
}

static const struct ct_table_link of_launch[] = {{"part, launch", "launches", "part, launch"}, {0}};

const struct ct_table_def ct_races_table = {CT_TABLE_SHOWN(races, of_launch)};
const struct ct_table_def ct_race_totals_table = {CT_TABLE_PARTS(race_totals, NULL)};
