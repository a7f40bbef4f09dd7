/* SPDX-License-Identifier: Apache-2.0 */
/* Where the page stage is: at which page, run, warp, and what the next elements are of. */
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/pages/page.h"

#define RUNS_MAX (1u << 31)

void ct_page_next_warp(struct ct_value_page *page)
{
	page->warp++;
	page->aparts = 0;
}

/* Warps are numbered anew; cells of earlier runs do not count. */
static int begin_run(struct ct_value_page *page)
{
	const struct ct_value_step *step = &page->engine->step[page->at.step];
	uint32_t space = CT_VALUE_PAGE_SPACE(page->at.page);

	if (++page->run == RUNS_MAX) {
		memset(page->seen, 0, sizeof(page->seen));
		page->run = 1;
	}
	page->warp = 0;
	page->remembers = space == CT_PAGE_GLOBAL;
	page->learns = page->remembers && step->is_ordered;
	page->is_private = space == CT_PAGE_LOCAL;
	return page->remembers ? ct_history_begin_run(&page->history, page->at.step) : 0;
}

int ct_page_end_run(struct ct_value_page *page)
{
	int err;

	if (!page->is_begun)
		return 0;
	ct_cells_finish(page);
	page->is_begun = false;
	err = ct_run_count(page);
	if (err == 0 && page->remembers)
		err = ct_history_end_run(&page->history);
	return err == 0 && page->remembers ? ct_page_note_contents(page) : err;
}

static int begin_page(struct ct_value_page *page, uint64_t number)
{
	int err = ct_history_end_page(&page->history);

	memset(page->known, 0, sizeof(page->known));
	if (CT_VALUE_PAGE_SPACE(number) == CT_PAGE_GLOBAL)
		ct_history_begin_page(&page->history, number);
	return err;
}

/* Shared, local and constant memory is of a CTA. */
int ct_page_move(struct ct_value_page *page, const struct ct_value_place *place, bool *is_new)
{
	bool is_new_page = !page->is_begun || place->page != page->at.page;
	bool is_new_run = is_new_page || place->step != page->at.step ||
			  (!page->remembers && place->cta != page->at.cta);
	int err = is_new_run ? ct_page_end_run(page) : 0;

	*is_new = is_new_run;

	if (is_new_run) {
		if (is_new_page && err == 0)
			err = begin_page(page, place->page);
		page->at = *place;
		page->is_begun = true;
		if (err == 0)
			err = begin_run(page);
		ct_page_next_warp(page);
	} else if (place->cta != page->at.cta || place->warp != page->at.warp) {
		page->at = *place;
		ct_page_next_warp(page);
	}
	return err;
}

int ct_page_describe(struct ct_value_page *page, uint32_t site, uint32_t object, uint32_t log2)
{
	const struct ct_value_engine *engine = page->engine;
	const struct ct_value_step *step = &engine->step[page->at.step];
	uint32_t group = ct_objects_groups(engine->groups) - 1;
	int err;

	page->floor = UINT32_MAX;
	page->log2 = log2;
	page->bytes = 1u << log2;
	if (object != CT_NONE) {
		const struct ct_value_object *of = &engine->object[object];

		group = of->group;
		if (of->is_device && step->is_ordered)
			page->floor =
			    of->allocated_at > step->floor ? of->allocated_at : step->floor;
	}
	err = ct_value_rows_find(page->rows, step->kernel, group, site, &page->row);
	return err == 0 ? ct_run_note(page, page->row) : err;
}

int ct_page_end_sample(struct ct_value_page *page, uint64_t next_cta)
{
	const struct ct_value_sample *sample = &page->sample;
	int err = 0;

	for (uint64_t i = 0; i < 2 && err == 0; i++)
		if (sample->elements[i])
			err = ct_sums_add(
			    page->sums,
			    CT_VALUE_FACT_KEY(CT_VALUE_FACT_CTA_LOADS + i, sample->step),
			    sample->cta, sample->elements[i], sample->redundant[i]);
	page->sample = (struct ct_value_sample){.step = page->at.step, .cta = next_cta};
	return err;
}

int ct_page_sample(struct ct_value_page *page, uint32_t site, uint64_t elements, uint64_t redundant)
{
	unsigned i = page->engine->site[site].class != CT_CLASS_LOAD;
	uint64_t cta = page->engine->step[page->at.step].ctas ? page->at.cta : 0;
	int err = 0;

	if (page->sample.step != page->at.step || page->sample.cta != cta)
		err = ct_page_end_sample(page, cta);
	page->sample.elements[i] += elements;
	page->sample.redundant[i] += redundant;
	return err;
}
