/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about when objects live: by group, those with the same pattern together. */
#include "base/quantity.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARE_MIN 0.01 /* of the peak */

const char *ct_values_life_text(enum ct_values_life_id id)
{
	static const char *const text[] = {
#define X(id, name, fix) [CT_LIFE_##id] = name,
	    CT_VALUES_LIVES(X)
#undef X
	};

	return text[id];
}

static const char *fix_of(enum ct_values_life_id id)
{
	static const char *const text[] = {
#define X(id, name, fix) [CT_LIFE_##id] = fix,
	    CT_VALUES_LIVES(X)
#undef X
	};

	return text[id];
}

/* Objects of a group that have a pattern. */
struct found {
	uint64_t count, bytes;                 /* of all of them */
	uint64_t saved;                        /* at the peak, if none of them had it */
	const struct ct_values_lifetime *most; /* the largest one */
};

static void note(struct found *found, const struct ct_values_figures *figures,
		 const struct ct_values_lifetime *life, enum ct_values_life_id id)
{
	uint64_t bytes = life->object->event->bytes;

	found->count++;
	found->bytes += bytes;
	found->saved += ct_values_memory_saved(figures, life, id);
	if (!found->most || bytes > found->most->object->event->bytes)
		found->most = life;
}

static void place_of(struct ct_values_advice *advice, const struct ct_object_info *object)
{
	char line[24];

	ct_site_field(object->site, 1, advice->file, sizeof(advice->file));
	ct_site_field(object->site, 2, line, sizeof(line));
	advice->line = (uint32_t)strtoul(line, NULL, 10);
}

static const char *plural(uint32_t launches)
{
	return launches == 1 ? "" : "es";
}

static void describe(struct ct_values_advice *advice, const struct ct_values_figures *figures,
		     enum ct_values_life_id id, const struct found *found)
{
	const char *name = ct_values_group_text(figures, advice->group);
	const struct ct_values_lifetime *life = found->most;
	const struct ct_values_usage *usage = &life->usage;
	char count[CT_NUMBER_BYTES], bytes[CT_NUMBER_BYTES], what[96];
	const char *reused = life->reuses && life->reuses->name[0] ? life->reuses->name : "another";

	switch (id) {
	case CT_LIFE_UNUSED:
		snprintf(what, sizeof(what), "is never used");
		break;
	case CT_LIFE_LEAK:
		snprintf(what, sizeof(what), "is never freed");
		break;
	case CT_LIFE_EARLY:
		snprintf(what, sizeof(what), "is allocated %u launch%s before its first use",
			 life->early, plural(life->early));
		break;
	case CT_LIFE_LATE:
		snprintf(what, sizeof(what), "is freed %u launch%s after its last use", life->late,
			 plural(life->late));
		break;
	case CT_LIFE_REDUNDANT:
		snprintf(what, sizeof(what), "is first used when %s of its size no longer is",
			 reused);
		break;
	case CT_LIFE_IDLE:
		snprintf(what, sizeof(what), "is idle for %u launch%s between two uses", life->idle,
			 plural(life->idle));
		break;
	case CT_LIFE_DUPLICATE:
		snprintf(what, sizeof(what), "holds the same as %.60s",
			 life->twin && life->twin->name[0] ? life->twin->name : "another one");
		break;
	case CT_LIFE_OVERALLOCATED:
		snprintf(what, sizeof(what), "is used to %.1f %% by launches, gaps %.0f %% apart",
			 100 * (double)usage->used / (double)life->object->event->bytes,
			 100 * usage->fragmentation);
		break;
	case CT_LIFE_UNEVEN:
		snprintf(what, sizeof(what),
			 "has elements that are accessed unevenly: sd / mean %.2f at %.1f accesses",
			 usage->deviation, usage->mean);
		break;
	case CT_LIFE_SLICED:
		snprintf(what, sizeof(what), "is used by %u launch%s in slices of their own",
			 (unsigned)usage->launches, plural((uint32_t)usage->launches));
		break;
	case CT_LIFE_DEAD_WRITE:
		if (usage->written) {
			snprintf(what, sizeof(what),
				 "holds what nobody reads: %s of %s bytes written",
				 ct_number(usage->dead, bytes), ct_number(usage->written, count));
			break;
		}
		/* fall through */
	default:
		snprintf(what, sizeof(what), "is written %u time%s without being read",
			 life->dead_writes, life->dead_writes == 1 ? "" : "s");
	}
	snprintf(advice->text, CT_ADVICE_BYTES, "%s %s (%s of its allocations, %s bytes).", name,
		 what, ct_number(found->count, count), ct_number(found->bytes, bytes));
}

/* Of all that write what nobody reads of the group's objects. */
static double seconds_of_dead(const struct ct_values_figures *figures, uint32_t group)
{
	double seconds = 0;

	for (size_t i = 0; i < figures->deads; i++)
		if (figures->dead[i].group == group)
			seconds += ct_values_worth_of_write(
			    figures, &figures->node[figures->dead[i].node],
			    (double)figures->dead[i].bytes, (double)figures->dead[i].times);
	return seconds;
}

static int add_found(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		     uint32_t group, enum ct_values_life_id id, const struct found *found)
{
	struct ct_values_advice *advice = ct_values_advice_add(advices);

	if (!advice)
		return -ENOMEM;
	advice->pattern = ct_values_life_text(id);
	advice->fix = fix_of(id);
	advice->kernel = CT_NONE;
	advice->group = group;
	advice->is_memory = id != CT_LIFE_DEAD_WRITE || !found->most->usage.written;
	advice->share =
	    figures->memory.peak ? (double)found->saved / (double)figures->memory.peak : 0;
	advice->saved_bytes =
	    advice->is_memory ? (double)found->saved : (double)found->most->usage.dead;
	if (!advice->is_memory) {
		advice->share =
		    (double)found->most->usage.dead / (double)found->most->usage.written;
		advice->estimate = seconds_of_dead(figures, group);
	}
	place_of(advice, found->most->object);
	describe(advice, figures, id, found);
	return 0;
}

int ct_values_advise_lives(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures)
{
	struct found(*found)[CT_LIFE_PATTERNS] = calloc(figures->groups + 1, sizeof(*found));
	int err = found ? 0 : -ENOMEM;

	for (size_t i = 0; i < figures->lives && err == 0; i++)
		for (unsigned p = 0; p < CT_LIFE_PATTERNS; p++)
			if (figures->life[i].patterns >> p & 1)
				note(&found[figures->life[i].group][p], figures, &figures->life[i],
				     (enum ct_values_life_id)p);
	for (uint32_t g = 0; g < figures->groups && err == 0; g++)
		for (unsigned p = 0; p < CT_LIFE_PATTERNS && err == 0; p++)
			if (found[g][p].count &&
			    (double)found[g][p].bytes >= SHARE_MIN * (double)figures->memory.peak)
				err = add_found(advices, figures, g, (enum ct_values_life_id)p,
						&found[g][p]);
	free(found);
	return err;
}
