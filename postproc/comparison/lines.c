/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what each line of a kernel does and takes: accesses, values and samples joined by
 * place. */
#include "postproc/comparison/lines.h"

#include "base/array.h"
#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/access/words.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/analysis/values/findings/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of an analysis, before those of a line are joined. */
struct piece {
	size_t kernel;
	struct ct_place place;
	const char *operation, *object; /* NULL: not one of accesses */
	struct ct_side_figures figures;
};

struct pieces {
	struct piece *list;
	size_t count;
	int err;
};

static void add(double *to, double what)
{
	if (!isnan(what))
		*to = isnan(*to) ? what : *to + what;
}

static void add_figures(struct ct_side_figures *to, const struct ct_side_figures *from)
{
	add(&to->requests, from->requests);
	add(&to->sectors, from->sectors);
	add(&to->ideal_sectors, from->ideal_sectors);
	add(&to->wavefronts, from->wavefronts);
	add(&to->elements, from->elements);
	add(&to->redundant, from->redundant);
	add(&to->seconds, from->seconds);
}

/* NULL: its kernel is not known, or memory is short. */
static struct piece *add_piece(struct pieces *pieces, const struct ct_side *side,
			       const char *kernel, struct ct_place place)
{
	size_t number = ct_side_kernel_of(side, kernel);

	if (pieces->err < 0 || number == SIZE_MAX)
		return NULL;
	pieces->err = ct_array_grow(&pieces->list, pieces->count, sizeof(*pieces->list));
	if (pieces->err < 0)
		return NULL;
	pieces->list[pieces->count] =
	    (struct piece){.kernel = number, .place = place, .figures = CT_SIDE_NOTHING};
	return &pieces->list[pieces->count++];
}

static void add_accesses(struct pieces *pieces, const struct ct_side *side)
{
	const struct ct_access_results *access = side->inquiry->access;

	for (size_t i = 0; access && i < access->rows; i++) {
		const struct ct_access_row *row = &access->row[i];
		const struct ct_unit_site *site = &row->unit->sites[row->site];
		struct piece *piece =
		    add_piece(pieces, side, access->kernels.list[row->kernel].name,
			      ct_place_of(row->unit, site));
		double scale;

		if (!piece)
			continue;
		scale = side->kernel[piece->kernel].scale;
		piece->operation = ct_operation_text(site->operation);
		piece->object = ct_access_group_text(access, row->group);
		if (ct_access_space(access, row->group) == CT_SPACE_GLOBAL) {
			piece->figures.requests = scale * (double)row->figures.requests;
			piece->figures.sectors = scale * (double)row->figures.sectors;
			piece->figures.ideal_sectors = scale * (double)row->figures.ideal;
		} else if (row->figures.wavefronts) {
			piece->figures.wavefronts = scale * (double)row->figures.wavefronts;
		}
	}
}

static void add_values(struct pieces *pieces, const struct ct_side *side)
{
	const struct ct_values_figures *values = side->inquiry->values;
	struct ct_values_lines lines = {.count = 0};

	if (!values || !side->has_values)
		return;
	if (pieces->err == 0)
		pieces->err = ct_values_lines_init(&lines, values);
	for (size_t i = 0; i < lines.count && pieces->err == 0; i++) {
		const struct ct_values_line *line = &lines.list[i];
		struct piece *piece =
		    add_piece(pieces, side, values->kernel[line->kernel].name, line->place);
		double scale;

		if (!piece)
			continue;
		scale = side->kernel[piece->kernel].scale;
		piece->figures.elements = scale * (double)line->counts.elements;
		piece->figures.redundant = scale * (double)ct_values_line_redundant(line);
	}
	ct_values_lines_fini(&lines);
}

static size_t kernel_of_symbol(const struct ct_side *side, const char *symbol)
{
	for (size_t i = 0; i < side->kernels; i++)
		if (!strcmp(side->kernel[i].symbol, symbol))
			return i;
	return SIZE_MAX;
}

/* Counts the samples of each kernel. To be freed; NULL: memory is short. */
static double *count_samples(const struct ct_side *side, const struct ct_weights *weights)
{
	double *samples = calloc(side->kernels + 1, sizeof(*samples));

	for (size_t i = 0; i < weights->count && samples; i++) {
		size_t kernel = kernel_of_symbol(side, weights->list[i].kernel);

		if (kernel != SIZE_MAX)
			samples[kernel] += (double)weights->list[i].weight;
	}
	return samples;
}

/* A line takes of its kernel's time the share that it has of its samples. */
static void add_samples(struct pieces *pieces, const struct ct_side *side)
{
	const struct ct_weights *weights =
	    side->inquiry->samples ? &side->inquiry->samples->weights : NULL;
	double *samples = weights ? count_samples(side, weights) : NULL;

	if (weights && !samples)
		pieces->err = -ENOMEM;
	for (size_t i = 0; samples && i < weights->count; i++) {
		const struct ct_weight *weight = &weights->list[i];
		uint32_t own = ct_place_own(weights->places, weight->place);
		size_t kernel = kernel_of_symbol(side, weight->kernel);
		struct piece *piece;

		if (own == CT_WEIGHT_NONE || !weights->places[own].line || kernel == SIZE_MAX)
			continue;
		piece = add_piece(
		    pieces, side, side->kernel[kernel].name,
		    (struct ct_place){weights->places[own].file, weights->places[own].line, 0});
		if (piece && samples[kernel] > 0)
			piece->figures.seconds = (double)weight->weight / samples[kernel] *
						 side->kernel[kernel].figures.seconds;
	}
	free(samples);
}

static int compare_place(const struct piece *x, const struct piece *y)
{
	int by_file;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	by_file = strcmp(ct_side_base(x->place.file), ct_side_base(y->place.file));
	if (by_file)
		return by_file;
	return x->place.line < y->place.line ? -1 : x->place.line > y->place.line;
}

/* Those of accesses first, by what they do. */
static int compare_piece(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int order = compare_place(x, y);

	if (order)
		return order;
	if (!x->operation || !y->operation)
		return !x->operation - !y->operation;
	order = strcmp(x->operation, y->operation);
	return order ? order : strcmp(x->object, y->object);
}

/* Returns what a line does, from its pieces; each once. NULL: memory is short. */
static char *signature_of(const struct piece *piece, size_t count)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < count && piece[i].operation; i++)
		if (!i || compare_piece(&piece[i - 1], &piece[i]))
			fprintf(out, "%s %s;", piece[i].operation, piece[i].object);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* NULL: memory is short. */
static char *text_of(const struct ct_side *side, const struct ct_place *place)
{
	const struct ct_line_texts *texts = side->texts;
	char line[CT_LINE_BYTES], own[CT_LINE_BYTES];
	const char *text = texts && *place->file && place->line
			       ? texts->text(texts->user, place->file, place->line, line)
			       : NULL;

	return strdup(text ? ct_line_text(text, own, sizeof(own)) : "");
}

/* Pieces come by place. */
static int join(struct ct_side *side, const struct pieces *pieces)
{
	for (size_t i = 0, end; i < pieces->count; i = end) {
		const struct piece *first = &pieces->list[i];
		struct ct_side_line *line = &side->line[side->lines];

		for (end = i; end < pieces->count && !compare_place(first, &pieces->list[end]);)
			end++;
		*line = (struct ct_side_line){
		    .kernel = first->kernel,
		    .file = first->place.file,
		    .base = ct_side_base(first->place.file),
		    .line = first->place.line,
		    .signature = signature_of(first, end - i),
		    .text = text_of(side, &first->place),
		    .figures = CT_SIDE_NOTHING,
		};
		for (size_t k = i; k < end; k++)
			add_figures(&line->figures, &pieces->list[k].figures);
		side->lines++;
		if (!line->signature || !line->text)
			return -ENOMEM;
	}
	return 0;
}

/* A kernel's time is its own. */
static void sum_kernels(struct ct_side *side)
{
	for (size_t i = 0; i < side->lines; i++) {
		struct ct_side_figures figures = side->line[i].figures;

		figures.seconds = NAN;
		add_figures(&side->kernel[side->line[i].kernel].figures, &figures);
	}
}

int ct_side_add_lines(struct ct_side *side)
{
	struct pieces pieces = {.count = 0};
	int err;

	add_accesses(&pieces, side);
	add_values(&pieces, side);
	add_samples(&pieces, side);
	err = pieces.err;
	if (pieces.count)
		qsort(pieces.list, pieces.count, sizeof(*pieces.list), compare_piece);
	side->line = calloc(pieces.count + 1, sizeof(*side->line));
	if (!side->line)
		err = -ENOMEM;
	if (err == 0)
		err = join(side, &pieces);
	if (err == 0)
		sum_kernels(side);
	free(pieces.list);
	return err;
}
