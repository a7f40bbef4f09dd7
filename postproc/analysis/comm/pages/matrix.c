/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What many readers have of many different sets of writers, as of a histogram whose bins all CTAs
 * add to: the bytes from a writer to a reader are those of the sets that have both. Sets of the
 * same bytes are bits of words, a row of them for each writer and each reader, and a pair of rows
 * has as many sets as bits are in both.
 */
#include "postproc/analysis/comm/pages/page.h"
#include <stdlib.h>

#define CTAS_MAX (1u << 20)  /* of a grid */
#define WORDS_MAX (1u << 24) /* of all rows */
#define BITS 64u

/* Readers of the same writers and bytes. */
struct column {
	uint32_t writers, bytes;
	size_t first, count; /* in wide */
};

/* Rows of one side, those of ascending CTAs after each other. */
struct side {
	uint32_t *row_of; /* by CTA: 1 + its row; 0: it has none */
	uint32_t *cta;    /* by row */
	uint64_t *word;   /* row * words */
	uint32_t rows;
};

struct matrix {
	const struct ct_wide_read *wide;
	struct column *column;
	uint32_t columns, words;
	uint32_t *bytes; /* by word: of the sets that are its bits */
	struct side writers, readers;
};

size_t ct_wide_end(const struct ct_wide_read *wide, size_t count)
{
	size_t end = 1;

	while (end < count && wide[end].superstep == wide->superstep &&
	       wide[end].writers == wide->writers && wide[end].bytes == wide->bytes)
		end++;
	return end;
}

static int compare_column(const void *a, const void *b)
{
	const struct column *x = a, *y = b;

	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static bool list_columns(struct matrix *matrix, size_t count)
{
	matrix->column = malloc((count + 1) * sizeof(*matrix->column));
	if (!matrix->column)
		return false;
	for (size_t i = 0, readers; i < count; i += readers) {
		readers = ct_wide_end(&matrix->wide[i], count - i);
		matrix->column[matrix->columns++] =
		    (struct column){matrix->wide[i].writers, matrix->wide[i].bytes, i, readers};
	}
	qsort(matrix->column, matrix->columns, sizeof(*matrix->column), compare_column);
	return true;
}

/* The word and bit of each column in turn: others of its bytes are in its word, if there is room.
 */
struct bit {
	uint32_t word, bit;
};

static void next_bit(const struct matrix *matrix, uint32_t column, struct bit *at)
{
	bool is_new = !column || matrix->column[column].bytes != matrix->column[column - 1].bytes;

	if (!column) {
		*at = (struct bit){0, 0};
	} else if (is_new || at->bit + 1 == BITS) {
		*at = (struct bit){at->word + 1, 0};
	} else {
		at->bit++;
	}
}

static bool list_words(struct matrix *matrix)
{
	struct bit at;

	matrix->bytes = malloc((matrix->columns + 1) * sizeof(*matrix->bytes));
	for (uint32_t c = 0; matrix->bytes && c < matrix->columns; c++) {
		next_bit(matrix, c, &at);
		matrix->bytes[at.word] = matrix->column[c].bytes;
		matrix->words = at.word + 1;
	}
	return matrix->bytes != NULL;
}

/* Those that are marked in row_of get their rows. */
static bool open_rows(struct side *side, uint32_t ctas)
{
	side->cta = malloc((ctas + 1) * sizeof(*side->cta));
	for (uint32_t cta = 0; side->cta && cta < ctas; cta++)
		if (side->row_of[cta]) {
			side->cta[side->rows++] = cta;
			side->row_of[cta] = side->rows;
		}
	return side->cta != NULL;
}

/* Who writes and reads; what pairs would cost one by one, in *pairs. */
static bool list_rows(struct matrix *matrix, struct ct_pages *pages, uint64_t *pairs)
{
	uint32_t ctas = (uint32_t)pages->engine->ctas;

	matrix->writers.row_of = calloc(ctas + 1, sizeof(uint32_t));
	matrix->readers.row_of = calloc(ctas + 1, sizeof(uint32_t));
	if (!matrix->writers.row_of || !matrix->readers.row_of)
		return false;
	*pairs = 0;
	for (uint32_t c = 0; c < matrix->columns; c++) {
		const struct column *column = &matrix->column[c];
		uint32_t count;
		const uint32_t *cta = ct_writers_ctas(pages, column->writers, &count);

		/* They ascend. */
		if (count && cta[count - 1] >= ctas)
			return false;
		for (uint32_t w = 0; w < count; w++)
			matrix->writers.row_of[cta[w]] = 1;
		for (size_t i = 0; i < column->count; i++)
			matrix->readers.row_of[matrix->wide[column->first + i].cta] = 1;
		*pairs += (uint64_t)count * column->count;
	}
	return open_rows(&matrix->writers, ctas) && open_rows(&matrix->readers, ctas);
}

static void set_bit(const struct matrix *matrix, struct side *side, uint32_t cta, struct bit at)
{
	uint64_t row = side->row_of[cta] - 1;

	side->word[row * matrix->words + at.word] |= (uint64_t)1 << at.bit;
}

static bool fill_rows(struct matrix *matrix, struct ct_pages *pages)
{
	struct side *writers = &matrix->writers, *readers = &matrix->readers;
	struct bit at;

	writers->word = calloc((size_t)writers->rows * matrix->words + 1, sizeof(uint64_t));
	readers->word = calloc((size_t)readers->rows * matrix->words + 1, sizeof(uint64_t));
	for (uint32_t c = 0; writers->word && readers->word && c < matrix->columns; c++) {
		const struct column *column = &matrix->column[c];
		uint32_t count;
		const uint32_t *cta = ct_writers_ctas(pages, column->writers, &count);

		next_bit(matrix, c, &at);
		for (uint32_t w = 0; w < count; w++)
			set_bit(matrix, writers, cta[w], at);
		for (size_t i = 0; i < column->count; i++)
			set_bit(matrix, readers, matrix->wide[column->first + i].cta, at);
	}
	return writers->word && readers->word;
}

static void emit_all(const struct matrix *matrix, struct ct_pages *pages)
{
	for (uint32_t r = 0; r < matrix->readers.rows; r++) {
		const uint64_t *reader = &matrix->readers.word[(size_t)r * matrix->words];

		for (uint32_t w = 0; w < matrix->writers.rows; w++) {
			const uint64_t *writer = &matrix->writers.word[(size_t)w * matrix->words];
			uint64_t bytes = 0;

			for (uint32_t i = 0; i < matrix->words; i++)
				bytes += (uint64_t)matrix->bytes[i] *
					 (unsigned)__builtin_popcountll(reader[i] & writer[i]);
			if (bytes)
				ct_page_emit_transfer(pages, matrix->wide->superstep,
						      matrix->writers.cta[w],
						      matrix->readers.cta[r], bytes);
		}
	}
}

static void close_side(struct side *side)
{
	free(side->row_of);
	free(side->cta);
	free(side->word);
}

bool ct_page_emit_matrix(struct ct_pages *pages, const struct ct_wide_read *wide, size_t count)
{
	struct matrix matrix = {.wide = wide};
	uint64_t pairs = 0, rows;
	bool is_done = pages->engine->ctas <= CTAS_MAX && list_columns(&matrix, count) &&
		       list_words(&matrix) && list_rows(&matrix, pages, &pairs);

	rows = (uint64_t)matrix.writers.rows + matrix.readers.rows;
	is_done = is_done && rows * matrix.words <= WORDS_MAX &&
		  (uint64_t)matrix.writers.rows * matrix.readers.rows * matrix.words <= pairs &&
		  fill_rows(&matrix, pages);
	if (is_done)
		emit_all(&matrix, pages);
	close_side(&matrix.writers);
	close_side(&matrix.readers);
	free(matrix.bytes);
	free(matrix.column);
	return is_done;
}
