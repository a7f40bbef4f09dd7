/* SPDX-License-Identifier: Apache-2.0 */
/* What to change where warps wait, and what that is worth. */
#include "postproc/facts/source_name.h"
#include "postproc/render/blame/blame.h"
#include "postproc/tables/amount.h"

#include <math.h>
#include <stdlib.h>

#define FIX_MIN 1.05 /* times as fast: what to do is said of */

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* "uncoalesced, 88 % of the sectors too many" */
static const char *because(const struct ct_advice *advice, char *text, size_t bytes)
{
	double share = percent(advice->saved, advice->matched);

	if (advice->cause == CT_CAUSE_LANES || advice->cause == CT_CAUSE_WARPS)
		snprintf(text, bytes, "%s, %.0f %% of the lanes are off", ct_advice_cause(advice),
			 share);
	else if (advice->cause < CT_CAUSE_KINDS)
		snprintf(text, bytes, "%s, %.0f %% of the %s too many", ct_advice_cause(advice),
			 share, ct_cause_unit(advice->cause));
	else
		snprintf(text, bytes, "%s", "");
	return text;
}

static void put_times(struct ct_table *table, double times)
{
	char text[64] = "";

	if (isfinite(times))
		snprintf(text, sizeof(text), "%.2f", times);
	ct_table_text(table, text);
}

static void put_row(struct ct_table *table, const struct ct_blame_output *output,
		    const struct ct_advice *advice)
{
	char place[1024], share[CT_AMOUNT_BYTES], reason[CT_REASON_BYTES], text[128];
	struct ct_amount amount = {percent(advice->matched, (double)advice->kernel->sum.samples),
				   "%"};

	snprintf(place, sizeof(place), "%s:%u", advice->file, advice->line);
	ct_table_text(table, place);
	ct_table_text(table, advice->variable ? advice->variable->name : "");
	if (output->has_causes)
		ct_table_text(table, advice->object ? advice->object : "");
	ct_table_name(table, advice->kernel->name);
	ct_table_text(table, ct_amount_text(&amount, share));
	ct_table_text(table, advice->reason ? ct_samples_reason_text(advice->reason, reason)
					    : "any reason");
	if (output->has_causes)
		ct_table_text(table, because(advice, text, sizeof(text)));
	put_times(table, ct_advice_gain(advice));
	if (output->has_causes)
		put_times(table, ct_advice_least_gain(advice));
	put_times(table, ct_advice_run_gain(output->advices, advice));
}

static void write_fixes(FILE *out, const struct ct_advices *advices, size_t rows, bool has_causes)
{
	fputs("gain at most: how many times as fast the kernel is, or all of them are, without "
	      "these samples, T / (T - M)\n",
	      out);
	if (has_causes)
		fputs("if cached: sectors that caches can serve are no gain\n", out);
	for (size_t i = 0; i < advices->count && i < rows; i++) {
		const struct ct_advice *advice = &advices->list[i];

		if (ct_advice_gain(advice) >= FIX_MIN)
			fprintf(
			    out, "%s%s%s:%u: %s\n", advice->variable ? advice->variable->name : "",
			    advice->variable ? ", " : "", advice->file, advice->line, advice->fix);
	}
}

int ct_blame_write_advices(FILE *out, const struct ct_blame_output *output,
			   const struct ct_style *style)
{
	static const struct ct_column with[] = {
	    {"line", 0, 12, 0},   {"variable", 0, 8, 1},     {"object", 0, 8, 1},
	    {"kernel", 0, 12, 1}, {"waits", 1, 0, 0},        {"for", 0, 0, 0},
	    {"because", 0, 0, 0}, {"gain at most", 1, 0, 0}, {"if cached", 1, 0, 0},
	    {"of all", 1, 0, 0},
	};
	static const struct ct_column without[] = {
	    {"line", 0, 12, 0}, {"variable", 0, 8, 1},     {"kernel", 0, 12, 1}, {"waits", 1, 0, 0},
	    {"for", 0, 0, 0},   {"gain at most", 1, 0, 0}, {"of all", 1, 0, 0},
	};
	const struct ct_advices *advices = output->advices;
	struct ct_table *table = NULL;
	int err;

	if (!advices->count)
		return 0;
	err = ct_table_begin(&table, out, "What to change", output->has_causes ? with : without,
			     output->has_causes ? sizeof(with) / sizeof(*with)
						: sizeof(without) / sizeof(*without),
			     style);
	for (size_t i = 0; table && i < advices->count && i < output->rows; i++)
		put_row(table, output, &advices->list[i]);
	if (table)
		err = ct_table_finish(table, out, style, advices->count, output->rows);
	if (err == 0)
		write_fixes(out, advices, output->rows, output->has_causes);
	return err;
}

static void put_or_null(struct ct_json *json, const char *key, const char *text)
{
	if (text)
		ct_json_put_text(json, key, text);
	else
		ct_json_put_null(json, key);
}

static void put_gain(struct ct_json *json, const char *key, double times)
{
	if (isfinite(times))
		ct_json_put_real(json, key, times, 9);
	else
		ct_json_put_null(json, key);
}

static void put_advice(struct ct_json *json, const struct ct_advices *advices,
		       const struct ct_advice *advice)
{
	const struct ct_blame_variable *variable = advice->variable;
	char *function = variable ? ct_source_name(variable->function) : NULL;

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "kernel", advice->kernel->name);
	put_or_null(json, "variable", variable ? variable->name : NULL);
	put_or_null(json, "function", function);
	put_or_null(json, "object", advice->object);
	ct_json_put_text(json, "file", advice->file);
	ct_json_put_number(json, "line", advice->line);
	put_or_null(json, "reason", advice->reason);
	ct_json_put_real(json, "waits", percent(advice->matched, advices->total), 9);
	ct_json_put_real(json, "kernel_waits",
			 percent(advice->matched, (double)advice->kernel->sum.samples), 9);
	put_or_null(json, "cause", *ct_advice_cause(advice) ? ct_advice_cause(advice) : NULL);
	ct_json_put_real(json, "saved", percent(advice->saved, advice->matched), 9);
	put_gain(json, "gain_at_most", ct_advice_run_gain(advices, advice));
	put_gain(json, "kernel_gain_at_most", ct_advice_gain(advice));
	put_gain(json, "kernel_gain_at_least", ct_advice_least_gain(advice));
	ct_json_put_text(json, "method", ct_advice_method(advice));
	ct_json_put_text(json, "fix", advice->fix);
	ct_json_close(json);
	free(function);
}

void ct_blame_put_advices(struct ct_json *json, const struct ct_advices *advices)
{
	ct_json_open_array(json, "advice", CT_JSON_LINES);
	for (size_t i = 0; i < advices->count; i++)
		put_advice(json, advices, &advices->list[i]);
	ct_json_close(json);
}
