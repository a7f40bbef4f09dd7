/* SPDX-License-Identifier: Apache-2.0 */
/* Makes sentences of what memory checks found. */
#include "base/quantity.h"
#include "postproc/analysis/check/analysis.h"
#include "postproc/analysis/check/races.h"
#include "postproc/analysis/check/tables.h"
#include "postproc/analysis/check/words.h"
#include "postproc/analysis/finder.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"
#include "postproc/symbols/paths.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 1024u

/* "store at heat.cu:12", "cudaMemcpy". */
static const char *who_of(const struct ct_check_cause *cause, char text[TEXT_BYTES])
{
	char place[TEXT_BYTES / 2];

	if (!cause->unit)
		return ct_check_operation(cause);
	snprintf(text, TEXT_BYTES, "%s at %s", ct_check_operation(cause),
		 ct_place_text(ct_place_of(cause->unit, &cause->unit->sites[cause->site]), place,
			       sizeof(place)));
	return text;
}

/* Memory that the call does not free. */
static void put_wrong_free(char text[TEXT_BYTES], const struct ct_check_cause *cause)
{
	const struct ct_object_info *object = cause->object;
	char name[CT_CHECK_NAME_BYTES];

	ct_check_object_name(object, name);
	if (!object)
		snprintf(text, TEXT_BYTES, "frees an address that no call allocated");
	else if (object->event->address != cause->address)
		snprintf(text, TEXT_BYTES, "frees an address inside %s, %llu B behind its begin",
			 name, (unsigned long long)(cause->address - object->event->address));
	else
		snprintf(text, TEXT_BYTES, "frees %s, which is %s", name,
			 object->event->kind == CT_OBJECT_HOST       ? "pinned memory of the host"
			 : object->event->kind == CT_OBJECT_VARIABLE ? "a variable"
								     : "memory of the device");
}

/* A variable of a thread. */
static void put_local(char text[TEXT_BYTES], const struct ct_check_cause *cause)
{
	const struct ct_unit_site *site = &cause->unit->sites[cause->site];
	const char *name = ct_unit_string(cause->unit, site->variable);
	char bytes[CT_NUMBER_BYTES], beyond[CT_NUMBER_BYTES];

	snprintf(text, TEXT_BYTES, "reaches beyond %s (%s), by at least %s",
		 *name ? name : "a local variable", ct_size(ct_check_variable_bytes(cause), bytes),
		 ct_size(cause->beyond, beyond));
}

/* Says what is wrong with it, behind who does it. */
static void put_what(char text[TEXT_BYTES], const struct ct_check_cause *cause)
{
	char object[CT_CHECK_NAME_BYTES], hit[CT_CHECK_NAME_BYTES], bytes[CT_NUMBER_BYTES],
	    beyond[CT_NUMBER_BYTES], into[TEXT_BYTES / 2] = "";

	ct_check_object_name(cause->object, object);
	if (cause->hit)
		snprintf(into, sizeof(into), ", in %s", ct_check_object_name(cause->hit, hit));
	ct_size(cause->object ? cause->object->event->bytes : 0, bytes);
	ct_size(cause->beyond, beyond);
	switch (cause->kind) {
	case CT_CHECK_OUT_OF_BOUNDS:
		snprintf(text, TEXT_BYTES, "is behind the end of %s (%s), by up to %s%s", object,
			 bytes, beyond, into);
		break;
	case CT_CHECK_BEFORE_BEGIN:
		snprintf(text, TEXT_BYTES, "is before the begin of %s (%s), by up to %s%s", object,
			 bytes, beyond, into);
		break;
	case CT_CHECK_USE_AFTER_FREE:
		snprintf(text, TEXT_BYTES, "accesses %s (%s), which was freed before%s", object,
			 bytes, cause->launch ? " the launch" : "");
		break;
	case CT_CHECK_HOST_MEMORY:
		snprintf(
		    text, TEXT_BYTES,
		    "accesses memory that no call allocated for devices, by a pointer that the "
		    "kernel was given");
		break;
	case CT_CHECK_NO_MEMORY:
		snprintf(text, TEXT_BYTES, "accesses address 0x%llx, where there is no memory",
			 (unsigned long long)cause->address);
		break;
	case CT_CHECK_UNINITIALIZED_READ:
		snprintf(text, TEXT_BYTES,
			 "reads bytes of %s (%s) that no kernel, copy or memset has written",
			 object, bytes);
		break;
	case CT_CHECK_UNINITIALIZED_SHARED:
		snprintf(text, TEXT_BYTES,
			 "reads shared memory that no thread of the block has written before");
		break;
	case CT_CHECK_MISALIGNED:
		snprintf(text, TEXT_BYTES,
			 "accesses %llu B at an address that is no multiple of it%s%s",
			 (unsigned long long)cause->bytes, cause->object ? ", in " : "", object);
		break;
	case CT_CHECK_DIVERGENT_BARRIER:
		snprintf(text, TEXT_BYTES,
			 "is not reached by all threads of a block of which others wait there");
		break;
	case CT_CHECK_LOCAL_OUT_OF_BOUNDS:
		put_local(text, cause);
		break;
	case CT_CHECK_COPY_OVERLAP:
		snprintf(text, TEXT_BYTES, "copies between ranges that overlap, in %s",
			 cause->object ? object : "memory of the host");
		break;
	case CT_CHECK_COPY_OUT_OF_BOUNDS:
		snprintf(text, TEXT_BYTES, "goes behind the end of %s (%s), by %s", object, bytes,
			 beyond);
		break;
	case CT_CHECK_COPY_DIRECTION:
		snprintf(text, TEXT_BYTES,
			 "names another direction than that from its source to "
			 "its target");
		break;
	case CT_CHECK_DOUBLE_FREE:
		snprintf(text, TEXT_BYTES, "frees %s (%s), which was freed before", object, bytes);
		break;
	case CT_CHECK_PINNED_IN_FLIGHT:
		snprintf(text, TEXT_BYTES, "of %s is not waited for when the host writes there",
			 cause->object ? object : "pinned memory");
		break;
	case CT_CHECK_RESULT_BEFORE_WAIT:
		snprintf(text, TEXT_BYTES, "to %s is not waited for when the host reads it",
			 cause->object ? object : "pinned memory");
		break;
	case CT_CHECK_WRONG_FREE:
		put_wrong_free(text, cause);
		break;
	default:
		*text = '\0';
	}
}

/* ", which waits at heat.cu:12 meanwhile"; "" where it does not wait. */
static const char *put_other(const struct ct_check_cause *cause, char text[TEXT_BYTES])
{
	const struct ct_check_cause second = {.unit = cause->other.unit, .site = cause->other.site};
	char who[TEXT_BYTES];

	*text = '\0';
	if (second.unit)
		snprintf(text, TEXT_BYTES, ", which waits meanwhile: %.900s", who_of(&second, who));
	return text;
}

/* "; allocated at heat.cu:12, freed at heat.cu:40" */
static void put_lifetime(char text[TEXT_BYTES], const struct ct_check_cause *cause)
{
	char path[TEXT_BYTES / 2];
	struct ct_check_line line;
	size_t used = 0;

	*text = '\0';
	ct_check_allocated(cause->object, &line);
	if (*line.file)
		used = (size_t)snprintf(text, TEXT_BYTES, "; allocated at %s:%u",
					ct_place_path(line.file, path, sizeof(path)), line.line);
	if (cause->freed_file && used < TEXT_BYTES)
		snprintf(text + used, TEXT_BYTES - used, "%s freed at %s:%u", used ? "," : ";",
			 ct_place_path(cause->freed_file, path, sizeof(path)), cause->freed_line);
}

/* Who in the first launch, how often, and who allocated and freed. */
static void add_evidence(struct ct_findings *findings, const struct ct_check_cause *cause)
{
	char number[CT_NUMBER_BYTES], brief[CT_BRIEF_NAME_BYTES], where[TEXT_BYTES];

	put_lifetime(where, cause);
	if (cause->launch && cause->lane == CT_CHECK_NO_LANE)
		ct_findings_because(
		    findings, "%s access%s; first by warp %u of block %llu in launch %u of %s",
		    ct_number(cause->count, number), cause->count == 1 ? "" : "es", cause->warp,
		    (unsigned long long)cause->cta, cause->launch->event->launch,
		    ct_shown_name(cause->launch->kernel, brief));
	else if (cause->kind == CT_CHECK_DIVERGENT_BARRIER)
		ct_findings_because(
		    findings, "%s thread%s; first thread %u of block %llu in launch %u of %s%s",
		    ct_number(cause->count, number), cause->count == 1 ? "" : "s",
		    cause->warp * CT_WARP_LANES + cause->lane, (unsigned long long)cause->cta,
		    cause->launch->event->launch, ct_shown_name(cause->launch->kernel, brief),
		    put_other(cause, where));
	else if (cause->launch)
		ct_findings_because(
		    findings, "%s access%s; first by thread %u of block %llu in launch %u of %s%s",
		    ct_number(cause->count, number), cause->count == 1 ? "" : "es",
		    cause->warp * CT_WARP_LANES + cause->lane, (unsigned long long)cause->cta,
		    cause->launch->event->launch, ct_shown_name(cause->launch->kernel, brief),
		    where);
	else
		ct_findings_because(findings, "%s time%s%s", ct_number(cause->count, number),
				    cause->count == 1 ? "" : "s", where);
}

static void add_leak(struct ct_findings *findings, const struct ct_finding *like,
		     const struct ct_check_cause *cause)
{
	char object[CT_CHECK_NAME_BYTES], bytes[CT_NUMBER_BYTES], number[CT_NUMBER_BYTES];

	ct_findings_add(findings, like, "%s is not freed when the program ends: %s.",
			ct_check_object_name(cause->object, object), ct_size(cause->bytes, bytes));
	ct_findings_because(findings, "%s allocation%s", ct_number(cause->count, number),
			    cause->count == 1 ? "" : "s");
}

/* Where the host did it: by its stack, or else where it allocated. */
static void set_line(struct ct_findings *findings, const struct ct_check_cause *cause)
{
	struct ct_finding *finding = &findings->list[findings->count - 1];

	finding->file = cause->file;
	finding->line = cause->line;
	finding->function = cause->function;
}

/* Says which launches, and who in one where it is one alone. */
static void add_race_evidence(struct ct_findings *findings, const struct ct_check_cause *cause)
{
	const struct ct_launch_info *launch = cause->launch, *other = cause->other.launch;
	char bytes[CT_NUMBER_BYTES], number[CT_NUMBER_BYTES], brief[CT_BRIEF_NAME_BYTES],
	    second[CT_BRIEF_NAME_BYTES];

	if (other)
		ct_findings_because(findings, "first in launch %u of %s and launch %u of %s",
				    launch->event->launch, ct_shown_name(launch->kernel, brief),
				    other->event->launch, ct_shown_name(other->kernel, second));
	else if (cause->transfer)
		ct_findings_because(findings, "first in launch %u of %s", launch->event->launch,
				    ct_shown_name(launch->kernel, brief));
	else
		ct_findings_because(
		    findings,
		    "%s meet in %s launch%s; first in launch %u of %s, by warp %u of block %llu "
		    "and warp %u of block %llu",
		    ct_size(cause->bytes, bytes), ct_number(cause->count, number),
		    cause->count == 1 ? "" : "es", launch->event->launch,
		    ct_shown_name(launch->kernel, brief), cause->warp,
		    (unsigned long long)cause->cta, cause->other.warp,
		    (unsigned long long)cause->other.cta);
}

/* Two lines, or one with itself. */
static void add_race(struct ct_findings *findings, const struct ct_finding *like,
		     const struct ct_check_cause *cause)
{
	const struct ct_check_cause second = {
	    .unit = cause->other.unit, .site = cause->other.site, .call = cause->call};
	char object[CT_CHECK_NAME_BYTES], who[TEXT_BYTES], other[TEXT_BYTES];

	ct_findings_add(
	    findings, like,
	    "Nothing orders the %s and the %s of %s, which access the same bytes of %s.",
	    who_of(cause, who), who_of(&second, other), cause->other.who,
	    cause->kind == CT_CHECK_SHARED_RACE ? "shared memory"
	    : cause->object                     ? ct_check_object_name(cause->object, object)
						: "memory");
	add_race_evidence(findings, cause);
}

static void add_cause(struct ct_findings *findings, const struct ct_check_cause *cause)
{
	const struct ct_finding like = {
	    .analysis = "check",
	    .id = ct_check_kind_finding(cause->kind),
	    .kind = CT_FINDING_PROBLEM,
	    .section = CT_CHECKS_SECTION,
	    .figure = {(double)cause->count, ""},
	};
	char who[TEXT_BYTES], what[TEXT_BYTES];

	if (cause->kind == CT_CHECK_LEAK) {
		add_leak(findings, &like, cause);
	} else if (cause->other.who) {
		add_race(findings, &like, cause);
	} else {
		put_what(what, cause);
		ct_findings_add(findings, &like, "The %s %s.", who_of(cause, who), what);
		add_evidence(findings, cause);
	}
	ct_findings_fix(findings, "%s", cause->fix ? cause->fix : ct_check_kind_fix(cause->kind));
	if (findings->err)
		return;
	if (cause->unit)
		ct_findings_at_site(findings, cause->unit, cause->site);
	else
		set_line(findings, cause);
	if (cause->other.unit)
		ct_findings_at_site(findings, cause->other.unit, cause->other.site);
	ct_findings_at_object(findings, cause->object);
	ct_findings_at_launch(findings, cause->launch);
	if (cause->launch)
		ct_findings_at_kernel(findings, cause->launch->kernel);
}

/* Takes the innermost of these frames that is the program's own. */
static bool take_frame(struct ct_check_cause *cause, const struct ct_code_frame *frame)
{
	if (cause->file || !*frame->file || ct_place_is_foreign(frame->file))
		return cause->file != NULL;
	cause->file = frame->file;
	cause->line = frame->line;
	cause->function = frame->function;
	return true;
}

/* The innermost frame of a row of STACK that is the program's own; NULL: none is. */
static const struct ct_code_frame *own_frame(const struct ct_host_paths *paths, uint32_t part,
					     uint32_t row)
{
	const struct ct_stack_tree *stacks = ct_host_paths_stacks(paths);
	const struct ct_symbols *symbols = ct_host_paths_symbols(paths);
	const uint32_t *node, *number;
	size_t rows, count;

	node = row && stacks && symbols ? ct_stacks_part(stacks, part, &rows) : NULL;
	for (uint32_t n = node && row <= rows ? node[row] : 0; n; n = stacks->node[n].caller) {
		count = ct_symbols_frames(symbols, stacks->node[n].place, &number);
		for (size_t i = 0; i < count; i++) {
			const struct ct_code_frame *frame = ct_symbols_frame(symbols, number[i]);

			if (*frame->file && !ct_place_is_foreign(frame->file))
				return frame;
		}
	}
	return NULL;
}

static void find_refused(struct ct_check_cause *cause, const struct ct_host_paths *paths)
{
	const struct ct_code_frame *frame =
	    own_frame(paths, cause->refused->part, cause->refused->refused->stack);

	if (frame)
		take_frame(cause, frame);
}

/* The free that ended an object; NULL: it was not seen. */
static const struct ct_event_free *free_of(const struct ct_trace *trace,
					   const struct ct_object_info *object)
{
	const struct ct_host_event *event;
	size_t first = 0, count = ct_trace_events(trace, CT_EVENT_FREE, &event), end = count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (event[middle].part < object->part ||
		    (event[middle].part == object->part && event[middle].index < object->freed_at))
			first = middle + 1;
		else
			end = middle;
	}
	return first < count && event[first].part == object->part &&
		       event[first].index == object->freed_at
		   ? event[first].free
		   : NULL;
}

/* Where the memory was freed that is used or freed again. */
static void find_free(struct ct_check_cause *cause, const struct ct_inquiry *inquiry)
{
	bool is_about_free =
	    cause->kind == CT_CHECK_USE_AFTER_FREE || cause->kind == CT_CHECK_DOUBLE_FREE;
	const struct ct_event_free *event =
	    is_about_free && cause->object ? free_of(inquiry->trace, cause->object) : NULL;
	const struct ct_code_frame *frame =
	    event && inquiry->paths ? own_frame(inquiry->paths, cause->object->part, event->stack)
				    : NULL;

	if (!frame)
		return;
	cause->freed_file = frame->file;
	cause->freed_line = frame->line;
}

/* By the allocation's descriptor. */
static void find_allocation(struct ct_check_cause *cause)
{
	struct ct_check_line line;

	ct_check_allocated(cause->object, &line);
	cause->own_file = *line.file ? strdup(line.file) : NULL;
	cause->file = cause->own_file;
	cause->line = line.line;
}

/* Where the host called. */
static void find_line(struct ct_check_cause *cause, const struct ct_inquiry *inquiry)
{
	const struct ct_code_frame *const *frames;
	size_t count;

	if (cause->kind == CT_CHECK_LEAK)
		find_allocation(cause);
	if (!inquiry->paths)
		return;
	if (cause->refused)
		return find_refused(cause, inquiry->paths);
	if (!cause->transfer)
		return;
	count = ct_host_paths_frames(
	    inquiry->paths, ct_host_paths_of_transfer(inquiry->paths, cause->transfer), &frames);
	while (count > 0 && !take_frame(cause, frames[count - 1]))
		count--;
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_check_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	own->unseen_parts = inquiry->unseen_parts;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_check_results *results = job ? &((struct ct_check_job *)job)->results : NULL;
	struct ct_check_causes *causes = results ? &results->causes : NULL;
	int err = causes && inquiry->races ? ct_check_races(causes, inquiry->races) : 0;

	if (!causes || err < 0)
		return err;
	ct_check_causes_sort(causes);
	ct_check_results_count(results);
	for (size_t i = 0; i < causes->count; i++) {
		find_line(&causes->list[i], inquiry);
		find_free(&causes->list[i], inquiry);
		add_cause(findings, &causes->list[i]);
	}
	return 0;
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->check = &((struct ct_check_job *)job)->results;
}

static const struct ct_finder_table tables[] = {
    {&ct_checks_table, NULL, true},
    {&ct_check_totals_table, NULL, false},
    {NULL, NULL, false},
};

static void close_job(void *job)
{
	if (job)
		ct_check_job_fini(job);
	free(job);
}

const struct ct_finder ct_check_finder = {
    .needs = CT_STUDY(races) | CT_STUDY_CALLS | CT_STUDY_PATHS,
    .analysis = &ct_check_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .shared = offsetof(struct ct_inquiry, check),
    .tables = tables,
    .close = close_job,
};
