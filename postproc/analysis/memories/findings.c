/* SPDX-License-Identifier: Apache-2.0 */
/* In which memory data should live. */
#include "base/quantity.h"
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/access/words.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/memories/constants.h"
#include "postproc/analysis/memories/spills.h"
#include "postproc/analysis/memories/stores.h"
#include "postproc/analysis/memories/tiles.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/worthwhile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_MAX 5u
#define SAVED_MIN 0.05 /* of a kernel's time, as it is simulated */
#define SHARE_MIN 0.25 /* of a kernel's requests, where it is not */
/* The least share of a kernel's time: less is within the error of the prediction
 * (docs/validation.md). */
#define TILES_MIN 0.25
#define TIME_MIN 0.05 /* of the time of all kernels: what tiles and spills are looked for in */
#define REGISTERS_MOST 254u /* of a thread, that it uses if it has all there are */

/* Where the objects of a group are, if it has one. */
static struct ct_simulate_range range_of(const struct ct_access_results *access, uint32_t group)
{
	const struct ct_event_alloc *array = access->object[group]->event;

	return (struct ct_simulate_range){array->address / CT_SECTOR_BYTES,
					  (array->address + array->bytes + CT_SECTOR_BYTES - 1) /
					      CT_SECTOR_BYTES};
}

/* After a change of a kernel, of access->kernels. 0, with the part of the kernel's time that is
 * saved; 1: it is not known; -ENOMEM. */
static int simulate(double *saved, const struct ct_inquiry *inquiry, uint32_t number,
		    const struct ct_simulate_change *change)
{
	const struct ct_model_kernel *kernel =
	    ct_model_all_kernel(inquiry->model, inquiry->access->kernels.list[number].symbol);
	double seconds;
	int err;

	if (!kernel || !(kernel->simulation.cycles > 0))
		return 1;
	err = ct_model_change(&seconds, inquiry->model, kernel, change);
	*saved = err == 0 ? seconds / kernel->predicted : 0;
	return err;
}

static void add(struct ct_findings *findings, const struct ct_access_results *access,
		const struct ct_constant *constant, double saved)
{
	const struct ct_finding like = {
	    .analysis = "memories",
	    .id = CT_ID_CONSTANT_MEMORY,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_ACCESS_SECTION,
	    .figure = {100 * constant->share, "%"},
	    .worth = {constant->requests, "requests"},
	    .kernel_share = constant->share,
	    .kernel_estimate = saved,
	};
	const char *name = ct_access_group_text(access, constant->group);
	char place[256], number[2][CT_NUMBER_BYTES];

	ct_findings_add(
	    findings, &like,
	    "%s %s %s, all lanes of a warp at one address: %.0f %% of the kernel's requests.",
	    ct_access_place_text(constant->row, place, sizeof(place)),
	    ct_access_verb(constant->row), name, 100 * constant->share);
	ct_findings_because(findings,
			    "%s, which no traced kernel writes; %s requests, an element by %.0f %% "
			    "of a launch's warps",
			    ct_size(constant->bytes, number[0]),
			    ct_number((uint64_t)constant->requests, number[1]),
			    100 * constant->warps);
	ct_findings_fix(findings,
			"Put %s into constant memory (__constant__, cudaMemcpyToSymbol)%s, whose "
			"cache serves a warp's one address beside the loads of the others.",
			name,
			constant->bytes <= CT_ARGUMENT_BYTES
			    ? ", or pass it by value, in a structure among the kernel's arguments"
			    : "");
	ct_findings_at_site(findings, constant->row->unit, constant->row->site);
	ct_findings_at_object(findings, access->object[constant->group]);
	ct_findings_at_kernel(findings, access->kernels.list[constant->kernel].name);
}

static int find_constants(struct ct_findings *findings, const struct ct_inquiry *inquiry)
{
	struct ct_constants constants;
	size_t reported = 0;
	int err = ct_constants_init(&constants, inquiry->access);

	for (size_t i = 0; i < constants.count && reported < FINDINGS_MAX && err == 0; i++) {
		const struct ct_constant *constant = &constants.list[i];
		double saved = 0;
		int known;

		if (constant->requests < CT_WORTHWHILE_EVENTS ||
		    constant->share < CT_WORTHWHILE_KERNEL)
			continue;
		known = simulate(&saved, inquiry, constant->kernel,
				 &(struct ct_simulate_change){
				     .constant = range_of(inquiry->access, constant->group)});
		err = known < 0 ? known : 0;
		if (err < 0 || (known == 0 ? saved < SAVED_MIN : constant->share < SHARE_MIN))
			continue;
		add(findings, inquiry->access, constant, saved);
		reported++;
	}
	ct_constants_fini(&constants);
	return err;
}

static void add_overwritten(struct ct_findings *findings, const struct ct_access_results *access,
			    const struct ct_overwritten *stores, double saved)
{
	const struct ct_finding like = {
	    .analysis = "memories",
	    .id = CT_ID_OVERWRITTEN_STORES,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_ACCESS_SECTION,
	    .figure = {stores->times, "times"},
	    .worth = {stores->sectors * CT_SECTOR_BYTES, "B"},
	    .kernel_share = stores->share,
	    .kernel_estimate = saved,
	};
	char place[256], number[CT_NUMBER_BYTES];

	ct_findings_add(findings, &like,
			"%s stores each element of %s %.0f times in a launch, which loads none of "
			"them.",
			ct_access_place_text(stores->row, place, sizeof(place)),
			ct_access_group_text(access, stores->group), stores->times);
	ct_findings_because(
	    findings, "%s of sectors are stored redundantly, %.0f %% of the kernel's",
	    ct_size((uint64_t)(stores->sectors * CT_SECTOR_BYTES), number), 100 * stores->share);
	ct_findings_fix(findings,
			"Keep the value in a register, and store it once, behind the loop.");
	ct_findings_at_site(findings, stores->row->unit, stores->row->site);
	ct_findings_at_object(findings, access->object[stores->group]);
	ct_findings_at_kernel(findings, access->kernels.list[stores->kernel].name);
}

static int find_overwritten(struct ct_findings *findings, const struct ct_inquiry *inquiry)
{
	struct ct_overwrites overwrites;
	int err = ct_overwrites_init(&overwrites, inquiry->access);

	for (size_t i = 0; i < overwrites.count && i < FINDINGS_MAX && err == 0; i++) {
		const struct ct_overwritten *stores = &overwrites.list[i];
		/* The stores keep the compiler from loading what comes behind them ahead. */
		struct ct_simulate_change change = {.waits_late = true};
		double saved = 0;
		int known = 1;

		if (inquiry->access->objects[stores->group] == 1) {
			change.unwritten = range_of(inquiry->access, stores->group);
			known = simulate(&saved, inquiry, stores->kernel, &change);
		}
		err = known < 0 ? known : 0;
		saved *= 1 - 1 / stores->times;
		if (err == 0 && (known == 1 || saved >= SAVED_MIN))
			add_overwritten(findings, inquiry->access, stores, saved);
	}
	ct_overwrites_fini(&overwrites);
	return err;
}

/* An array that constant memory would serve is reported once. */
static void leave_reported(struct ct_stagings *tiles, const struct ct_findings *findings,
			   const struct ct_access_results *access)
{
	uint32_t kept = 0;

	for (uint32_t t = 0; t < tiles->count; t++) {
		bool is_reported = false;

		for (size_t i = 0; i < findings->count; i++)
			is_reported |=
			    findings->list[i].id == CT_ID_CONSTANT_MEMORY &&
			    findings->list[i].object[0] == access->object[tiles->list[t].group];
		if (!is_reported)
			tiles->list[kept++] = tiles->list[t];
	}
	tiles->count = kept;
}

/* "a", "a and b" */
static void put_names(FILE *out, const struct ct_stagings *tiles,
		      const struct ct_access_results *access)
{
	for (uint32_t t = 0; t < tiles->count; t++)
		fprintf(out, "%s%s",
			t == 0                  ? ""
			: t + 1 == tiles->count ? " and "
						: ", ",
			ct_access_group_text(access, tiles->list[t].group));
}

static int add_tiles(struct ct_findings *findings, const struct ct_access_results *access,
		     const struct ct_model_kernel *kernel, const struct ct_stagings *tiles,
		     double saved)
{
	const struct ct_staged *first = &tiles->list[0];
	const struct ct_finding like = {
	    .analysis = "memories",
	    .id = CT_ID_SHARED_MEMORY,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_ACCESS_SECTION,
	    .figure = {first->loaded / first->distinct, "times"},
	    .worth = {saved * kernel->predicted * kernel->launches, "s"},
	    .kernel_share = saved,
	    .kernel_estimate = saved,
	};
	char *names = NULL, place[256], number[CT_NUMBER_BYTES];
	size_t bytes;
	FILE *out = open_memstream(&names, &bytes);

	if (!out)
		return -ENOMEM;
	put_names(out, tiles, access);
	if (fclose(out) != 0)
		return free(names), -ENOMEM;
	ct_findings_add(
	    findings, &like,
	    "%s %s %s: a thread block loads each sector of it %.0f times, by %.0f of its warps.",
	    ct_access_place_text(first->row, place, sizeof(place)), ct_access_verb(first->row),
	    ct_access_group_text(access, first->group), first->loaded / first->distinct,
	    first->warps);
	ct_findings_because(
	    findings,
	    "%s of it a block, %.0f %% of the kernel's requests; simulated with what "
	    "is loaded again in shared memory",
	    ct_size((uint64_t)(first->distinct * CT_SECTOR_BYTES), number), 100 * first->requests);
	ct_findings_fix(
	    findings,
	    "Let the block load a part of %s into shared memory (__shared__, "
	    "__syncthreads) that all its threads then work on, one part after the other.",
	    names);
	free(names);
	ct_findings_at_site(findings, first->row->unit, first->row->site);
	for (uint32_t t = 0; t < tiles->count; t++)
		ct_findings_at_object(findings, access->object[tiles->list[t].group]);
	ct_findings_at_kernel(findings, kernel->name);
	return 0;
}

/* All arrays of a kernel together: one alone leaves the waits for the others. */
static int find_tiles_of(struct ct_findings *findings, const struct ct_inquiry *inquiry,
			 const struct ct_model_kernel *kernel)
{
	struct ct_simulate_range range[CT_TILES_ARRAYS];
	struct ct_simulate_change change = {.keeps_loads = true, .kept = range};
	struct ct_stagings tiles;
	double seconds;
	int err = ct_tiles_find(&tiles, inquiry->access, inquiry->model, kernel);

	leave_reported(&tiles, findings, inquiry->access);
	if (err < 0 || !tiles.count)
		return err;
	for (uint32_t t = 0; t < tiles.count; t++)
		range[t] = tiles.list[t].range;
	change.kept_ranges = tiles.count;
	err = ct_model_change(&seconds, inquiry->model, kernel, &change);
	if (err != 0 || seconds < TILES_MIN * kernel->predicted)
		return err < 0 ? err : 0;
	return add_tiles(findings, inquiry->access, kernel, &tiles, seconds / kernel->predicted);
}

/* Returns the share that they take of the kernel's time, beside what the simulation has, which
 * knows nothing of them: the loads of a warp one behind the other, or all of an SM's one in a
 * cycle, whichever is more. */
static double share_of_time(const struct ct_spills *spills, const struct ct_model_kernel *kernel,
			    const struct ct_machine *machine)
{
	double warps = kernel->warps * kernel->launches * kernel->recorded;
	double waves = fmax(kernel->ctas / (machine->sm_count * kernel->resident), 1);
	double waited = spills->loads / warps * machine->l1_latency * waves;
	double of_sm = kernel->warps / fmin(kernel->ctas, machine->sm_count);
	double served = (spills->loads + spills->stores) / warps * of_sm;
	double cycles = fmax(waited, served);

	return cycles / (cycles + kernel->simulation.cycles);
}

static void add_spills(struct ct_findings *findings, const struct ct_model_kernel *kernel,
		       const struct ct_spills *spills, double share, double estimate)
{
	const struct ct_finding like = {
	    .analysis = "memories",
	    .id = CT_ID_SPILLS,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_ACCESS_SECTION,
	    .figure = {100 * share, "%"},
	    .worth = {spills->loads + spills->stores, "requests"},
	    .kernel_share = share,
	    .kernel_estimate = estimate,
	};
	double warps = kernel->warps * kernel->launches * kernel->recorded;
	char name[CT_BRIEF_NAME_BYTES];

	ct_findings_add(
	    findings, &like,
	    "%s keeps registers in local memory: %.0f %% of what its warps ask memory for.",
	    ct_shown_name(kernel->name, name), 100 * share);
	ct_findings_because(findings,
			    "%.0f loads and %.0f stores of a warp that are not in the source, %u "
			    "registers of a thread",
			    spills->loads / warps, spills->stores / warps, spills->registers);
	ct_findings_fix(
	    findings, "%s",
	    spills->registers >= REGISTERS_MOST
		? "Let a thread do less at a time: divide the kernel, or unroll its loops "
		  "less; a thread cannot have more registers."
		: "Let a thread have more registers: __launch_bounds__ with fewer blocks, "
		  "or threads, or a larger -maxrregcount; or inline the functions that "
		  "save registers when they are called (__forceinline__).");
	ct_findings_at_kernel(findings, kernel->name);
}

static int find_spills_of(struct ct_findings *findings, const struct ct_inquiry *inquiry,
			  const struct ct_model_kernel *kernel)
{
	struct ct_spills spills;
	double requests = ct_access_requests_of(inquiry->access, kernel->symbol), all, share,
	       estimate;
	int err = ct_spills_find(&spills, inquiry, kernel);

	all = spills.loads + spills.stores;
	share = all > 0 ? all / (all + requests) : 0;
	estimate = fmin(share, share_of_time(&spills, kernel, &inquiry->model->machine));
	if (err == 0 && all >= CT_WORTHWHILE_EVENTS && estimate >= SAVED_MIN)
		add_spills(findings, kernel, &spills, share, estimate);
	return err < 0 ? err : 0;
}

static int find_by_model(struct ct_findings *findings, const struct ct_inquiry *inquiry)
{
	const struct ct_model_all *model = inquiry->model;
	int err = 0;

	for (size_t i = 0; model && i < model->kernels && err == 0; i++) {
		const struct ct_model_kernel *kernel = &model->kernel[i];

		if (kernel->simulation.cycles > 0 && !ct_model_is_launching(kernel) &&
		    kernel->predicted * kernel->launches >= TIME_MIN * model->seconds)
			err = find_tiles_of(findings, inquiry, kernel);
		if (err == 0 && kernel->predicted * kernel->launches >= TIME_MIN * model->seconds)
			err = find_spills_of(findings, inquiry, kernel);
	}
	return err;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	int err = find_constants(findings, inquiry);

	(void)job;
	if (err == 0)
		err = find_overwritten(findings, inquiry);
	if (err == 0)
		err = find_by_model(findings, inquiry);
	return err < 0 ? err : findings->err;
}

const struct ct_finder ct_memories_finder = {
    .needs = CT_STUDY(access) | CT_STUDY(model),
    .find = find,
};
