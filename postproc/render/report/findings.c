/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out, in one sentence each, with what to do about it: the top of
 * the report. First what limits the figures, then what moves the most bytes.
 */
#include "postproc/render/base/table.h"
#include "postproc/render/base/words.h"
#include "postproc/render/report/parts.h"
#include <stdarg.h>
#include <string.h>

#define TEXT_BYTES 1024
#define REUSE_MIN 4.0     /* readers per byte that are worth a word */
#define STRIDE_MIN 128.0  /* bytes: a cache line */
#define BISECTION_MIN 1.5 /* one cut over another */
#define LARGE_PART 0.5

/* figure: id of the section in the page. fix may be NULL. Ends with the places of two sites. */
static void put(const struct ct_report_writer *w, const char *kind, const char *figure,
		const char *fix, const struct ct_comm_line_pair *at, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static void put(const struct ct_report_writer *w, const char *kind, const char *figure,
		const char *fix, const struct ct_comm_line_pair *at, const char *format, ...)
{
	char text[TEXT_BYTES];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "kind", kind);
	ct_out_text(w->out, "figure", figure);
	ct_out_text(w->out, "text", text);
	if (fix)
		ct_out_text(w->out, "fix", fix);
	if (at) {
		ct_out_array(w->out, "places");
		ct_sources_put_site(w->sources, w->out, NULL, at->source_unit, at->source_site);
		ct_sources_put_site(w->sources, w->out, NULL, at->target_unit, at->target_site);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static double part_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void samples(const struct ct_report_writer *w)
{
	const struct ct_sampling *sampling = &w->report->summary->sampling;
	const char *text = ct_sampling_of_communication(sampling);
	char line[CT_SAMPLING_LINE_BYTES];

	for (unsigned i = 0; ct_sampling_line(sampling, i, line); i++)
		put(w, "limit", "coverage", NULL, NULL, "%s", line);
	if (text)
		put(w, "limit", "volume",
		    "Trace all launches and CTAs for figures of communication.", NULL, "%s", text);
}

static void limits(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	const struct ct_comm_volume *v = &f->volume;
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES];

	if (f->traced_launches < f->launches)
		put(w, "limit", "coverage",
		    "Trace all launches (what was not recorded says why some are not) before you "
		    "rely on "
		    "totals.",
		    NULL,
		    "%s of %s launches were not traced: what they read and wrote is in no figure, "
		    "and "
		    "what they overwrote may seem to communicate.",
		    ct_number(f->launches - f->traced_launches, a), ct_number(f->launches, b));
	if (f->lost_chunks || f->damaged_chunks || w->report->summary->lost_unknown)
		put(w, "limit", "coverage", "Trace again with a larger ring (ctrun --ring).", NULL,
		    "Records are missing: %s chunks were lost and %s are damaged.",
		    w->report->summary->lost_unknown ? "an unknown number of"
						     : ct_number(f->lost_chunks, a),
		    ct_number(f->damaged_chunks, b));
	if (v->unordered_bytes)
		put(w, "problem", "volume",
		    "Order the launches with an event or a wait, unless the program relies on "
		    "none.",
		    NULL,
		    "%s are read by launches that may run at the same time as the launch that "
		    "wrote them last.",
		    ct_size(v->unordered_bytes, a));
	if (v->forgotten_bytes)
		put(w, "limit", "volume", NULL, NULL,
		    "%s were overwritten by more unordered supersteps than are remembered: some of "
		    "what is read of them is missing.",
		    ct_size(v->forgotten_bytes, a));
	if (v->same_superstep_bytes)
		put(w, "note", "volume", NULL, NULL,
		    "%s are read by a CTA and written by another CTA of the same launch: atomics, "
		    "or a race.",
		    ct_size(v->same_superstep_bytes, a));
}

static void volumes(const struct ct_report_writer *w)
{
	const struct ct_comm_volume *v = &w->report->figures->volume;
	double part = part_of(v->communicated_store_bytes, v->store_bytes);
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES];

	if (!v->store_bytes) {
		put(w, "note", "volume", NULL, NULL, "No CTA stores anything.");
		return;
	}
	put(w, "result", "volume",
	    part < 0.1 && v->to_host_bytes < v->store_bytes / 10
		? "Drop the stores whose results nothing reads; the table of line pairs lists "
		  "those "
		  "that are read."
		: NULL,
	    NULL,
	    "%.0f %% of the bytes that CTAs write (%s of %s) are read by a CTA in a later "
	    "superstep; %.0f %% by another CTA or another kernel.",
	    100 * part, ct_size(v->communicated_store_bytes, a), ct_size(v->store_bytes, b),
	    100 * part_of(v->exchanged_store_bytes, v->store_bytes));
	if (v->transferred_bytes && part_of(v->self_bytes, v->transferred_bytes) >= LARGE_PART)
		put(w, "result", "density",
		    "Keep that data on the SM: fuse the kernels, or loop inside one, where CTAs "
		    "read only their own results.",
		    NULL, "%.0f %% of what is transferred (%s) goes from a CTA to itself.",
		    100 * part_of(v->self_bytes, v->transferred_bytes), ct_size(v->self_bytes, a));
}

/* The name without its list of parameters. */
static const char *short_name(const char *name, char *buffer, size_t bytes)
{
	size_t length = strlen(name);
	int depth = 0;

	for (size_t i = length; i > 1 && name[length - 1] == ')'; i--) {
		depth += name[i - 1] == ')' ? 1 : name[i - 1] == '(' ? -1 : 0;
		if (depth == 0) {
			length = i - 1;
			break;
		}
	}
	snprintf(buffer, bytes, "%.*s", (int)length, name);
	return buffer;
}

static void pairs(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	const struct ct_comm_kernel_pair *pair = f->kernel_pair;
	const struct ct_comm_line_pair *line = w->line_pair;
	char source[256], target[256];
	double reuse;

	if (w->line_pairs && f->volume.transferred_bytes)
		put(w, "result", "lines", NULL, line,
		    "%.0f %% of what is transferred passes between these two lines.",
		    100 * part_of(line->bytes, f->volume.transferred_bytes));
	if (!f->kernel_pairs)
		return;
	short_name(f->kernel[pair->source].name, source, sizeof(source));
	short_name(f->kernel[pair->target].name, target, sizeof(target));
	reuse = pair->distinct_bytes ? (double)pair->bytes / (double)pair->distinct_bytes : 0;
	if (reuse >= REUSE_MIN)
		put(w, "result", "pairs",
		    "Let a cluster share one copy (distributed shared memory, multicast), or give "
		    "each CTA more of the work.",
		    NULL, "Each byte that %s writes is read by %.1f CTAs of %s.", source, reuse,
		    target);
	else if (pair->pattern == CT_PATTERN_LOCAL && pair->source != pair->target)
		put(w, "result", "pairs", "Fuse the two kernels: the data need not leave the SM.",
		    NULL, "Every CTA of %s reads from %s only what the CTA of its own id wrote.",
		    target, source);
}

static void cuts(const struct ct_report_writer *w)
{
	static const char *const fix[] = {
	    "Cut the grid in x when you spread it over devices.",
	    "Cut the grid in y when you spread it over devices.",
	    "Cut the grid in z when you spread it over devices.",
	};
	const struct ct_comm_bisection *cut = w->report->figures->bisection;
	int least = -1, most = -1;

	for (int d = 0; d < 3; d++) {
		if (!cut[d].bytes)
			continue;
		least = least < 0 || cut[d].bytes < cut[least].bytes ? d : least;
		most = most < 0 || cut[d].bytes > cut[most].bytes ? d : most;
	}
	if (least >= 0 && least != most &&
	    (double)cut[most].bytes >= BISECTION_MIN * (double)cut[least].bytes)
		put(w, "result", "bisection", fix[least], NULL,
		    "A cut in %c costs %.1f times one in %c (%.1f %% against %.1f %% of the bytes "
		    "between CTAs).",
		    "xyz"[most], (double)cut[most].bytes / (double)cut[least].bytes, "xyz"[least],
		    100 * cut[most].relative, 100 * cut[least].relative);
}

static void strides(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	uint64_t count = 0, sum = 0;
	double mean;

	for (uint64_t c = 0; c < f->ctas; c++) {
		count += f->cta[c].load_strides;
		sum += f->cta[c].load_stride_sum;
	}
	mean = count ? (double)sum / (double)count : 0;
	if (mean >= STRIDE_MIN)
		put(w, "result", "strides",
		    "Lay the data out so that a CTA's reads lie side by side: transpose it where "
		    "it "
		    "is written, or pack what each reader needs.",
		    w->line_pairs ? w->line_pair : NULL,
		    "What a CTA reads of others' results lies %.0f bytes apart on average.", mean);
}

static void distance(const struct ct_report_writer *w)
{
	const struct ct_comm_histogram *h = &w->report->figures->distance;
	uint64_t all = 0, late = 0;
	char a[CT_NUMBER_BYTES];

	for (size_t i = 0; i < h->count; i++) {
		all += h->entry[i].count;
		late += h->entry[i].key ? h->entry[i].count : 0;
	}
	if (late)
		put(w, "result", "distance", NULL, NULL,
		    "%.1f %% of what is transferred (%s) is read later than by the next launch: "
		    "with up to %llu in between.",
		    100 * part_of(late, all), ct_size(late, a),
		    (unsigned long long)h->entry[h->count - 1].key);
}

static void scaling(const struct ct_report_writer *w)
{
	const struct ct_report *r = w->report;

	for (size_t i = 0; r->model && i < r->scaling_rows; i++)
		if (r->scaling[i].is_best && r->scaling[i].devices == r->model->devices_min)
			put(w, "result", "scaling", NULL, NULL,
			    "On %u devices the %s placement is best: %.1f %% of the bytes between "
			    "CTAs would cross.",
			    r->scaling[i].devices, ct_placement_text(r->scaling[i].placement),
			    100 * r->scaling[i].crossing_part);
}

void ct_report_put_findings(const struct ct_report_writer *w)
{
	ct_out_array(w->out, "findings");
	samples(w);
	limits(w);
	volumes(w);
	pairs(w);
	cuts(w);
	strides(w);
	distance(w);
	scaling(w);
	ct_out_end(w->out);
}
