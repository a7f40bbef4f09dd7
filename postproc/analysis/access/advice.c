/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about sectors that are moved redundantly, atomics that meet, and lanes that are off. */
#include "postproc/analysis/access/advice.h"
#include "base/array.h"
#include "base/quantity.h"
#include "postproc/analysis/access/atomics.h"
#include "postproc/analysis/access/parts.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/place.h"
#include "postproc/facts/worthwhile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXCESS_MIN 0.1  /* of a row's sectors */
#define SHARE_MIN 0.01  /* of what all rows have of it */
#define GATHER_MIN 0.5  /* of its sectors, where the order of elements would have to change */
#define MEETING_MIN 2.0 /* lanes at one address in the mean */
#define ACTIVE_MAX 16.0 /* lanes in the mean */
#define USED_MIN 60.0   /* % of the sectors a launch touches: less, and the rest is not used */
#define AGAIN_MIN 1.5   /* requests for each sector of a launch: caches serve them */

#define TABLE_SECTORS 32u /* of a launch, 1 KiB: what is gathered there is near anyway, */
#define TABLE_TIMES 8u    /* if each sector is requested as often */

/* Sums over all rows, and over those of each kernel, which shares are of. */
struct sums {
	double sectors, requests, atomics;
};

struct whole {
	struct sums all, *kernel;
	const struct ct_access_results *results;
};

static struct ct_access_advice *add(struct ct_access_advices *advices, enum ct_finding_id id,
				    const struct ct_access_row *row)
{
	if (ct_array_grow(&advices->list, advices->count, sizeof(*advices->list)) < 0)
		return NULL;
	advices->list[advices->count] = (struct ct_access_advice){.id = id, .row = row};
	return &advices->list[advices->count++];
}

static enum ct_finding_id id_of(const struct ct_access_results *results,
				const struct ct_access_row *row)
{
	switch (ct_access_pattern_of(&row->figures)) {
	case CT_ACCESS_STRIDED:
		return ct_access_structure(results, row) ? CT_ID_ARRAY_OF_STRUCTURES
							 : CT_ID_STRIDED_ACCESSES;
	case CT_ACCESS_MISALIGNED:
		return CT_ID_MISALIGNED_ACCESSES;
	case CT_ACCESS_ROWS:
		return CT_ID_SHORT_ROWS;
	case CT_ACCESS_GATHER:
		return CT_ID_SCATTERED_ACCESSES;
	default:
		return CT_ID_PARTLY_USED_SECTORS;
	}
}

/* used: % of the sectors that a launch touches. */
static const char *fix_of(const struct ct_access_advice *advice, double used)
{
	bool is_used = used >= USED_MIN;

	if (advice->id == CT_ID_ARRAY_OF_STRUCTURES)
		return is_used
			   ? "Store the structures as an array for each member, or load whole "
			     "ones through shared memory; of an array of which each thread takes "
			     "n elements in a row, give it every n-th one"
			   : "Store the structures as an array for each member: what lies "
			     "between those that the launch accesses it does not need";
	switch (ct_access_pattern_of(&advice->row->figures)) {
	case CT_ACCESS_STRIDED:
		if (!is_used)
			return "Keep the elements that are accessed in an array of their own, one "
			       "behind the other: what lies between them the launch does not need";
		return "Make neighbouring lanes access neighbouring elements (unit stride): "
		       "exchange the indices, give each thread every n-th element in place of n "
		       "in a row, or transpose through shared memory";
	case CT_ACCESS_MISALIGNED:
		return "Let the rows that warps access begin at multiples of 32 bytes: pad their "
		       "pitch, or shift what each thread takes; elements of neighbouring lanes "
		       "come "
		       "by shuffles or shared memory";
	case CT_ACCESS_ROWS:
		return "Let more neighbouring lanes access one row: 32 threads in x, or rows that "
		       "follow one another in memory";
	case CT_ACCESS_GATHER:
		if (!is_used)
			return "Order the indices, or renumber the elements, so that the lanes of "
			       "a warp access elements near one another";
		return "Let the lanes of a warp access elements near one another: order the "
		       "indices, renumber the elements or, where each thread takes elements that "
		       "follow one another, let neighbouring lanes take them";
	default:
		return "Let the active lanes of a warp be neighbours, in groups that fill sectors";
	}
}

/* Adds what the other rows have that access members of the same structures in the same way; false:
 * an earlier row stands for all of them. */
static bool add_members(struct ct_access_figures *sum, uint64_t *members,
			const struct ct_access_results *results, const struct ct_access_row *row)
{
	uint64_t structure = ct_access_structure(results, row);

	for (size_t i = 0; structure && i < results->rows; i++) {
		const struct ct_access_row *other = &results->row[i];

		if (other == row || other->kernel != row->kernel || other->group != row->group ||
		    other->class != row->class || ct_access_structure(results, other) != structure)
			continue;
		if (other < row)
			return false;
		ct_access_figures_add(sum, &other->figures);
		if (structure <= CT_ACCESS_WIDEST && ct_access_is_same_place(row, other))
			ct_access_join_parts(sum, &other->figures);
		else
			++*members;
	}
	return true;
}

/* How much of the sectors that a row touches in a launch it uses, in one request or another: what a
 * cache may serve if it is more than each request uses. */
static double use_of_launch(const struct ct_access_results *results,
			    const struct ct_access_row *row, bool is_structure)
{
	const struct ct_access_object *touched =
	    is_structure ? ct_access_touched(results, row) : NULL;
	uint64_t bytes = touched ? touched->unique : row->unique;
	uint64_t sectors = touched ? touched->unique_sectors : row->unique_sectors;

	return sectors ? 100.0 * (double)bytes / (double)(sectors * CT_SECTOR_BYTES) : 0;
}

/* Requests of the kernel ask for the sectors of the objects again and again. */
static bool is_asked_again(const struct ct_access_results *results, const struct ct_access_row *row)
{
	const struct ct_access_object *touched = ct_access_touched(results, row);
	double sectors = 0;

	for (size_t i = 0; i < results->rows; i++)
		if (results->row[i].kernel == row->kernel && results->row[i].group == row->group)
			sectors += (double)results->row[i].figures.sectors;
	return !touched || sectors >= AGAIN_MIN * (double)touched->unique_sectors;
}

/* The excess lies at the edges of what warps access side by side: other warps access it, so that
 * a cache has it. */
static bool is_served(const struct ct_access_results *results, const struct ct_access_row *row)
{
	switch (ct_access_pattern_of(&row->figures)) {
	case CT_ACCESS_STRIDED:
	case CT_ACCESS_GATHER:
		return false;
	case CT_ACCESS_MISALIGNED:
		return is_asked_again(results, row);
	default:
		return use_of_launch(results, row, true) >= USED_MIN;
	}
}

/* Sets what a kernel would run less without so many of its sectors, if it does nothing but move
 * sectors, each in the same time: the most that there is to gain. */
static void set_saved(struct ct_access_advice *advice, const struct ct_access_results *results,
		      uint64_t excess)
{
	uint32_t kernel = advice->row->kernel;
	double sectors = 0;

	for (size_t i = 0; i < results->rows; i++)
		if (results->row[i].kernel == kernel)
			sectors += (double)results->row[i].figures.sectors;
	advice->saved_sectors = (double)excess;
	advice->kernel_share = (double)excess / sectors;
	advice->change = CT_CHANGE_COALESCE;
	if (results->seconds)
		advice->saved_seconds = results->seconds[kernel] * advice->kernel_share;
}

/* Elements that are gathered lie near one another already. */
static bool is_near(const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;

	return ct_access_pattern_of(f) == CT_ACCESS_GATHER &&
	       (double)(f->sectors - f->ideal) < GATHER_MIN * (double)f->sectors;
}

/* Sectors that would do: of what is gathered each one that is touched, in whichever order, since
 * the elements lie where they lie. */
static uint64_t needed_by(const struct ct_access_row *row, const struct ct_access_figures *f)
{
	if (ct_access_pattern_of(f) != CT_ACCESS_GATHER || row->unique_sectors < f->ideal)
		return f->ideal;
	return row->unique_sectors < f->sectors ? row->unique_sectors : f->sectors;
}

static int add_sectors(struct ct_access_advices *advices, const struct ct_access_results *results,
		       const struct whole *whole, const struct ct_access_row *row)
{
	enum ct_finding_id id = id_of(results, row);
	const char *object = ct_access_group_text(results, row->group);
	bool is_structure = ct_access_structure(results, row) != 0;
	struct ct_access_figures f = row->figures;
	struct ct_access_advice *advice;
	uint64_t members = 1, moved, needed, excess;
	char words[CT_ACCESS_WORDS_BYTES], place[256], number[4][CT_NUMBER_BYTES], count[64] = "";
	double unused, used, used_by_all;

	if (!add_members(&f, &members, results, row))
		return 0;
	if (members == 1) {
		f.sectors /= ct_access_parts(row);
		f.requests /= ct_access_parts(row);
	}
	needed = needed_by(row, &f);
	if (f.sectors <= needed)
		return 0;
	excess = f.sectors - needed;
	advice = add(advices, id, row);
	if (!advice)
		return -ENOMEM;
	moved = f.sectors * CT_SECTOR_BYTES;
	unused = 100.0 * (double)(moved - f.used) / (double)moved;
	used = use_of_launch(results, row, is_structure);
	used_by_all = use_of_launch(results, row, true); /* other lines may want the rest */
	set_saved(advice, results, excess);
	advice->is_worthwhile = !is_served(results, row) && !is_near(row) &&
				ct_is_worthwhile((double)excess, whole->kernel[row->kernel].sectors,
						 whole->all.sectors);
	advice->figure = (struct ct_amount){unused, "%"};
	advice->worth = (struct ct_amount){(double)(excess * CT_SECTOR_BYTES), "B"};
	if (members > 1)
		snprintf(count, sizeof(count), " in %s accesses", ct_number(members, number[0]));
	snprintf(advice->text, sizeof(advice->text),
		 "%s %s %s%s with %s: %.1f %% of %s moved are not used.",
		 ct_access_place_text(row, place, sizeof(place)), ct_access_verb(row), object,
		 count, ct_access_words(results, row, words), unused, ct_size(moved, number[0]));
	snprintf(advice->evidence, sizeof(advice->evidence),
		 "%s requests take %s sectors where %s would do; all requests of a launch together "
		 "use %.0f %% of the sectors that they touch",
		 ct_number(f.requests, number[1]), ct_number(f.sectors, number[2]),
		 ct_number(needed, number[3]), used);
	advice->fix = fix_of(advice, used > used_by_all ? used : used_by_all);
	return 0;
}

static int add_atomics(struct ct_access_advices *advices, const struct ct_access_results *results,
		       const struct whole *whole, const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;
	struct ct_access_advice *advice = add(advices, CT_ID_CONTENDED_ATOMICS, row);
	double mean = (double)f->contended / (double)f->requests;
	double spared =
	    ct_access_is_combined(row) ? (double)f->requests : (double)(f->contended - f->requests);
	char place[256], number[2][CT_NUMBER_BYTES];

	if (!advice)
		return -ENOMEM;
	advice->figure = (struct ct_amount){mean, "lanes"};
	advice->is_worthwhile =
	    ct_is_worthwhile(spared, whole->kernel[row->kernel].requests, whole->all.requests);
	advice->worth = (struct ct_amount){spared, "atomics"};
	/* If the kernel does nothing but make requests, one for each lane that meets others. */
	advice->kernel_share =
	    spared / (whole->kernel[row->kernel].requests + (double)(f->contended - f->requests));
	snprintf(advice->text, sizeof(advice->text),
		 "%s updates %s where lanes of a warp meet: %.1f at one address in the mean, %llu "
		 "at most.",
		 ct_access_place_text(row, place, sizeof(place)),
		 ct_access_group_text(results, row->group), mean,
		 (unsigned long long)f->most_contended);
	snprintf(advice->evidence, sizeof(advice->evidence), "%s lanes in %s requests",
		 ct_number(f->lanes, number[0]), ct_number(f->requests, number[1]));
	advice->fix = ct_access_fix_of_atomics(results, row);
	return 0;
}

static bool is_sparse(const struct ct_access_row *row, const struct whole *whole)
{
	const struct ct_access_figures *f = &row->figures;

	return !f->pattern[CT_ACCESS_RANGE] &&
	       (double)f->lanes < ACTIVE_MAX * (double)f->requests &&
	       (double)f->requests >= SHARE_MIN * whole->all.requests;
}

static uint64_t idle_requests(const struct ct_access_figures *f)
{
	return f->requests - (f->lanes + CT_WARP_LANES - 1) / CT_WARP_LANES;
}

static bool is_same_line(const struct ct_access_row *row, const struct ct_access_row *other)
{
	struct ct_place a = ct_place_of(row->unit, &row->unit->sites[row->site]),
			b = ct_place_of(other->unit, &other->unit->sites[other->site]);

	return row->kernel == other->kernel && a.line == b.line && !strcmp(a.file, b.file);
}

/* Accesses of one line have the lanes that get there: they are one cause. false: an earlier row
 * stands for them. */
static bool add_line(struct ct_access_figures *sum, const struct ct_access_results *results,
		     const struct whole *whole, const struct ct_access_row *row)
{
	for (size_t i = 0; i < results->rows; i++) {
		const struct ct_access_row *other = &results->row[i];

		if (other == row || !is_sparse(other, whole) || !is_same_line(row, other))
			continue;
		if (other < row)
			return false;
		ct_access_figures_add(sum, &other->figures);
	}
	return true;
}

static bool is_idle(const struct whole *whole, const struct ct_access_row *row,
		    const struct ct_access_figures *f)
{
	double least = f->lanes == f->requests ? CT_WORTHWHILE_ONE_LANE : CT_WORTHWHILE_LANES;

	return (double)idle_requests(f) >= least * whole->kernel[row->kernel].requests;
}

/* Advice on how lanes of a line meet says what becomes of its lanes. */
static bool is_advised(const struct ct_access_advices *advices, const struct ct_access_row *row)
{
	for (size_t i = 0; i < advices->count; i++)
		if (advices->list[i].id == CT_ID_CONTENDED_ATOMICS &&
		    is_same_line(advices->list[i].row, row))
			return true;
	return false;
}

/* Whether it is code of the program whose branches are not recorded, which would say at which of
 * them the other lanes were left. */
static bool is_asked(const struct ct_access_advices *advices, const struct ct_access_row *row)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];

	return !ct_unit_has_branches(row->unit) &&
	       !ct_place_is_foreign(ct_unit_string(row->unit, site->file)) &&
	       !is_advised(advices, row);
}

static int add_lanes(struct ct_access_advices *advices, const struct ct_access_results *results,
		     const struct whole *whole, const struct ct_access_row *row)
{
	struct ct_access_figures f = row->figures;
	struct ct_access_advice *advice;
	char place[256], number[2][CT_NUMBER_BYTES];
	double mean;

	if (!is_asked(advices, row) || !add_line(&f, results, whole, row) ||
	    !is_idle(whole, row, &f))
		return 0;
	advice = add(advices, CT_ID_FEW_ACTIVE_LANES, row);
	if (!advice)
		return -ENOMEM;
	mean = (double)f.lanes / (double)f.requests;
	advice->is_worthwhile = ct_is_worthwhile(
	    (double)idle_requests(&f), whole->kernel[row->kernel].requests, whole->all.requests);
	advice->figure = (struct ct_amount){mean, "lanes"};
	advice->worth = (struct ct_amount){(double)idle_requests(&f), "requests"};
	advice->kernel_share = (double)idle_requests(&f) / whole->kernel[row->kernel].requests;
	snprintf(advice->text, sizeof(advice->text), "%s %s %s with %.1f of 32 lanes in the mean.",
		 ct_access_place_text(row, place, sizeof(place)), ct_access_verb(row),
		 ct_access_group_text(results, row->group), mean);
	snprintf(advice->evidence, sizeof(advice->evidence),
		 "%s requests of the line; full warps would need %s",
		 ct_number(f.requests, number[0]),
		 ct_number(f.requests - idle_requests(&f), number[1]));
	advice->fix = "Let the threads that access it be neighbours: compact the work first, or "
		      "sort it so that a warp takes one branch";
	return 0;
}

/* So few elements that each is accessed again and again: no order brings them nearer. */
static bool is_table(const struct ct_access_row *row, const struct ct_access_results *results)
{
	uint64_t launches = results->kernels.list[row->kernel].launches;

	return ct_access_pattern_of(&row->figures) == CT_ACCESS_GATHER &&
	       row->unique_sectors <= TABLE_SECTORS * launches &&
	       row->figures.sectors >= TABLE_TIMES * row->unique_sectors;
}

static bool is_wasteful(const struct ct_access_row *row, const struct whole *whole)
{
	double sectors = (double)row->figures.sectors;
	double excess = sectors - (double)row->figures.ideal;

	return excess > 0 && !is_table(row, whole->results) && excess >= EXCESS_MIN * sectors &&
	       excess >= SHARE_MIN * whole->all.sectors;
}

static bool is_contended(const struct ct_access_row *row, const struct whole *whole)
{
	const struct ct_access_figures *f = &row->figures;

	return row->class == CT_CLASS_ATOMIC && f->contended > f->requests &&
	       (double)f->contended >= MEETING_MIN * (double)f->requests &&
	       (double)f->contended >= SHARE_MIN * whole->all.atomics;
}

/* Adds rows that `is` accepts, from the largest on. */
static int add_all(struct ct_access_advices *advices, const struct ct_access_results *results,
		   const struct whole *whole,
		   bool (*is)(const struct ct_access_row *row, const struct whole *whole),
		   int (*add_one)(struct ct_access_advices *advices,
				  const struct ct_access_results *results,
				  const struct whole *whole, const struct ct_access_row *row))
{
	for (size_t i = 0; i < results->rows; i++)
		if (is(&results->row[i], whole) &&
		    add_one(advices, results, whole, &results->row[i]) < 0)
			return -ENOMEM;
	return 0;
}

static int compare_worth(const void *left, const void *right)
{
	const struct ct_access_advice *a = left, *b = right;

	if (a->worth.value != b->worth.value)
		return a->worth.value > b->worth.value ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void add_sums(struct sums *sums, const struct ct_access_row *row)
{
	sums->sectors += (double)row->figures.sectors;
	sums->requests += (double)row->figures.requests;
	if (row->class == CT_CLASS_ATOMIC)
		sums->atomics += (double)row->figures.lanes;
}

int ct_access_advices_init(struct ct_access_advices *advices,
			   const struct ct_access_results *results)
{
	struct whole whole = {.results = results};
	size_t done = 0;
	int err = 0;

	*advices = (struct ct_access_advices){.list = NULL};
	whole.kernel = calloc(results->kernels.count + 1u, sizeof(*whole.kernel));
	if (!whole.kernel)
		return -ENOMEM;
	for (size_t i = 0; i < results->rows; i++) {
		add_sums(&whole.all, &results->row[i]);
		add_sums(&whole.kernel[results->row[i].kernel], &results->row[i]);
	}
	for (int kind = 0; kind < 3 && err == 0; kind++) {
		err = kind == 0   ? add_all(advices, results, &whole, is_wasteful, add_sectors)
		      : kind == 1 ? add_all(advices, results, &whole, is_contended, add_atomics)
				  : add_all(advices, results, &whole, is_sparse, add_lanes);
		if (advices->count > done)
			qsort(advices->list + done, advices->count - done, sizeof(*advices->list),
			      compare_worth);
		done = advices->count;
	}
	free(whole.kernel);
	return err;
}

void ct_access_advices_fini(struct ct_access_advices *advices)
{
	free(advices->list);
	*advices = (struct ct_access_advices){.list = NULL};
}
