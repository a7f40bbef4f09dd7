/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms with bars, and the density map, for a terminal. */
#include "postproc/render/comm/charts.h"
#include "postproc/render/comm/bins.h"
#include "postproc/render/comm/words.h"
#include <stdlib.h>
#include <string.h>

#define ROWS 16
#define BAR_WIDTH 24
#define MAP_WIDTH 64
#define SMALL_MAP_WIDTH 32 /* beside other tables */
#define NUMBERS_MAX 16     /* more bins than that are shaded */

/* Full blocks for a part of the whole; what is not nothing shows. */
static const char *bar(double percent, char buffer[BAR_WIDTH + 1])
{
	int length = (int)(percent / 100 * BAR_WIDTH + 0.5);

	if (length == 0 && percent > 0)
		length = 1;
	memset(buffer, '#', (size_t)length);
	buffer[length] = '\0';
	return buffer;
}

/* "128 B", "1.0 kB to 2.0 kB"; sizes below 10 kB in bytes */
static const char *size_range(const struct ct_bin *bin, char *buffer, size_t bytes)
{
	char first[CT_NUMBER_BYTES], last[CT_NUMBER_BYTES];

	if (bin->first == bin->last)
		snprintf(buffer, bytes, "%s B", ct_number(bin->first, first));
	else
		snprintf(buffer, bytes, "%s to %s B", ct_number(bin->first, first),
			 ct_number(bin->last, last));
	return buffer;
}

static const char *number_range(const struct ct_bin *bin, char *buffer, size_t bytes)
{
	char first[CT_NUMBER_BYTES], last[CT_NUMBER_BYTES];

	if (bin->first == bin->last)
		snprintf(buffer, bytes, "%s", ct_number(bin->first, first));
	else
		snprintf(buffer, bytes, "%s to %s", ct_number(bin->first, first),
			 ct_number(bin->last, last));
	return buffer;
}

static void add_percent(struct ct_table *table, double percent)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f %%", percent);
	ct_table_text(table, text);
}

static int finish(struct ct_table *table, FILE *out, const struct ct_style *style)
{
	int err = ct_table_write(table, out, style);

	ct_table_close(table);
	return err;
}

int ct_comm_write_sizes(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"size", 1, 0, 0}, {"transfers", 1, 0, 0}, {"up to", 1, 0, 0}, {"", 0, 0, 0}};
	const struct ct_comm_histogram *sizes = &output->shown->figures->transfer_size;
	uint64_t total = ct_comm_total(sizes), so_far = 0;
	struct ct_bin bins[CT_BINS_MAX];
	size_t count = ct_comm_bins(sizes, NULL, ROWS, bins);
	char text[128], graph[BAR_WIDTH + 1];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, 4);

	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++) {
		so_far += bins[i].count[0];
		ct_table_text(table, size_range(&bins[i], text, sizeof(text)));
		ct_table_number(table, bins[i].count[0]);
		add_percent(table, ct_comm_percent(so_far, total));
		ct_table_text(table, bar(ct_comm_percent(bins[i].count[0], total), graph));
	}
	return finish(table, out, style);
}

/* Two histograms side by side. */
static int write_two(FILE *out, const struct ct_style *style, const struct ct_column columns[5],
		     const struct ct_comm_histogram *a, const struct ct_comm_histogram *b,
		     const char *(*range)(const struct ct_bin *, char *, size_t))
{
	uint64_t total[2] = {ct_comm_total(a), ct_comm_total(b)};
	struct ct_bin bins[CT_BINS_MAX];
	size_t count = ct_comm_bins(a, b, ROWS, bins);
	char text[128], graph[BAR_WIDTH + 1];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, 5);

	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++) {
		ct_table_text(table, range(&bins[i], text, sizeof(text)));
		for (int side = 0; side < 2; side++) {
			double percent = ct_comm_percent(bins[i].count[side], total[side]);

			ct_table_number(table, bins[i].count[side]);
			ct_table_text(table, bar(percent, graph));
		}
	}
	return finish(table, out, style);
}

int ct_comm_write_degrees(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {{"partners", 1, 0, 0},
						   {"blocks receive", 1, 0, 0},
						   {"", 0, 0, 0},
						   {"blocks send", 1, 0, 0},
						   {"", 0, 0, 0}};

	return write_two(out, style, columns, &output->shown->figures->in_degree,
			 &output->shown->figures->out_degree, number_range);
}

int ct_comm_write_strides(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {{"stride", 1, 0, 0},
						   {"loads", 1, 0, 0},
						   {"", 0, 0, 0},
						   {"stores", 1, 0, 0},
						   {"", 0, 0, 0}};

	return write_two(out, style, columns, &output->shown->figures->load_stride,
			 &output->shown->figures->store_stride, size_range);
}

int ct_comm_write_bisection(FILE *out, const struct ct_comm_output *output,
			    const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"dimension", 0, 0, 0}, {"crossing", 1, 0, 0}, {"of all", 1, 0, 0}, {"", 0, 0, 0}};
	static const char *const axis[] = {"x", "y", "z"};
	char text[CT_NUMBER_BYTES], graph[BAR_WIDTH + 1];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, 4);

	if (err < 0)
		return err;
	for (int d = 0; d < 3; d++) {
		const struct ct_comm_bisection *cut = &output->shown->figures->bisection[d];

		ct_table_text(table, axis[d]);
		ct_table_text(table, ct_size(cut->bytes, text));
		add_percent(table, 100 * cut->relative);
		ct_table_text(table, bar(100 * cut->relative, graph));
	}
	return finish(table, out, style);
}

int ct_comm_write_distance(FILE *out, const struct ct_comm_output *output,
			   const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"in between", 1, 0, 0}, {"transferred", 1, 0, 0}, {"of all", 1, 0, 0}, {"", 0, 0, 0}};
	const struct ct_comm_histogram *distance = &output->shown->figures->distance;
	uint64_t total = ct_comm_total(distance);
	struct ct_bin bins[CT_BINS_MAX];
	size_t count = ct_comm_bins(distance, NULL, ROWS, bins);
	char text[128], graph[BAR_WIDTH + 1];
	struct ct_table *table;
	int err = ct_table_open(&table, columns, 4);

	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++) {
		double percent = ct_comm_percent(bins[i].count[0], total);

		ct_table_text(table, number_range(&bins[i], text, sizeof(text)));
		ct_table_text(table, ct_size(bins[i].count[0], text));
		add_percent(table, percent);
		ct_table_text(table, bar(percent, graph));
	}
	return finish(table, out, style);
}

/* The density map, brought down to what fits a screen. */

struct map {
	uint32_t bins;
	uint64_t ctas_per_bin, first, last;
	uint64_t *transfers; /* reader * bins + writer */
	uint64_t most;
};

static int make_map(struct map *map, const struct ct_comm_density *density, uint32_t most)
{
	uint32_t joined = density->bins ? (density->bins + most - 1) / most : 1;

	map->bins = (density->bins + joined - 1) / joined;
	map->ctas_per_bin = density->ctas_per_bin * joined;
	map->first = density->first_cta;
	map->last = density->last_cta;
	map->most = 0;
	map->transfers = calloc((size_t)map->bins * map->bins + 1, sizeof(*map->transfers));
	if (!map->transfers)
		return -1;
	for (size_t i = 0; i < density->cells; i++) {
		const struct ct_comm_cell *cell = &density->cell[i];
		uint64_t *at = &map->transfers[(size_t)(cell->target / joined) * map->bins +
					       cell->source / joined];

		*at += cell->transfers;
		if (*at > map->most)
			map->most = *at;
	}
	return 0;
}

static int digits(uint64_t number)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

static void write_numbers(FILE *out, const struct map *map)
{
	int cell = digits(map->most), label = digits(map->last);

	if (label > cell)
		cell = label;
	fprintf(out, "%*s", label, "");
	for (uint32_t w = 0; w < map->bins; w++)
		fprintf(out, "  %*llu", cell,
			(unsigned long long)(map->first + w * map->ctas_per_bin));
	for (uint32_t r = 0; r < map->bins; r++) {
		fprintf(out, "\n%*llu", label,
			(unsigned long long)(map->first + r * map->ctas_per_bin));
		for (uint32_t w = 0; w < map->bins; w++) {
			uint64_t transfers = map->transfers[(size_t)r * map->bins + w];

			if (transfers)
				fprintf(out, "  %*llu", cell, (unsigned long long)transfers);
			else
				fprintf(out, "  %*s", cell, ".");
		}
	}
	fputc('\n', out);
}

static void write_shades(FILE *out, const struct map *map)
{
	static const char shade[] = ".:-=+*#%@";
	int label = digits(map->last);
	char number[CT_NUMBER_BYTES];

	for (uint32_t r = 0; r < map->bins; r++) {
		fprintf(out, "%*llu  ", label,
			(unsigned long long)(map->first + r * map->ctas_per_bin));
		for (uint32_t w = 0; w < map->bins; w++) {
			uint64_t transfers = map->transfers[(size_t)r * map->bins + w];
			size_t last = sizeof(shade) - 2;

			fputc(transfers ? shade[(size_t)((double)transfers / (double)map->most *
							     (double)last +
							 0.5)]
					: ' ',
			      out);
		}
		fputc('\n', out);
	}
	fprintf(out, "%s: up to %s transfers", shade, ct_number(map->most, number));
	fprintf(out, "; %s blocks a column and row\n", ct_number(map->ctas_per_bin, number));
}

void ct_comm_write_density(FILE *out, const struct ct_comm_output *output,
			   const struct ct_style *style)
{
	const struct ct_comm_density *density = &output->shown->figures->density;
	struct map map;
	uint32_t most = output->shows_density ? MAP_WIDTH : SMALL_MAP_WIDTH;

	if (style->width >= 24 && style->width - 10 < most)
		most = style->width - 10;
	if (make_map(&map, density, most) < 0)
		return;
	fprintf(out, "from block (across) to block (down), blocks %llu to %llu\n",
		(unsigned long long)map.first, (unsigned long long)map.last);
	if (!map.most)
		fputs("no transfers\n", out);
	else if (map.bins <= NUMBERS_MAX)
		write_numbers(out, &map);
	else
		write_shades(out, &map);
	free(map.transfers);
}
