/* SPDX-License-Identifier: Apache-2.0 */
/* What samples tell beside their number: what warps wait for, by variable. */
#include "base/quantity.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/blame/blame.h"
#include "postproc/tables/amount.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WAITS_MIN 0.01 /* of all samples: waits that are shown */

/* A variable that is waited for. */
struct waited {
	const struct ct_blame_variable *variable;
	const struct ct_blame_wait *most; /* the line and the reason of most of it */
};

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static const struct ct_blame_wait *first_wait(const struct ct_blame *blame, uint32_t variable)
{
	size_t low = 0, high = blame->waits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (blame->wait[middle].variable < variable)
			low = middle + 1;
		else
			high = middle;
	}
	return low < blame->waits && blame->wait[low].variable == variable ? &blame->wait[low]
									   : NULL;
}

static int by_waits(const void *a, const void *b)
{
	const struct waited *x = a, *y = b;
	int order;

	if (x->variable->waits != y->variable->waits)
		return x->variable->waits > y->variable->waits ? -1 : 1;
	order = strcmp(x->variable->name, y->variable->name);
	return order ? order : strcmp(x->variable->function, y->variable->function);
}

/* Those that are waited for most first; what is part of another one is left out. Freed by the
 * caller; NULL: no memory. */
static struct waited *sort_waited(const struct ct_blame *blame, size_t *count)
{
	struct waited *waited = malloc((blame->variables + 1) * sizeof(*waited));

	*count = 0;
	for (uint32_t v = 0; waited && v < blame->variables; v++) {
		const struct ct_blame_variable *of = &blame->variable[v];

		if (of->parent == CT_NONE && of->waits > 0 && of->waits >= WAITS_MIN * blame->total)
			waited[(*count)++] = (struct waited){of, first_wait(blame, v)};
	}
	if (*count)
		qsort(waited, *count, sizeof(*waited), by_waits);
	return waited;
}

void ct_blame_write_sampling(FILE *out, const struct ct_blame_output *output)
{
	const struct ct_sampled_facts *facts = output->sampled;
	char buffers[2][CT_NUMBER_BYTES];

	fprintf(out,
		"Weights are samples of where warps were: %s, one every %s cycles of an SM%s\n",
		ct_number(output->blame->samples->total, buffers[0]),
		ct_number(facts->period_min, buffers[1]),
		facts->period_max != facts->period_min ? " or more" : "");
}

static void put_row(struct ct_table *table, const struct ct_blame *blame, const struct waited *of)
{
	char *context = ct_source_name(of->variable->function);
	char place[1024] = "", share[CT_AMOUNT_BYTES], reason[CT_REASON_BYTES];
	struct ct_amount amount = {percent(of->variable->waits, blame->total), "%"};

	if (of->most->line)
		snprintf(place, sizeof(place), "%s:%u", of->most->file, of->most->line);
	ct_table_text(table, of->variable->name);
	ct_table_name(table, context ? context : of->variable->function);
	ct_table_text(table, ct_amount_text(&amount, share));
	ct_table_text(table, place);
	ct_table_text(table,
		      ct_samples_reason_text(blame->samples->reasons[of->most->reason], reason));
	free(context);
}

int ct_blame_write_waits(FILE *out, const struct ct_blame_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"variable", 0, 8, 1}, {"context", 0, 12, 1},    {"waits", 1, 0, 0},
	    {"most at", 0, 12, 0}, {"waiting for", 0, 0, 0},
	};
	const struct ct_blame *blame = output->blame;
	struct ct_table *table = NULL;
	size_t count;
	struct waited *waited = sort_waited(blame, &count);
	int err = waited ? 0 : -ENOMEM;

	if (err == 0 && count)
		err = ct_table_begin(&table, out, "Waits for what is read", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; table && i < count && i < output->rows; i++)
		put_row(table, blame, &waited[i]);
	if (table)
		err = ct_table_finish(table, out, style, count, output->rows);
	free(waited);
	return err;
}

int ct_blame_put_sampling(struct ct_json *json, const struct ct_blame_output *output)
{
	const struct ct_sampled_facts *facts = output->sampled;
	const struct ct_blame *blame = output->blame;

	if (!facts) {
		ct_json_put_null(json, "sampling");
		ct_json_open_array(json, "advice", CT_JSON_LINES);
		ct_json_close(json);
		return 0;
	}
	ct_json_open_object(json, "sampling", CT_JSON_LINES);
	ct_json_put_number(json, "least_period_cycles", facts->period_min);
	ct_json_put_number(json, "most_period_cycles", facts->period_max);
	ct_json_put_bool(json, "is_concurrent", facts->is_concurrent);
	ct_json_put_number(json, "dropped", facts->dropped);
	ct_json_put_number(json, "without_line", blame->samples->unplaced);
	ct_json_close(json);
	ct_blame_put_advices(json, output->advices);
	return 0;
}

void ct_blame_put_waits(struct ct_json *json, const struct ct_blame *blame, uint32_t variable)
{
	const struct ct_weights *samples = blame->samples;
	const double *of = &blame->by_reason[variable * samples->reason_count];
	const struct ct_blame_wait *wait = first_wait(blame, variable);

	ct_json_put_real(json, "waits", percent(blame->variable[variable].waits, blame->total), 9);
	ct_json_open_array(json, "reasons", CT_JSON_INLINE);
	for (size_t r = 0; r < samples->reason_count; r++)
		if (of[r] > 0) {
			ct_json_open_object(json, NULL, CT_JSON_INLINE);
			ct_json_put_text(json, "reason", samples->reasons[r]);
			ct_json_put_real(json, "share", percent(of[r], blame->total), 9);
			ct_json_close(json);
		}
	ct_json_close(json);
	ct_json_open_array(json, "lines", CT_JSON_LINES);
	for (; wait && wait < blame->wait + blame->waits && wait->variable == variable; wait++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "file", wait->file);
		ct_json_put_number(json, "line", wait->line);
		ct_json_put_text(json, "reason", samples->reasons[wait->reason]);
		ct_json_put_real(json, "waits", percent(wait->weight, blame->total), 9);
		ct_json_close(json);
	}
	ct_json_close(json);
}
