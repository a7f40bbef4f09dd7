/* SPDX-License-Identifier: Apache-2.0 */
/* Bars, bins, curves, lines and maps of a comparison. */
#include "postproc/render/compare/panel.h"
#include "base/quantity.h"

#include <math.h>
#include <string.h>

#define WIDTH 320.0
#define HEIGHT 190.0
#define LEFT 58.0
#define TOP 8.0
#define BOTTOM 24.0
#define RIGHT 8.0
#define LINE_POINTS 600u /* of a line; more are joined to their mean */
#define LABELS_MAX 7u    /* below a panel of bins */
#define ACROSS (WIDTH - LEFT - RIGHT)
#define DOWN (HEIGHT - TOP - BOTTOM)

static const char *const colour[CT_COMPARE_SERIES] = {"var(--k0)", "var(--k1)", "var(--k2)",
						      "var(--k4)"};

struct ct_compare_frame ct_compare_frame_of(const struct ct_compare *compare,
					    enum ct_compare_name name)
{
	struct ct_compare_frame frame = {0};

	for (size_t t = 0; t < compare->count; t++)
		for (unsigned s = 0; s < CT_COMPARE_SERIES; s++) {
			const struct ct_compare_series *of = &compare->trace[t].series[name][s];

			for (size_t i = 0; i < of->count; i++) {
				frame.x_max =
				    of->point[i].x > frame.x_max ? of->point[i].x : frame.x_max;
				frame.x_max =
				    of->point[i].y > frame.x_max ? of->point[i].y : frame.x_max;
				frame.value_max = fmax(frame.value_max, of->point[i].value);
			}
		}
	if (ct_compare_figure[name].value == CT_COMPARE_SHARE)
		frame.value_max = 1;
	return frame;
}

static void text_of(enum ct_compare_unit unit, double value, char *text, size_t bytes)
{
	char buffer[CT_NUMBER_BYTES];

	if (unit == CT_COMPARE_SHARE)
		snprintf(text, bytes, "%.3g %%", 100 * value);
	else if (unit == CT_COMPARE_BYTES)
		snprintf(text, bytes, "%s", ct_size((uint64_t)value, buffer));
	else
		snprintf(text, bytes, "%.3g", value);
}

static void label(FILE *out, double x, double y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
		text);
}

/* Shares begin at 0; bytes and partners of different traces differ by orders of magnitude. */
static bool is_log(const struct ct_compare_figure *figure)
{
	return figure->value == CT_COMPARE_BYTES || figure->kind == CT_COMPARE_LINE;
}

static double y_of(const struct ct_compare_figure *figure, struct ct_compare_frame frame,
		   double value)
{
	double share = 0;

	if (value > 0 && is_log(figure))
		share = log2(1 + value) / log2(1 + frame.value_max);
	else if (value > 0)
		share = value / frame.value_max;
	return TOP + DOWN * (1 - share);
}

/* Sizes lie on a logarithmic axis, supersteps on a linear one. */
static double x_of(const struct ct_compare_figure *figure, struct ct_compare_frame frame,
		   uint64_t x)
{
	double share = 0;

	if (frame.x_max && figure->kind == CT_COMPARE_CURVE)
		share = log2(1 + (double)x) / log2(1 + (double)frame.x_max);
	else if (frame.x_max)
		share = (double)x / (double)frame.x_max;
	return LEFT + ACROSS * share;
}

static uint64_t last_of(const struct ct_compare_series *series)
{
	return series->count ? series->point[series->count - 1].x : 0;
}

static void put_axes(FILE *out, const struct ct_compare_figure *figure,
		     struct ct_compare_frame frame)
{
	char text[64];

	for (int i = 0; i <= 4; i++) {
		double value = frame.value_max * i / 4, y;

		if (is_log(figure))
			value = exp2(log2(1 + frame.value_max) * i / 4) - 1;
		y = y_of(figure, frame, value);
		fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
			WIDTH - RIGHT, y, y);
		text_of(figure->value, value, text, sizeof(text));
		label(out, LEFT - 4, y + 4, "end", text);
	}
}

static void put_x_axis(FILE *out, const struct ct_compare_figure *figure,
		       struct ct_compare_frame frame)
{
	char text[64];

	for (int i = 0; i <= 3; i++) {
		double x = (double)frame.x_max * i / 3;

		if (figure->kind == CT_COMPARE_CURVE)
			x = exp2(log2(1 + (double)frame.x_max) * i / 3) - 1;
		text_of(figure->x, round(x), text, sizeof(text));
		label(out, LEFT + ACROSS * i / 3, HEIGHT - 6,
		      i == 0   ? "start"
		      : i == 3 ? "end"
			       : "middle",
		      text);
	}
}

/* A bar that says its value when it is pointed at. */
static void put_bar(FILE *out, const struct ct_compare_figure *figure,
		    struct ct_compare_frame frame, double x, double width, double value, unsigned s)
{
	double y = y_of(figure, frame, value);
	char text[64];

	text_of(figure->value, value, text, sizeof(text));
	fprintf(out,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"><title>%s: "
		"%s</title></rect>",
		x, y, width, TOP + DOWN - y, colour[s], figure->series[s], text);
}

static unsigned series_of(const struct ct_compare_figure *figure)
{
	unsigned count = 0;

	while (count < CT_COMPARE_SERIES && figure->series[count])
		count++;
	return count;
}

static void put_bars(FILE *out, const struct ct_compare_figure *figure,
		     const struct ct_compare_series *series, struct ct_compare_frame frame)
{
	unsigned count = series_of(figure);
	double step = ACROSS / count;
	char text[64];

	for (unsigned s = 0; s < count; s++) {
		double value = series[s].count ? series[s].point[0].value : 0;

		put_bar(out, figure, frame, LEFT + s * step + step / 4, step / 2, value, s);
		text_of(figure->value, value, text, sizeof(text));
		label(out, LEFT + s * step + step / 2, HEIGHT - 6, "middle", text);
	}
}

/* 0, 1, 2, 3-4, 5-8, ... as 0, 1, 2, 3, 4, ... */
static unsigned bin_of(uint64_t last)
{
	return last < 2 ? (unsigned)last : (unsigned)(65 - __builtin_clzll(last - 1));
}

static void put_bins(FILE *out, const struct ct_compare_figure *figure,
		     const struct ct_compare_series *series, struct ct_compare_frame frame)
{
	unsigned count = series_of(figure), bins = bin_of(frame.x_max) + 1;
	unsigned every = (bins + LABELS_MAX - 1) / LABELS_MAX;
	double step = ACROSS / bins, width = 0.8 * step / count;
	char text[64];

	for (unsigned s = 0; s < count; s++)
		for (size_t i = 0; i < series[s].count; i++)
			put_bar(out, figure, frame,
				LEFT + bin_of(series[s].point[i].y) * step + 0.1 * step + s * width,
				width, series[s].point[i].value, s);
	for (unsigned b = 0; b < bins; b++) {
		if (b % every)
			continue;
		snprintf(text, sizeof(text), b > 2 ? "&#8804;%llu" : "%llu",
			 b < 2 ? (unsigned long long)b : 1ull << (b - 1));
		label(out, LEFT + b * step + step / 2, HEIGHT - 6, "middle", text);
	}
}

static void begin_path(FILE *out, unsigned s)
{
	fprintf(out, "<path fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" d=\"", colour[s]);
}

static void put_curves(FILE *out, const struct ct_compare_figure *figure,
		       const struct ct_compare_series *series, struct ct_compare_frame frame)
{
	for (unsigned s = 0; s < series_of(figure); s++) {
		if (!series[s].count)
			continue;
		begin_path(out, s);
		fprintf(out, "M%.1f %.1f", x_of(figure, frame, series[s].point[0].x), TOP + DOWN);
		for (size_t i = 0; i < series[s].count; i++)
			fprintf(out, "H%.1fV%.1f", x_of(figure, frame, series[s].point[i].x),
				y_of(figure, frame, series[s].point[i].value));
		fprintf(out, "H%.1f\"/>", WIDTH - RIGHT);
	}
	put_x_axis(out, figure, frame);
}

static void put_lines(FILE *out, const struct ct_compare_figure *figure,
		      const struct ct_compare_series *series, struct ct_compare_frame frame)
{
	for (unsigned s = 0; s < series_of(figure); s++) {
		size_t per_point = (series[s].count + LINE_POINTS - 1) / LINE_POINTS;

		if (!series[s].count)
			continue;
		begin_path(out, s);
		for (size_t i = 0; i < series[s].count; i += per_point) {
			size_t end =
			    i + per_point < series[s].count ? i + per_point : series[s].count;
			double sum = 0;

			for (size_t k = i; k < end; k++)
				sum += series[s].point[k].value;
			fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M',
				x_of(figure, frame, series[s].point[i].x),
				y_of(figure, frame, sum / (double)(end - i)));
		}
		/* A single superstep is a dot. */
		fprintf(out, "h0.1\" stroke-linecap=\"round\"/>");
	}
	put_x_axis(out, figure, frame);
}

/* Each trace has a map of its own size: what is dark is what is most in it. */
static void put_map(FILE *out, const struct ct_compare_series *series)
{
	uint64_t last = 0;
	double most = 0, cell;
	char text[64];

	for (size_t i = 0; i < series->count; i++) {
		last = series->point[i].x > last ? series->point[i].x : last;
		last = series->point[i].y > last ? series->point[i].y : last;
		most = fmax(most, series->point[i].value);
	}
	cell = DOWN / (double)(last + 1);
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"ground\"/>",
		LEFT, TOP, DOWN, DOWN);
	for (size_t i = 0; i < series->count; i++)
		fprintf(
		    out,
		    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"var(--k0)\" "
		    "fill-opacity=\"%.2f\"/>",
		    LEFT + cell * (double)series->point[i].x,
		    TOP + cell * (double)series->point[i].y, cell, cell,
		    0.15 + 0.85 * log2(1 + series->point[i].value) / log2(1 + most));
	snprintf(text, sizeof(text), "%llu", (unsigned long long)last);
	label(out, LEFT, HEIGHT - 6, "start", "0");
	label(out, LEFT + DOWN, HEIGHT - 6, "end", text);
	label(out, LEFT - 4, TOP + 10, "end", "0");
	label(out, LEFT - 4, TOP + DOWN, "end", text);
}

void ct_compare_put_panel(FILE *out, const struct ct_compare_trace *trace,
			  enum ct_compare_name name, struct ct_compare_frame frame)
{
	const struct ct_compare_figure *figure = &ct_compare_figure[name];
	const struct ct_compare_series *series = trace->series[name];

	fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" shape-rendering=\"%s\">", WIDTH,
		HEIGHT, figure->kind == CT_COMPARE_MAP ? "crispEdges" : "auto");
	if (frame.value_max <= 0 || (figure->kind == CT_COMPARE_MAP && !series->count))
		label(out, LEFT + ACROSS / 2, TOP + DOWN / 2, "middle", "none");
	else if (figure->kind == CT_COMPARE_MAP)
		put_map(out, series);
	else {
		put_axes(out, figure, frame);
		if (figure->kind == CT_COMPARE_LINE) /* programs differ in how long they run */
			frame.x_max = last_of(series);
		if (figure->kind == CT_COMPARE_BARS)
			put_bars(out, figure, series, frame);
		else if (figure->kind == CT_COMPARE_BINS)
			put_bins(out, figure, series, frame);
		else if (figure->kind == CT_COMPARE_CURVE)
			put_curves(out, figure, series, frame);
		else
			put_lines(out, figure, series, frame);
	}
	fputs("</svg>\n", out);
}
