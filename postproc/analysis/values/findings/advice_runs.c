/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about launches, copies and memsets that leave memory as it was. */
#include "base/quantity.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/facts/folded_name.h"
#include "postproc/symbols/path_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_MIN 0.25 /* of the bytes, or of the launches */

static void place_of(struct ct_values_advice *advice, const char *site)
{
	char line[24];

	ct_site_field(site, 1, advice->file, sizeof(advice->file));
	ct_site_field(site, 2, line, sizeof(line));
	advice->line = (uint32_t)strtoul(line, NULL, 10);
}

static double traffic_of_kernel(const struct ct_values_figures *figures, uint32_t kernel)
{
	double bytes = 0;

	for (size_t i = 0; i < figures->rows; i++)
		bytes +=
		    figures->row[i].kernel == kernel ? ct_values_row_traffic(&figures->row[i]) : 0;
	return bytes;
}

static uint64_t launches_of_kernel(const struct ct_values_figures *figures, uint32_t kernel)
{
	uint64_t launches = 0;

	for (size_t i = 0; i < figures->contexts; i++)
		launches += figures->context[i].kernel == kernel ? figures->context[i].launches : 0;
	return launches;
}

/* Sums the launches of one line, whoever calls it, without what only repeats. */
static uint64_t unchanged_at(const struct ct_values_figures *figures,
			     const struct ct_values_context *at)
{
	uint64_t unchanged = 0;

	for (size_t i = 0; i < figures->contexts; i++) {
		const struct ct_values_context *context = &figures->context[i];

		if (context->kernel == at->kernel && !strcmp(context->first->site, at->first->site))
			unchanged += context->unchanged - context->repeats;
	}
	return unchanged;
}

/* The table has all of a path that is too long to be read here. */
static int tell_path(struct ct_values_advice *advice, const struct ct_values_figures *figures,
		     uint32_t path)
{
	char *text;

	if (!path)
		return 0;
	text = ct_host_path_text(figures->paths, path);
	if (text && strlen(text) < CT_ADVICE_BYTES - 40)
		snprintf(advice->evidence, CT_ADVICE_BYTES, "The host's call path is %s.", text);
	free(text);
	return text ? 0 : -ENOMEM;
}

static int add_context(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		       const struct ct_values_context *context, double least)
{
	struct ct_values_subject subject = {.group = (uint32_t)figures->groups - 1};
	struct ct_values_advice *advice;
	char number[2][CT_NUMBER_BYTES], brief[CT_BRIEF_NAME_BYTES];
	double part;

	if (!context->unchanged ||
	    (double)context->unchanged < SAME_MIN * (double)context->launches)
		return 0;
	part = (double)context->unchanged / (double)launches_of_kernel(figures, context->kernel);
	subject.moved_bytes = traffic_of_kernel(figures, context->kernel);
	if (part * subject.moved_bytes < least)
		return 0;
	advice = ct_values_advice_add(advices, CT_ID_UNCHANGED_OUTPUT, &subject,
				      part * subject.moved_bytes);
	if (!advice)
		return -ENOMEM;
	advice->fix =
	    context->launches == 1
		? "Leave the launch out, if it is so with any input: it stores what memory holds"
		: "Skip the launch where its inputs are as they were, or launch it for what has "
		  "changed: it stores what memory holds";
	advice->share = (double)context->unchanged / (double)context->launches;
	advice->is_fact = unchanged_at(figures, context) <= 1; /* by chance, or it is a test */
	ct_values_advice_skip(advice, figures, context->kernel, part);
	place_of(advice, context->first->site);
	snprintf(
	    advice->text, CT_ADVICE_BYTES,
	    "%s of %s launches of %.120s leave memory as it was: all that they store was there.",
	    ct_number(context->unchanged, number[0]), ct_number(context->launches, number[1]),
	    ct_shown_name(figures->kernel[context->kernel].name, brief));
	return tell_path(advice, figures, context->path);
}

/* Sums one call and group. */
struct moved {
	const struct ct_values_transfer *first;
	uint64_t count, bytes, same;
	double seconds; /* that what was there took; 0: not known */
};

static bool is_like(const struct ct_values_transfer *a, const struct ct_values_transfer *b)
{
	return a->group == b->group && a->transfer->event->kind == b->transfer->event->kind;
}

static int compare_like(const void *a, const void *b)
{
	const struct ct_values_transfer *x = *(const struct ct_values_transfer *const *)a;
	const struct ct_values_transfer *y = *(const struct ct_values_transfer *const *)b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->transfer->event->kind != y->transfer->event->kind)
		return x->transfer->event->kind < y->transfer->event->kind ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Those that write nothing else could be left out. */
static double seconds_of_same(const struct ct_values_figures *figures,
			      const struct ct_values_transfer *transfer)
{
	bool is_all = transfer->same && transfer->same == transfer->bytes;

	return ct_values_worth_of_write(figures, &figures->node[transfer->node],
					(double)transfer->same, is_all);
}

static int add_moved(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		     const struct moved *moved, double least)
{
	bool is_set = moved->first->transfer->event->kind == CT_TRANSFER_SET;
	const struct ct_object_info *object = figures->object[moved->first->group];
	const struct ct_values_subject subject = {.group = moved->first->group,
						  .moved_bytes = (double)moved->bytes};
	struct ct_values_advice *advice;
	char number[3][CT_NUMBER_BYTES];

	if (!moved->same || (double)moved->same < least ||
	    (double)moved->same < SAME_MIN * (double)moved->bytes)
		return 0;
	advice =
	    ct_values_advice_add(advices, is_set ? CT_ID_REDUNDANT_MEMSET : CT_ID_REDUNDANT_COPY,
				 &subject, (double)moved->same);
	if (!advice)
		return -ENOMEM;
	advice->fix = is_set
			  ? "Drop the memset, or do it only once: memory held the value already"
			  : "Drop the copy where nothing has changed: the target held these bytes "
			    "already";
	advice->share = (double)moved->same / (double)moved->bytes;
	advice->estimate = moved->seconds;
	if (object)
		place_of(advice, object->site);
	snprintf(advice->text, CT_ADVICE_BYTES,
		 "%s of %s bytes that %s to %s were there already (%s call%s, as %s).",
		 ct_number(moved->same, number[0]), ct_number(moved->bytes, number[1]),
		 is_set ? "memsets write" : "copies write",
		 ct_values_group_text(figures, moved->first->group),
		 ct_number(moved->count, number[2]), moved->count == 1 ? "" : "s",
		 moved->first->transfer->call);
	return 0;
}

static int advise_transfers(struct ct_values_advices *advices,
			    const struct ct_values_figures *figures, double least)
{
	const struct ct_values_transfer **list = malloc((figures->transfers + 1) * sizeof(*list));
	struct moved moved = {.first = NULL};
	int err = list ? 0 : -ENOMEM;

	for (size_t i = 0; i < figures->transfers && err == 0; i++)
		list[i] = &figures->transfer[i];
	if (err == 0 && figures->transfers)
		qsort(list, figures->transfers, sizeof(*list), compare_like);
	for (size_t i = 0; i < figures->transfers && err == 0; i++) {
		if (moved.first && !is_like(moved.first, list[i])) {
			err = add_moved(advices, figures, &moved, least);
			moved = (struct moved){.first = NULL};
		}
		moved.first = moved.first ? moved.first : list[i];
		moved.count++;
		moved.bytes += list[i]->bytes;
		moved.same += list[i]->same;
		moved.seconds += seconds_of_same(figures, list[i]);
	}
	if (err == 0 && moved.first)
		err = add_moved(advices, figures, &moved, least);
	free(list);
	return err;
}

int ct_values_advise_runs(struct ct_values_advices *advices,
			  const struct ct_values_figures *figures, double least)
{
	int err = 0;

	for (size_t i = 0; i < figures->contexts && err == 0; i++)
		err = add_context(advices, figures, &figures->context[i], least);
	return err == 0 ? advise_transfers(advices, figures, least) : err;
}
