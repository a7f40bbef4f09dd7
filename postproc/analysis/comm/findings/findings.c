/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what stands out in how CTAs communicate: first what limits the figures, then what moves
 * most. */
#include "postproc/analysis/comm/findings/findings.h"
#include "base/quantity.h"
#include "postproc/analysis/comm/base/spread.h"
#include "postproc/analysis/comm/findings/fuse.h"
#include "postproc/analysis/comm/findings/lines.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REUSE_MIN 4.0     /* readers per byte that are worth a word */
#define STRIDE_MIN 128    /* bytes: a cache line */
#define BISECTION_MIN 1.5 /* one cut over another */
#define LARGE_PART 0.5
#define FUSED_MIN 0.01 /* of what is transferred: worth a finding, */
#define FUSED_MAX 3u   /* of which there are as many */
#define MEETING_BYTES 160u

static struct ct_finding like(enum ct_finding_kind kind, enum ct_finding_id id, const char *section)
{
	return (struct ct_finding){.analysis = "comm", .id = id, .kind = kind, .section = section};
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static struct ct_amount bytes(uint64_t number)
{
	return (struct ct_amount){(double)number, "B"};
}

static void add_sampling(struct ct_findings *findings, const struct ct_sampling *sampling)
{
	struct ct_finding finding = like(CT_FINDING_LIMIT, CT_ID_SAMPLE, "volume");
	const char *text = sampling ? ct_sampling_of_communication(sampling) : NULL;

	if (!text)
		return;
	finding.is_reported_first = true;
	ct_findings_add(findings, &finding, "%s.", text);
	ct_findings_fix(findings,
			"Trace all launches and thread blocks for figures of communication.");
}

/* How CTAs of a launch come to access the same bytes. */
static const char *meeting_of(const struct ct_comm_volume *v, char text[MEETING_BYTES])
{
	uint64_t atomics = v->same_superstep_atomic_bytes;
	char size[CT_NUMBER_BYTES];

	if (atomics == v->same_superstep_bytes)
		return "by atomics alone";
	if (!atomics)
		return "by loads and stores, too, which is a race, or what waits for another "
		       "thread block";
	snprintf(text, MEETING_BYTES,
		 "%s by atomics alone, the rest by loads and stores, too, which is a race, or what "
		 "waits for another thread block",
		 ct_size(atomics, size));
	return text;
}

static void add_order(struct ct_findings *findings, const struct ct_comm_volume *v)
{
	struct ct_finding finding = like(CT_FINDING_PROBLEM, CT_ID_UNORDERED, "volume");
	char size[CT_NUMBER_BYTES], atomics[MEETING_BYTES];

	finding.figure = bytes(v->unordered_bytes);
	if (v->unordered_bytes) {
		ct_findings_add(findings, &finding,
				"%s are read by launches that may run at the same time as the "
				"launch or copy that wrote them last.",
				ct_size(v->unordered_bytes, size));
		ct_findings_fix(
		    findings, "Order them with an event or a wait, unless the program "
			      "relies on none: a copy from pageable memory may not be done when it "
			      "returns.");
	}
	finding = like(CT_FINDING_LIMIT, CT_ID_FORGOTTEN, "volume");
	finding.figure = bytes(v->forgotten_bytes);
	if (v->forgotten_bytes)
		ct_findings_add(findings, &finding,
				"%s were overwritten by more unordered launches than are "
				"remembered: some of what is read of them is missing.",
				ct_size(v->forgotten_bytes, size));
	finding = like(CT_FINDING_NOTE, CT_ID_SAME_LAUNCH, "volume");
	finding.figure = bytes(v->same_superstep_bytes);
	if (v->same_superstep_bytes)
		ct_findings_add(
		    findings, &finding,
		    "%s are read by a thread block and written by another thread block of the same "
		    "launch: %s.",
		    ct_size(v->same_superstep_bytes, size), meeting_of(v, atomics));
}

/* Bytes that CTAs do not read may be read by the host, or be an atomic: the analysis of values
 * knows which of it is redundant. */
static void add_volume(struct ct_findings *findings, const struct ct_comm_volume *v)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_COMMUNICATED, "volume");
	double part = percent(v->communicated_store_bytes, v->store_bytes);
	char some[CT_NUMBER_BYTES], all[CT_NUMBER_BYTES];

	if (!v->store_bytes && !v->load_bytes)
		return;
	if (!v->store_bytes) {
		finding = like(CT_FINDING_NOTE, CT_ID_NO_STORES, "volume");
		ct_findings_add(findings, &finding, "No thread block stores anything.");
		return;
	}
	finding.figure = (struct ct_amount){part, "%"};
	ct_findings_add(findings, &finding,
			"%.0f %% of the bytes that thread blocks write (%s of %s) are read in a "
			"later launch; %.0f %% by another thread block or another kernel.",
			part, ct_size(v->communicated_store_bytes, some),
			ct_size(v->store_bytes, all),
			percent(v->exchanged_store_bytes, v->store_bytes));
}

static void add_self(struct ct_findings *findings, const struct ct_comm_volume *v)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_SELF, "density");
	double part = percent(v->self_bytes, v->transferred_bytes);
	char size[CT_NUMBER_BYTES];

	if (!v->store_bytes || !v->transferred_bytes || part < 100 * LARGE_PART)
		return;
	finding.figure = (struct ct_amount){part, "%"};
	ct_findings_add(findings, &finding,
			"%.0f %% of what is transferred (%s) goes from a thread block to itself.",
			part, ct_size(v->self_bytes, size));
}

/* Where the line pair is. */
static void at_lines(struct ct_findings *findings, const struct ct_comm_line_pair *pair)
{
	ct_findings_at_site(findings, pair->source_unit, pair->source_site);
	ct_findings_at_site(findings, pair->target_unit, pair->target_site);
}

static void add_lines(struct ct_findings *findings, const struct ct_comm_volume *v,
		      const struct ct_comm_line_pair *first)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_LINES, "lines");
	double part = percent(first->bytes, v->transferred_bytes);

	if (!v->transferred_bytes)
		return;
	finding.figure = (struct ct_amount){part, "%"};
	ct_findings_add(findings, &finding,
			"%.0f %% of what is transferred passes between these two lines.", part);
	at_lines(findings, first);
}

static void add_reuse(struct ct_findings *findings, const struct ct_comm_kernel_pair *pair,
		      const char *source, const char *target)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_REUSE, "pairs");
	char size[CT_NUMBER_BYTES], distinct[CT_NUMBER_BYTES];

	finding.figure =
	    (struct ct_amount){(double)pair->bytes / (double)pair->distinct_bytes, "blocks"};
	finding.worth = bytes(pair->bytes - pair->distinct_bytes);
	ct_findings_add(findings, &finding,
			"Each byte that %s writes is read by %.1f thread blocks of %s.", source,
			finding.figure.value, target);
	ct_findings_because(findings, "%s of transfers are of %s", ct_size(pair->bytes, size),
			    ct_size(pair->distinct_bytes, distinct));
	ct_findings_fix(findings, "Let a cluster share one copy (distributed shared memory, "
				  "multicast), or give each thread block more of the work.");
}

static void at_kernels(struct ct_findings *findings, const struct ct_comm_figures *f,
		       const struct ct_comm_kernel_pair *pair)
{
	ct_findings_at_kernel(findings, f->kernel[pair->source].name);
	if (pair->target != pair->source)
		ct_findings_at_kernel(findings, f->kernel[pair->target].name);
}

static void add_local(struct ct_findings *findings, const struct ct_comm_figures *f,
		      const struct ct_comm_kernel_pair *pair)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_LOCAL, "pairs");
	char source[CT_BRIEF_NAME_BYTES], target[CT_BRIEF_NAME_BYTES];

	finding.figure = finding.worth = bytes(pair->bytes);
	ct_findings_add(
	    findings, &finding,
	    "Every thread block of %s reads from %s, which runs right before it, only what the "
	    "thread block of its own id wrote.",
	    ct_shown_name(f->kernel[pair->target].name, target),
	    ct_shown_name(f->kernel[pair->source].name, source));
	ct_findings_fix(findings,
			"Fuse the two kernels, with a __syncthreads() between them if "
			"threads read what others wrote: the data need not leave the SM.");
	at_kernels(findings, f, pair);
}

static void add_pairs(struct ct_findings *findings, const struct ct_comm_figures *f)
{
	const struct ct_comm_kernel_pair *pair = f->kernel_pair;
	double least = FUSED_MIN * (double)f->volume.transferred_bytes;
	char source[CT_BRIEF_NAME_BYTES], target[CT_BRIEF_NAME_BYTES];

	if (f->kernel_pairs && pair->distinct_bytes &&
	    (double)pair->bytes >= REUSE_MIN * (double)pair->distinct_bytes) {
		add_reuse(findings, pair, ct_shown_name(f->kernel[pair->source].name, source),
			  ct_shown_name(f->kernel[pair->target].name, target));
		at_kernels(findings, f, pair);
	}
	for (size_t i = 0, reported = 0;
	     i < f->kernel_pairs && reported < FUSED_MAX && (double)pair[i].bytes >= least; i++) {
		if (!ct_comm_can_fuse(f, &pair[i]))
			continue;
		add_local(findings, f, &pair[i]);
		reported++;
	}
}

static void add_cut(struct ct_findings *findings, const struct ct_comm_results *results)
{
	const struct ct_comm_bisection *cut = results->figures->bisection;
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_CUT, "bisection");
	int least = -1, most = -1;

	for (int d = 0; d < 3; d++) {
		if (!cut[d].bytes)
			continue;
		least = least < 0 || cut[d].bytes < cut[least].bytes ? d : least;
		most = most < 0 || cut[d].bytes > cut[most].bytes ? d : most;
	}
	if (least < 0 || least == most ||
	    (double)cut[most].bytes < BISECTION_MIN * (double)cut[least].bytes)
		return;
	finding.figure =
	    (struct ct_amount){(double)cut[most].bytes / (double)cut[least].bytes, "times"};
	finding.worth = bytes(cut[most].bytes - cut[least].bytes);
	ct_findings_add(findings, &finding,
			"A cut in %c costs %.1f times one in %c (%.1f %% against %.1f %% of the "
			"bytes between thread blocks).",
			"xyz"[most], finding.figure.value, "xyz"[least], 100 * cut[most].relative,
			100 * cut[least].relative);
	if (results->has_devices)
		ct_findings_fix(findings, "Cut the grid in %c when you spread it over devices.",
				"xyz"[least]);
}

static void add_stride(struct ct_findings *findings, const struct ct_comm_figures *f,
		       const struct ct_comm_line_pair *first)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_STRIDE, "strides");
	struct ct_comm_spread spread = ct_comm_spread_of(&f->load_stride);
	char half[CT_NUMBER_BYTES], low[CT_NUMBER_BYTES], high[CT_NUMBER_BYTES];

	if (spread.median < STRIDE_MIN)
		return;
	finding.figure = bytes(spread.median);
	ct_findings_add(
	    findings, &finding,
	    "Half of what a thread block reads of others' results lies %s or more from the next.",
	    ct_size(spread.median, half));
	ct_findings_because(findings, "strides within an object: 5 to 95 %% are %s to %s",
			    ct_size(spread.p5, low), ct_size(spread.p95, high));
	ct_findings_fix(
	    findings,
	    "Lay the data out so that a thread block's reads lie side by side: transpose it "
	    "where it is written, or pack what each reader needs.");
	if (first)
		at_lines(findings, first);
}

static void add_distance(struct ct_findings *findings, const struct ct_comm_histogram *distance)
{
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_DISTANCE, "distance");
	uint64_t all = 0, late = 0;
	char size[CT_NUMBER_BYTES];

	for (size_t i = 0; i < distance->count; i++) {
		all += distance->entry[i].count;
		late += distance->entry[i].key ? distance->entry[i].count : 0;
	}
	if (!late)
		return;
	finding.figure = (struct ct_amount){percent(late, all), "%"};
	ct_findings_add(findings, &finding,
			"%.1f %% of what is transferred (%s) is read later than by the next "
			"launch: with up to %llu in between.",
			finding.figure.value, ct_size(late, size),
			(unsigned long long)distance->entry[distance->count - 1].key);
}

static const char *placement_fix(enum ct_placement placement)
{
	switch (placement) {
	case CT_PLACEMENT_BLOCK:
		return "Give each device a block of successive thread blocks.";
	case CT_PLACEMENT_CYCLIC:
		return "Deal the thread blocks out to the devices in turn.";
	default:
		return "Number the thread blocks so that those that exchange most are neighbours, "
		       "then give "
		       "each device a block of them.";
	}
}

/* Adds the scaling of the smallest number of devices. */
static void add_scaling(struct ct_findings *findings, const struct ct_comm_results *results)
{
	const struct ct_scaling_row *row = results->scaling, *best = NULL;
	struct ct_finding finding = like(CT_FINDING_RESULT, CT_ID_DEVICES, "scaling");
	uint64_t most = 0;

	for (size_t i = 0; i < results->scaling_rows && row[i].devices == row[0].devices; i++) {
		best = row[i].is_best ? &row[i] : best;
		most = row[i].crossing_bytes > most ? row[i].crossing_bytes : most;
	}
	if (!best || !results->figures->volume.transferred_bytes)
		return;
	finding.figure = (struct ct_amount){100 * best->crossing_part, "%"};
	finding.worth = bytes(most - best->crossing_bytes);
	ct_findings_add(
	    findings, &finding,
	    "On %u devices the %s placement is best: %.1f %% of the bytes between thread blocks "
	    "would cross.",
	    best->devices, ct_placement_text(best->placement), 100 * best->crossing_part);
	if (results->has_devices)
		ct_findings_fix(findings, "%s", placement_fix(best->placement));
}

void ct_comm_find(struct ct_findings *findings, const struct ct_comm_results *results)
{
	const struct ct_comm_figures *f = results->figures;
	struct ct_comm_line_pair *line;
	size_t lines;

	add_sampling(findings, results->sampling);
	add_order(findings, &f->volume);
	add_volume(findings, &f->volume);
	add_self(findings, &f->volume);
	if (ct_comm_merge_lines(f, &line, &lines) < 0)
		findings->err = -ENOMEM;
	if (lines)
		add_lines(findings, &f->volume, line);
	add_pairs(findings, f);
	add_cut(findings, results);
	add_stride(findings, f, lines ? line : NULL);
	add_distance(findings, &f->distance);
	add_scaling(findings, results);
	free(line);
}
