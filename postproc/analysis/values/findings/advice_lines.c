/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about redundant loads, stores and atomics, line by line. */
#include "base/quantity.h"
#include "postproc/analysis/values/findings/findings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define REDUNDANT_MIN 0.25 /* of a line's elements */
#define NEAR_SHARE 0.01
#define CHIP_MIN 0.9 /* of what a line loads from shared memory */
/* So many of a line's elements are worth code that distinguishes them from the others: where
 * fewer stores leave memory as it was they do so by chance, and the test costs a load. */
#define LOADS_MIN 0.5
#define STORES_MIN 0.9
#define PART_MIN 0.9 /* of what a line loads again: of one group of objects */

static const char *last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* "main.cu:12", or "main.cu" without a line. */
static const char *place_text(const struct ct_place *place, char text[CT_VALUES_LINE_BYTES])
{
	if (place->line)
		snprintf(text, CT_VALUES_LINE_BYTES, "%s:%u", last_part(place->file), place->line);
	else
		snprintf(text, CT_VALUES_LINE_BYTES, "%s", last_part(place->file));
	return text;
}

static bool is_shared(const struct ct_values_line *line)
{
	return line->unit->sites[line->site].space == CT_SPACE_SHARED;
}

static bool is_of_line(const struct ct_values_figures *figures, const struct ct_values_row *row,
		       const struct ct_values_line *line)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];
	struct ct_place place;

	if (row->kernel != line->kernel || site->operation != line->operation ||
	    (figures->object[row->group] != NULL) != line->has_object)
		return false;
	place = ct_place_of(row->unit, site);
	return place.line == line->place.line && !strcmp(place.file, line->place.file);
}

/* Whether the kernel stores to what the line loads from. */
static bool is_stored_to(const struct ct_values_figures *figures, const struct ct_values_line *line)
{
	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];

		if (!is_of_line(figures, row, line))
			continue;
		for (size_t j = 0; j < figures->rows; j++)
			if (figures->row[j].kernel == row->kernel &&
			    figures->row[j].group == row->group &&
			    figures->row[j].class != CT_CLASS_LOAD)
				return true;
	}
	return false;
}

/* The last access before a line's redundant loads that most of them have; NULL: it is not known. */
static const struct ct_values_pair *loaded_before(const struct ct_values_figures *figures,
						  const struct ct_values_line *line)
{
	for (size_t i = 0; i < figures->pairs; i++) {
		const struct ct_values_pair *pair = &figures->pair[i];
		struct ct_place place;

		if (pair->is_store || pair->kernel != line->kernel)
			continue;
		place = ct_place_of(pair->unit, &pair->unit->sites[pair->site]);
		if (place.line == line->place.line && !strcmp(place.file, line->place.file))
			return pair;
	}
	return NULL;
}

static void put_evidence(struct ct_values_advice *advice, const struct ct_values_figures *figures,
			 const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;
	const struct ct_values_pair *pair;
	char number[3][CT_NUMBER_BYTES], place[CT_VALUES_LINE_BYTES];

	if (line->class == CT_CLASS_LOAD && (pair = loaded_before(figures, line))) {
		struct ct_place old =
		    ct_place_of(pair->old_unit, &pair->old_unit->sites[pair->old_site]);

		snprintf(advice->evidence, CT_ADVICE_BYTES, "Most of them were loaded at %s last",
			 place_text(&old, place));
	} else if (line->class == CT_CLASS_STORE && c->found) {
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "Counted on the device (tier values); a full trace shows whether the "
			 "thread itself had loaded or stored them");
	} else if (line->class == CT_CLASS_STORE) {
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "%s as the thread had loaded or stored it, %s as memory held it before "
			 "the launch, %s as all other threads stored it",
			 ct_number(c->silent, number[0]), ct_number(c->known, number[1]),
			 ct_number(c->agreed, number[2]));
	}
}

/* Where the redundancy of a line comes from, mostly. */
static void explain_line(struct ct_values_advice *advice, const struct ct_values_figures *figures,
			 const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;

	if (line->class == CT_CLASS_LOAD) {
		advice->id = CT_ID_REDUNDANT_LOADS;
		advice->fix = is_shared(line)
				  ? "Keep the value in a register from one use to the next"
			      : is_stored_to(figures, line)
				  ? "Keep the value in a register, where no other thread stores "
				    "there meanwhile: the kernel stores to what it loads from, so "
				    "the compiler may not"
				  : "Keep the value in a register, or many of them in shared "
				    "memory: load it once before the loop, or declare the pointer "
				    "const __restrict__, so that the compiler may";
	} else if (line->class == CT_CLASS_ATOMIC) {
		advice->id = CT_ID_REDUNDANT_ATOMICS;
		advice->fix = "Skip the atomic where it changes nothing: test its operand, or what "
			      "a plain load finds";
	} else if (c->found) {
		advice->id = CT_ID_UNCHANGED_STORES;
		advice->fix = "Store only if the value has changed, launch only for what has "
			      "changed, or drop the initialisation: memory held these values "
			      "right before";
	} else if (c->known >= c->silent && c->known >= c->agreed) {
		advice->id = CT_ID_UNCHANGED_STORES;
		advice->fix =
		    "Launch only for what has changed, or drop the initialisation: memory "
		    "held these values before the launch";
	} else if (c->silent >= c->agreed) {
		advice->id = CT_ID_SILENT_STORES;
		advice->fix = "Store once behind the loop, or only if the value has changed: the "
			      "thread has just loaded or stored the same there";
	} else {
		advice->id = CT_ID_AGREEING_STORES;
		advice->fix = "Let one thread store: all that store there store the same value";
	}
}

/* The sectors of a line's requests that are avoided. */
static struct ct_values_traffic avoided_of(const struct ct_values_figures *figures,
					   const struct ct_values_line *line)
{
	struct ct_values_traffic all = {.sectors = {0}};

	for (size_t i = 0; i < figures->rows; i++) {
		if (is_of_line(figures, &figures->row[i], line))
			ct_values_traffic_add(&all, figures, i, 1);
	}
	return ct_values_traffic_nearest(&all, (double)line->counts.avoided);
}

struct ct_values_saved ct_values_line_saved(const struct ct_values_figures *figures,
					    const struct ct_values_line *line)
{
	struct ct_values_advice advice = {.kernel = CT_NONE};
	struct ct_values_traffic avoided;

	if (!figures->seconds || !(figures->seconds[line->kernel] > 0) || !line->counts.avoided)
		return (struct ct_values_saved){0, 0};
	avoided = avoided_of(figures, line);
	ct_values_advice_avoid(&advice, figures, line->kernel, (double)line->counts.avoided,
			       &avoided);
	return (struct ct_values_saved){advice.seconds, advice.estimate};
}

/* Returns what the line's requests move, of whatever objects. */
static struct ct_values_subject subject_of_line(const struct ct_values_figures *figures,
						const struct ct_values_line *line)
{
	struct ct_values_subject subject = {.group = line->group};

	for (size_t i = 0; i < figures->rows; i++)
		if (is_of_line(figures, &figures->row[i], line))
			subject.moved_bytes += ct_values_row_traffic(&figures->row[i]);
	return subject;
}

/* As memory was before the launch, of a kernel that is launched again and again: mostly with the
 * same inputs. */
static bool is_repeated(const struct ct_values_figures *figures, const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;

	return line->class == CT_CLASS_STORE && figures->kernel[line->kernel].launches > 1 &&
	       c->known >= c->silent && c->known >= c->agreed;
}

/* A kernel that stores mostly one value is an initialisation. */
static bool is_fill(const struct ct_values_figures *figures, const struct ct_values_line *line)
{
	for (size_t i = 0; i < figures->sets; i++) {
		const struct ct_values_set *set = &figures->set[i];

		if (set->kernel == line->kernel && set->group == line->group && set->is_store)
			return set->tops && 2 * set->top[0].elements >= set->elements;
	}
	return true;
}

/* Another kernel has computed the same before, of many values: two ways to a result are compared,
 * which is no initialisation that could be dropped. */
static bool is_other_way(const struct ct_values_figures *figures, const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;
	uint64_t others = 0, rest = 0;

	if (line->class != CT_CLASS_STORE || c->known < c->silent || c->known < c->agreed)
		return false;
	for (size_t i = 0; i < figures->flows; i++) {
		const struct ct_values_flow *flow = &figures->flow[i];
		const struct ct_values_node *to = &figures->node[flow->to], *from;

		if (flow->group != line->group || !to->launch || to->kernel != line->kernel)
			continue;
		from = flow->from == CT_NODE_ALLOC ? NULL : &figures->node[flow->from];
		*(from && from->launch && from->kernel != line->kernel ? &others : &rest) +=
		    flow->same;
	}
	return others > rest && !is_fill(figures, line);
}

/* A line accesses this in one group of objects. */
struct part {
	uint32_t group;
	uint64_t elements, redundant;
};

static struct part part_of(const struct ct_values_figures *figures,
			   const struct ct_values_line *line, uint32_t group)
{
	struct part part = {.group = group};

	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];

		if (row->group != group || !is_of_line(figures, row, line))
			continue;
		part.elements += row->counts.elements;
		part.redundant += ct_values_redundant(&row->counts, row->class);
	}
	return part;
}

/* The objects that nearly all of what a line loads again is of, if it loads others beside them: of
 * a[i] * b what the line loads of b. false: there are none. */
static bool find_part(struct part *part, const struct ct_values_figures *figures,
		      const struct ct_values_line *line)
{
	*part = (struct part){line->group, line->counts.elements, ct_values_line_redundant(line)};
	for (size_t i = 0; line->class == CT_CLASS_LOAD && i < figures->rows; i++) {
		if (!is_of_line(figures, &figures->row[i], line))
			continue;
		struct part found = part_of(figures, line, figures->row[i].group);

		if ((double)found.redundant < PART_MIN * (double)ct_values_line_redundant(line))
			continue;
		*part = found;
		return found.elements < line->counts.elements;
	}
	return false;
}

static int add_line(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		    const struct ct_values_line *line)
{
	static const char *const what[] = {
	    [CT_CLASS_LOAD] = "load what the thread had loaded",
	    [CT_CLASS_STORE] = "store what was there",
	    [CT_CLASS_ATOMIC] = "leave memory as it was",
	};
	const struct ct_values_counts *c = &line->counts;
	struct part part;
	bool is_part = find_part(&part, figures, line);
	double share = (double)part.redundant / (double)part.elements;
	double of_line = (double)part.redundant / (double)c->elements;
	struct ct_values_subject subject = subject_of_line(figures, line);
	struct ct_values_traffic avoided = avoided_of(figures, line);
	struct ct_values_advice *advice =
	    ct_values_advice_add(advices, CT_IDS, &subject, of_line * subject.moved_bytes);
	char number[2][CT_NUMBER_BYTES], object[CT_VALUES_LINE_BYTES], place[CT_VALUES_LINE_BYTES];

	if (!advice)
		return -ENOMEM;
	explain_line(advice, figures, line);
	ct_values_advice_avoid(advice, figures, line->kernel, (double)c->avoided, &avoided);
	ct_values_advice_set_line(advice, line->unit, line->site);
	advice->share = share;
	/* Others may have stored to shared memory meanwhile, by chance what was there. */
	advice->is_fact = is_shared(line) || is_repeated(figures, line) ||
			  is_other_way(figures, line) ||
			  share < (line->class == CT_CLASS_STORE ? STORES_MIN : LOADS_MIN);
	snprintf(advice->text, CT_ADVICE_BYTES, "%.1f %% of %s's accesses to %s %s: %s of %s.",
		 100 * advice->share, place_text(&line->place, place),
		 is_part ? ct_values_group_text(figures, part.group)
			 : ct_values_line_text(figures, line, object),
		 what[line->class], ct_number(part.redundant, number[0]),
		 ct_number(part.elements, number[1]));
	put_evidence(advice, figures, line);
	return 0;
}

/* Whether it is launches that store what was there: as many as the line's stores that do. That is
 * reported these. */
static bool is_of_launches(const struct ct_values_figures *figures,
			   const struct ct_values_line *line)
{
	double launches = 0, unchanged = 0;

	for (size_t i = 0; i < figures->contexts; i++) {
		const struct ct_values_context *context = &figures->context[i];

		launches += context->kernel == line->kernel ? (double)context->launches : 0;
		unchanged += context->kernel == line->kernel ? (double)context->unchanged : 0;
	}
	return unchanged > 0 && line->class == CT_CLASS_STORE &&
	       (double)ct_values_line_redundant(line) / (double)line->counts.elements <=
		   unchanged / launches + NEAR_SHARE;
}

/* The size of what is no object is not known; but threads may keep what they load of shared
 * memory again. Where others have stored meanwhile what was there, it is by chance. */
static bool can_be_advised(const struct ct_values_line *line)
{
	if (line->unit->sites[line->site].flags & CT_SITE_VOLATILE)
		return false; /* the program wants it so: it waits for another thread */
	return line->has_object ||
	       (is_shared(line) && line->class == CT_CLASS_LOAD &&
		(double)ct_values_line_redundant(line) >= CHIP_MIN * (double)line->counts.elements);
}

int ct_values_advise_lines(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines, double least)
{
	int err = 0;

	for (size_t i = 0; i < lines->count && err == 0; i++) {
		const struct ct_values_line *line = &lines->list[i];

		if ((double)ct_values_line_redundant(line) >=
			REDUNDANT_MIN * (double)line->counts.elements &&
		    (double)ct_values_line_redundant_bytes(line) >= least &&
		    ct_values_line_redundant(line) && !is_of_launches(figures, line) &&
		    can_be_advised(line))
			err = add_line(advices, figures, line);
	}
	return err;
}
