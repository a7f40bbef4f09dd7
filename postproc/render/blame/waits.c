/* SPDX-License-Identifier: Apache-2.0 */
/* What samples tell beside their number: what warps wait for, by variable, and what that is worth.
 */
#include "base/quantity.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/base/amount.h"
#include "postproc/render/blame/blame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ADVICE_MIN 0.01 /* of all samples: waits that something is said of */
#define FIX_MIN 0.1     /* and what to do about them */

/* A variable that is waited for. */
struct waited {
	const struct ct_blame_variable *variable;
	const struct ct_blame_wait *most; /* the line and the reason of most of it */
};

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* How many times as fast without these samples: stall elimination, T / (T - M) (GPA). */
static double gain(const struct ct_blame *blame, double waits)
{
	return waits < blame->total ? blame->total / (blame->total - waits) : INFINITY;
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

		if (of->parent == CT_NONE && of->waits > 0 &&
		    of->waits >= ADVICE_MIN * blame->total)
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
	char place[1024] = "", times[64] = "", share[CT_AMOUNT_BYTES], reason[CT_REASON_BYTES];
	struct ct_amount amount = {percent(of->variable->waits, blame->total), "%"};

	if (of->most->line)
		snprintf(place, sizeof(place), "%s:%u", of->most->file, of->most->line);
	if (isfinite(gain(blame, of->variable->waits)))
		snprintf(times, sizeof(times), "%.2f", gain(blame, of->variable->waits));
	ct_table_text(table, of->variable->name);
	ct_table_name(table, context ? context : of->variable->function);
	ct_table_text(table, ct_amount_text(&amount, share));
	ct_table_text(table, place);
	ct_table_text(table,
		      ct_samples_reason_text(blame->samples->reasons[of->most->reason], reason));
	ct_table_text(table, times);
	free(context);
}

static void write_fixes(FILE *out, const struct ct_blame *blame, const struct waited *waited,
			size_t count)
{
	fputs("gain at most: how many times as fast without these samples, T / (T - M)\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct ct_blame_wait *most = waited[i].most;
		const char *fix = ct_samples_fix(blame->samples->reasons[most->reason]);

		if (fix && waited[i].variable->waits >= FIX_MIN * blame->total)
			fprintf(out, "%s, %s:%u: %s\n", waited[i].variable->name, most->file,
				most->line, fix);
	}
}

int ct_blame_write_waits(FILE *out, const struct ct_blame_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"variable", 0, 8, 1}, {"context", 0, 12, 1},    {"waits", 1, 0, 0},
	    {"most at", 0, 12, 0}, {"waiting for", 0, 0, 0}, {"gain at most", 1, 0, 0},
	};
	const struct ct_blame *blame = output->blame;
	struct ct_table *table = NULL;
	size_t count, shown;
	struct waited *waited = sort_waited(blame, &count);
	int err = waited ? 0 : -ENOMEM;

	shown = count < output->rows ? count : output->rows;
	if (err == 0 && count)
		err = ct_table_begin(&table, out, "Waits for what is read", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; table && i < shown; i++)
		put_row(table, blame, &waited[i]);
	if (table)
		err = ct_table_finish(table, out, style, count, output->rows);
	if (table && err == 0)
		write_fixes(out, blame, waited, shown);
	free(waited);
	return err;
}

static void put_advice(struct ct_json *json, const struct ct_blame *blame, const struct waited *of)
{
	const char *reason = blame->samples->reasons[of->most->reason];
	const char *fix = ct_samples_fix(reason);
	double times = gain(blame, of->variable->waits);
	char *function = ct_source_name(of->variable->function);

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "variable", of->variable->name);
	ct_json_put_text(json, "function", function ? function : of->variable->function);
	ct_json_put_text(json, "file", of->most->file);
	ct_json_put_number(json, "line", of->most->line);
	ct_json_put_text(json, "reason", reason);
	ct_json_put_real(json, "waits", percent(of->variable->waits, blame->total), 9);
	if (isfinite(times))
		ct_json_put_real(json, "gain_at_most", times, 9);
	else
		ct_json_put_null(json, "gain_at_most");
	ct_json_put_text(json, "method", "elimination");
	if (fix)
		ct_json_put_text(json, "fix", fix);
	else
		ct_json_put_null(json, "fix");
	ct_json_close(json);
	free(function);
}

int ct_blame_put_sampling(struct ct_json *json, const struct ct_blame_output *output)
{
	const struct ct_sampled_facts *facts = output->sampled;
	const struct ct_blame *blame = output->blame;
	size_t count = 0;
	struct waited *waited;

	if (!facts) {
		ct_json_put_null(json, "sampling");
		ct_json_open_array(json, "advice", CT_JSON_LINES);
		ct_json_close(json);
		return 0;
	}
	waited = sort_waited(blame, &count);
	ct_json_open_object(json, "sampling", CT_JSON_LINES);
	ct_json_put_number(json, "least_period_cycles", facts->period_min);
	ct_json_put_number(json, "most_period_cycles", facts->period_max);
	ct_json_put_bool(json, "is_concurrent", facts->is_concurrent);
	ct_json_put_number(json, "dropped", facts->dropped);
	ct_json_put_number(json, "without_line", blame->samples->unplaced);
	ct_json_close(json);
	ct_json_open_array(json, "advice", CT_JSON_LINES);
	for (size_t i = 0; waited && i < count; i++)
		put_advice(json, blame, &waited[i]);
	ct_json_close(json);
	free(waited);
	return waited ? 0 : -ENOMEM;
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
