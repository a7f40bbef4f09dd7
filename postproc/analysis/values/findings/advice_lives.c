/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about when objects live: by group, those with the same pattern together. */
#include "base/quantity.h"
#include "postproc/analysis/values/figures/memory.h"
#include "postproc/analysis/values/findings/findings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARE_MIN 0.01 /* of the peak */
#define WHAT_BYTES 160u

const char *ct_values_life_text(enum ct_values_life_id id)
{
	static const char *const text[] = {
#define X(id, name, fix) [CT_LIFE_##id] = name,
	    CT_VALUES_LIVES(X)
#undef X
	};

	return text[id];
}

static enum ct_finding_id finding_of(enum ct_values_life_id id)
{
	static const enum ct_finding_id of[] = {
#define X(id, name, fix) [CT_LIFE_##id] = CT_ID_##id,
	    CT_VALUES_LIVES(X)
#undef X
	};

	return of[id];
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
	uint64_t written, dead;                /* in all; of these redundant */
	const struct ct_values_lifetime *most; /* the largest one */
};

static void note(struct found *found, const struct ct_values_figures *figures,
		 const struct ct_values_lifetime *life, enum ct_values_life_id id)
{
	uint64_t bytes = life->object->event->bytes;

	found->count++;
	found->written += life->usage.written;
	found->dead += life->usage.dead;
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

/* ", bytes 8 to 15 of each 16"; "": no more is known than how many. */
static const char *part_text(const struct ct_unread_range *unread, char text[WHAT_BYTES])
{
	char first[CT_NUMBER_BYTES], last[CT_NUMBER_BYTES];
	int used;

	*text = 0;
	if (!unread->end)
		return text;
	used = unread->end - unread->first == 1
		   ? snprintf(text, WHAT_BYTES, ", byte %s", ct_number(unread->first, first))
		   : snprintf(text, WHAT_BYTES, ", bytes %s to %s", ct_number(unread->first, first),
			      ct_number(unread->end - 1, last));
	if (unread->period)
		snprintf(text + used, WHAT_BYTES - (size_t)used, " of each %u", unread->period);
	return text;
}

/* The whole object is what is not read at the end. */
static bool is_last_write(const struct ct_values_lifetime *life)
{
	return life->usage.unread.bytes == life->object->event->bytes;
}

/* Describes what is overwritten before it is read, and what is there at the end. */
static void describe_dead(const struct ct_values_lifetime *life, char what[WHAT_BYTES])
{
	const struct ct_values_usage *usage = &life->usage;
	char buffer[2][CT_NUMBER_BYTES], part[WHAT_BYTES];
	const char *written = ct_number(usage->written, buffer[0]);
	uint64_t unread = usage->unread.bytes, overwritten = usage->dead - unread;

	if (usage->dead == usage->written)
		snprintf(what, WHAT_BYTES, "is never read: all %s bytes that are written", written);
	else if (unread >= overwritten && is_last_write(life))
		snprintf(what, WHAT_BYTES,
			 "is not read after it is written last: %s of %s bytes written",
			 ct_number(unread, buffer[1]), written);
	else if (unread >= overwritten)
		snprintf(what, WHAT_BYTES, "is read in part: %s of %s bytes written are not%s",
			 ct_number(unread, buffer[1]), written, part_text(&usage->unread, part));
	else
		snprintf(what, WHAT_BYTES, "is overwritten: %s of %s bytes before they are read",
			 ct_number(overwritten, buffer[1]), written);
}

/* Whether it is the last of the launches of a kernel from a line, by whatever callers, as of what
 * goes on from step to step: that these are not read is no fault. Copies are of one node whatever
 * they copy to. */
static bool is_last_of_many(const struct ct_values_figures *figures,
			    const struct ct_values_dead *dead)
{
	const struct ct_values_node *node = &figures->node[dead->node];
	uint64_t launches = 0, in_vain = 0;

	if (node->way != CT_VALUES_LAUNCH)
		return false;
	for (size_t i = 0; i < figures->nodes; i++)
		launches +=
		    ct_values_is_place(node, &figures->node[i]) ? figures->node[i].times : 0;
	for (size_t i = 0; i < figures->deads; i++)
		in_vain += figures->dead[i].group == dead->group &&
				   ct_values_is_place(node, &figures->node[figures->dead[i].node])
			       ? figures->dead[i].times
			       : 0;
	return launches > 1 && in_vain <= 1;
}

/* Bytes of the group's objects that are written redundantly; and the write that most of them are
 * of. */
static uint64_t count_dead(const struct ct_values_figures *figures, uint32_t group,
			   const struct ct_values_dead **most)
{
	uint64_t bytes = 0;

	*most = NULL;
	for (size_t i = 0; i < figures->deads; i++) {
		const struct ct_values_dead *dead = &figures->dead[i];

		if (dead->group != group || is_last_of_many(figures, dead))
			continue;
		bytes += dead->bytes;
		if (!*most || dead->bytes > (*most)->bytes)
			*most = dead;
	}
	return bytes;
}

/* Whether it can be said what is not needed: all, a part of the object, or a write of which nothing
 * reads anything. */
static bool is_definite(const struct ct_values_usage *usage, const struct ct_values_dead *most)
{
	if (usage->dead == usage->written)
		return true;
	return usage->unread.bytes >= usage->dead - usage->unread.bytes ? usage->unread.end > 0
									: most && most->times;
}

static const char *fix_of_dead(const struct ct_values_lifetime *life)
{
	const struct ct_values_usage *usage = &life->usage;

	if (usage->dead == usage->written || !usage->written)
		return fix_of(CT_LIFE_DEAD_WRITE);
	if (usage->unread.bytes >= usage->dead - usage->unread.bytes && is_last_write(life))
		return fix_of(CT_LIFE_DEAD_WRITE);
	return usage->unread.bytes >= usage->dead - usage->unread.bytes
		   ? "Copy, set or compute there only what is read"
		   : "Leave out the write that the next one overwrites";
}

static void describe(struct ct_values_advice *advice, const struct ct_values_figures *figures,
		     enum ct_values_life_id id, const struct found *found)
{
	const char *name = ct_values_group_text(figures, advice->subject.group);
	const struct ct_values_lifetime *life = found->most;
	const struct ct_values_usage *usage = &life->usage;
	char count[CT_NUMBER_BYTES], bytes[CT_NUMBER_BYTES], what[WHAT_BYTES];
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
			describe_dead(life, what);
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

/* Sums all that write what is not read of the group's objects; 0: of one of them it is not known.
 */
static double seconds_of_dead(const struct ct_values_figures *figures, uint32_t group)
{
	double seconds = 0;

	for (size_t i = 0; i < figures->deads; i++) {
		const struct ct_values_dead *dead = &figures->dead[i];
		double own;

		if (dead->group != group)
			continue;
		own = ct_values_worth_of_write(figures, &figures->node[dead->node],
					       (double)dead->bytes, (double)dead->times);
		if (!(own > 0))
			return 0;
		seconds += own;
	}
	return seconds;
}

/* Advice that takes nothing from the peak is no advice, but for what is not needed at all and for
 * what is left behind again and again. */
static bool is_worth_it(enum ct_values_life_id id, const struct found *found)
{
	return found->saved || id == CT_LIFE_UNUSED || id == CT_LIFE_DEAD_WRITE ||
	       (id == CT_LIFE_LEAK && found->count > 1);
}

static int add_found(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		     const struct ct_values_subject *object, enum ct_values_life_id id,
		     const struct found *found)
{
	const struct ct_values_usage *usage = &found->most->usage;
	bool is_traffic = id == CT_LIFE_DEAD_WRITE && usage->written;
	struct ct_values_subject subject = *object;
	const struct ct_values_dead *dead;
	uint64_t in_vain = count_dead(figures, object->group, &dead);
	char node[CT_VALUES_NODE_BYTES], bytes[CT_NUMBER_BYTES];
	struct ct_values_advice *advice;

	if (is_traffic && (!is_definite(usage, dead) || in_vain < usage->dead))
		return 0;
	subject.moved_bytes = is_traffic ? (double)found->written : (double)object->object_bytes;
	advice = ct_values_advice_add(advices, finding_of(id), &subject,
				      is_traffic ? (double)found->dead : (double)found->saved);
	if (!advice)
		return -ENOMEM;
	advice->fix = fix_of(id);
	advice->is_memory = !is_traffic;
	advice->share =
	    figures->memory.peak ? (double)found->saved / (double)figures->memory.peak : 0;
	if (is_traffic) {
		advice->fix = fix_of_dead(found->most);
		advice->share = (double)usage->dead / (double)usage->written;
		advice->estimate = seconds_of_dead(figures, object->group);
	}
	if (is_traffic && dead)
		snprintf(advice->evidence, CT_ADVICE_BYTES, "Most of it by %.240s: %s bytes",
			 ct_values_node_text(figures, dead->node, node),
			 ct_number(dead->bytes, bytes));
	place_of(advice, found->most->object);
	describe(advice, figures, id, found);
	return 0;
}

int ct_values_advise_lives(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_subject *subject)
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
			    is_worth_it((enum ct_values_life_id)p, &found[g][p]) &&
			    (double)found[g][p].bytes >= SHARE_MIN * (double)figures->memory.peak)
				err = add_found(advices, figures, &subject[g],
						(enum ct_values_life_id)p, &found[g][p]);
	free(found);
	return err;
}
