/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of analyses, by kernel and line. */
#include "postproc/analysis/causes/causes.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"
#include "postproc/analysis/access/words.h"
#include "postproc/facts/place.h"
#include "trace/codec/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum ct_finding_id id;
	const char *unit, *fix;
} kinds[] = {
#define X(id, name, finding, unit, fix) {name, CT_ID_##finding, unit, fix},
    CT_CAUSES(X)
#undef X
};

const char *ct_cause_name(enum ct_cause_kind kind)
{
	return kinds[kind].name;
}

enum ct_finding_id ct_cause_id(enum ct_cause_kind kind)
{
	return kinds[kind].id;
}

const char *ct_cause_unit(enum ct_cause_kind kind)
{
	return kinds[kind].unit;
}

const char *ct_cause_fix(enum ct_cause_kind kind)
{
	return kinds[kind].fix;
}

double ct_cause_share(const struct ct_line_cause *cause)
{
	return cause->actual > cause->ideal ? 1 - cause->ideal / cause->actual : 0;
}

double ct_cause_least_share(const struct ct_line_cause *cause)
{
	double least =
	    cause->touched > cause->touched_ideal ? 1 - cause->touched_ideal / cause->touched : 0;

	if (cause->kind != CT_CAUSE_SECTORS)
		return ct_cause_share(cause);
	return least < ct_cause_share(cause) ? least : ct_cause_share(cause);
}

struct collecting {
	struct ct_causes *causes;
	struct ct_map cause_of; /* (kernel, file), (line, kind): 1 + number */
};

/* Adds to what is known of a line. Kernels and files are the trace's. */
static int add(struct collecting *c, const struct ct_line_cause *like)
{
	struct ct_causes *causes = c->causes;
	uint64_t where = ct_hash_join_string(ct_hash_join_string(0, like->kernel), like->file);
	union ct_map_value *known =
	    ct_map_put(&c->cause_of, where, (uint64_t)like->line << 8 | like->kind);
	struct ct_line_cause *cause;

	if (!known || ct_array_grow(&causes->list, causes->count, sizeof(*like)) < 0)
		return -ENOMEM;
	if (!known->number) {
		causes->list[causes->count] = (struct ct_line_cause){
		    .kernel = like->kernel,
		    .file = like->file,
		    .line = like->line,
		    .kind = like->kind,
		};
		known->number = ++causes->count;
	}
	cause = &causes->list[known->number - 1];
	cause->actual += like->actual;
	cause->ideal += like->ideal;
	cause->touched += like->touched;
	cause->touched_ideal += like->touched_ideal;
	if (like->object && like->actual > cause->most) {
		cause->object = like->object;
		cause->most = like->actual;
	}
	return 0;
}

static int add_site(struct collecting *c, struct ct_line_cause *like, const struct ct_unit *unit,
		    uint32_t site)
{
	struct ct_place place = ct_place_of(unit, &unit->sites[site]);

	like->file = place.file;
	like->line = place.line;
	return place.line && like->actual > 0 ? add(c, like) : 0;
}

/* How much of the sectors of a row's object its kernel uses, 0 to 1: other lines may use the rest.
 */
static double use_of(const struct ct_access_results *results, const struct ct_access_row *row)
{
	for (size_t i = 0; i < results->touches; i++)
		if (results->touched[i].kernel == row->kernel &&
		    results->touched[i].group == row->group && results->touched[i].unique_sectors)
			return (double)results->touched[i].unique /
			       ((double)results->touched[i].unique_sectors * CT_SECTOR_BYTES);
	return 1;
}

/* Atomics that meet: one for each CTA and address would do, after sums within the CTA. */
static double atomics_needed(const struct ct_access_results *results,
			     const struct ct_access_row *row)
{
	double ctas = 0, lanes = (double)row->figures.lanes;
	double bytes = lanes > 0 ? (double)row->figures.asked / lanes : 0, needed;

	for (size_t i = 0; i < results->launches; i++) {
		const struct ct_launch_info *info = results->launch[i].launch;

		if (results->kernels.of_launch[info - results->all_launches] == row->kernel)
			ctas += (double)info->event->grid[0] * info->event->grid[1] *
				info->event->grid[2] /
				(info->event->block_period ? info->event->block_period : 1);
	}
	ctas /= (double)results->kernels.list[row->kernel].launches;
	needed = bytes > 0 ? (double)row->unique / bytes * ctas : lanes;
	return needed < lanes ? needed : lanes;
}

static int add_row(struct collecting *c, const struct ct_access_results *results,
		   const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;
	struct ct_line_cause like = {.kernel = results->kernels.list[row->kernel].symbol,
				     .kind = CT_CAUSE_SECTORS,
				     .actual = (double)f->sectors,
				     .ideal = (double)f->ideal,
				     .touched = (double)row->unique_sectors};
	int err;

	like.touched_ideal = like.touched * use_of(results, row);

	if (row->group < results->groups && results->object[row->group])
		like.object = ct_access_group_text(results, row->group);
	err = add_site(c, &like, row->unit, row->site);
	like.touched = like.touched_ideal = 0;
	like.kind = CT_CAUSE_WAVEFRONTS;
	like.actual = (double)f->wavefronts;
	like.ideal = (double)f->ideal_wavefronts;
	if (err == 0)
		err = add_site(c, &like, row->unit, row->site);
	like.kind = CT_CAUSE_ATOMICS;
	like.actual = row->class == CT_CLASS_ATOMIC ? (double)f->lanes : 0;
	like.ideal = atomics_needed(results, row);
	return err == 0 ? add_site(c, &like, row->unit, row->site) : err;
}

/* Loads alone: a store that changes nothing is waited for by none. */
static int add_values(struct collecting *c, const struct ct_values_figures *figures)
{
	int err = 0;

	for (size_t i = 0; i < figures->rows && err == 0; i++) {
		const struct ct_values_row *row = &figures->row[i];
		uint64_t redundant = ct_values_redundant(&row->counts, row->class);
		struct ct_line_cause like = {
		    .kernel = figures->kernel[row->kernel].symbol,
		    .kind = CT_CAUSE_REDUNDANT,
		    .actual = (double)row->counts.elements,
		    .ideal = (double)(row->counts.elements - redundant),
		};

		if (row->class == CT_CLASS_LOAD)
			err = add_site(c, &like, row->unit, row->site);
	}
	return err;
}

/* Threads that the warps of a launch hold in the mean. */
static double threads_of_warps(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;
	uint64_t threads = (uint64_t)event->block[0] * event->block[1] * event->block[2];
	uint64_t warps = (threads + CT_WARP_LANES - 1) / CT_WARP_LANES;

	return warps ? (double)threads / (double)warps : CT_WARP_LANES;
}

/* Lanes that were active at a block, of those that its warps have, for each place of it. */
static int add_block(struct collecting *c, const struct ct_launch_info *launch,
		     const struct ct_unit *unit, const struct ct_blame_weight *weight)
{
	uint32_t low = 0, high = unit->header->share_count;
	int err = 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (unit->shares[middle].block < weight->block)
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t s = low; s < unit->header->share_count && err == 0; s++) {
		const struct ct_unit_share *share = &unit->shares[s];
		struct ct_place place = ct_place_of_frame(unit, share->frame);
		struct ct_line_cause like = {
		    .kernel = launch->kernel_name,
		    .file = place.file,
		    .line = place.line,
		    .kind = CT_CAUSE_LANES,
		    .actual =
			(double)weight->warps * threads_of_warps(launch) * share->instructions,
		    .ideal = (double)weight->lanes * share->instructions,
		};

		if (share->block != weight->block)
			break;
		if (like.line && like.actual > 0)
			err = add(c, &like);
	}
	return err;
}

/* The statement that launches blocks whose last warp is not full. */
static int add_launch(struct collecting *c, const struct ct_launch_info *launch)
{
	struct ct_causes *causes = c->causes;
	struct ct_line_cause like = {.kernel = launch->kernel_name,
				     .kind = CT_CAUSE_WARPS,
				     .actual = CT_WARP_LANES,
				     .ideal = threads_of_warps(launch)};
	char file[1024], line[32];

	if (like.ideal >= like.actual)
		return 0;
	like.file = ct_site_field(launch->site, 1, file, sizeof(file));
	like.line = (uint32_t)strtoul(ct_site_field(launch->site, 2, line, sizeof(line)), NULL, 10);
	if (!like.line)
		return 0;
	if (ct_array_grow(&causes->texts, causes->text_count, sizeof(*causes->texts)) < 0)
		return -ENOMEM;
	causes->texts[causes->text_count] = strdup(file);
	like.file = causes->texts[causes->text_count];
	if (!like.file)
		return -ENOMEM;
	causes->text_count++;
	return add(c, &like);
}

int ct_causes_init(struct ct_causes *causes, const struct ct_causes_from *from)
{
	struct collecting c = {.causes = causes};
	const struct ct_blame_weights *blocks = from->blocks;
	const struct ct_launch_info *launches;
	size_t launch_count = ct_trace_launches(from->trace, &launches);
	int err = 0;

	*causes = (struct ct_causes){.branches = from->branches};
	for (size_t i = 0; i < from->access->rows && err == 0; i++)
		err = add_row(&c, from->access, &from->access->row[i]);
	if (err == 0)
		err = add_values(&c, from->values);
	for (size_t i = 0; i < blocks->weights && err == 0; i++)
		err = add_block(&c, &launches[blocks->weight[i].launch],
				&blocks->units[blocks->weight[i].unit], &blocks->weight[i]);
	for (size_t i = 0; i < launch_count && from->access->rows && err == 0; i++)
		err = add_launch(&c, &launches[i]);
	ct_map_fini(&c.cause_of);
	return err;
}

void ct_causes_fini(struct ct_causes *causes)
{
	free(causes->list);
	for (size_t i = 0; i < causes->text_count; i++)
		free(causes->texts[i]);
	free(causes->texts);
	*causes = (struct ct_causes){.list = NULL};
}

static bool ends_with(const char *path, const char *tail)
{
	size_t bytes = strlen(path), tail_bytes = strlen(tail);

	return bytes > tail_bytes && path[bytes - tail_bytes - 1] == '/' &&
	       strcmp(path + bytes - tail_bytes, tail) == 0;
}

bool ct_causes_is_file(const char *a, const char *b)
{
	return strcmp(a, b) == 0 || (*a && *b && (ends_with(a, b) || ends_with(b, a)));
}

const struct ct_line_cause *ct_causes_find(const struct ct_causes *causes, const char *kernel,
					   const char *file, uint32_t line, enum ct_cause_kind kind)
{
	for (size_t i = 0; i < causes->count; i++) {
		const struct ct_line_cause *cause = &causes->list[i];

		if (cause->line == line && cause->kind == kind &&
		    strcmp(cause->kernel, kernel) == 0 && ct_causes_is_file(cause->file, file))
			return cause;
	}
	return NULL;
}

double ct_causes_of_kernel(const struct ct_causes *causes, const char *kernel,
			   enum ct_cause_kind kind)
{
	double sum = 0;

	for (size_t i = 0; i < causes->count; i++)
		if (causes->list[i].kind == kind && strcmp(causes->list[i].kernel, kernel) == 0)
			sum += causes->list[i].actual;
	return sum;
}

const struct ct_branches_line *ct_causes_branch(const struct ct_causes *causes, const char *kernel)
{
	const struct ct_branches_results *branches = causes->branches;
	const struct ct_branches_line *most = NULL;

	for (size_t i = 0; i < branches->lines; i++) {
		const struct ct_branches_line *line = &branches->line[i];

		if (line->figures.divergent && line->place.line &&
		    (!most || line->figures.idle > most->figures.idle) &&
		    strcmp(branches->kernels.list[line->kernel].symbol, kernel) == 0)
			most = line;
	}
	return most;
}
