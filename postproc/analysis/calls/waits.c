/* SPDX-License-Identifier: Apache-2.0 */
/* How long a call has waited for the device. */
#include "postproc/analysis/calls/waits.h"
#include "postproc/analysis/calls/blocking.h"
#include <string.h>

struct named_wait {
	const char *name;
	struct ct_wait_kind kind;
};

#define DOES_SYNCHRONIZE CT_EVIDENCE_EXPLICIT, true
#define DOES_MORE CT_EVIDENCE_DOCUMENTED, false

static const struct named_wait named[] = {
#define CT_WAIT(name, what, does) {#name, {CT_WAIT_FOR_##what, DOES_##does, false}},
#include "postproc/analysis/calls/waits.def"
};

static const struct ct_wait_kind no_wait = {.what = CT_WAIT_FOR_NONE};

/* Without "_v2", "_ptds", "_ptsz", of which there may be two. */
static size_t bare_length(const char *name)
{
	static const char *const suffixes[] = {"_v2", "_v3", "_ptds", "_ptsz"};
	size_t length = strlen(name);
	bool is_shorter = true;

	while (is_shorter) {
		is_shorter = false;
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
			size_t suffix = strlen(suffixes[i]);

			if (length <= suffix ||
			    strncmp(name + length - suffix, suffixes[i], suffix) != 0)
				continue;
			length -= suffix;
			is_shorter = true;
		}
	}
	return length;
}

static struct ct_wait_kind kind_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (strlen(named[i].name) == length && strncmp(named[i].name, name, length) == 0)
			return named[i].kind;
	return no_wait;
}

struct ct_wait_kind ct_wait_kind(const char *name)
{
	return kind_of(name, bare_length(name));
}

struct ct_wait_kind ct_wait_kind_calibrated(const char *name, const struct ct_blocking *blocking)
{
	size_t length = bare_length(name);
	struct ct_wait_kind kind = kind_of(name, length);
	enum ct_wait what;

	kind.is_query = strstr(name, "Query") != NULL;
	if (kind.is_synchronize || !ct_blocking_find(blocking, name, length, &what))
		return kind;
	kind.what = what;
	kind.evidence = what == CT_WAIT_FOR_NONE ? CT_EVIDENCE_NONE : CT_EVIDENCE_CALIBRATED;
	return kind;
}

const char *ct_wait_evidence_name(enum ct_wait_evidence evidence)
{
	static const char *const names[] = {"",           "explicit",    "documented",
					    "calibrated", "coincidence", "recorded"};

	return names[evidence];
}

static struct ct_wait_kind unpack(uint64_t packed)
{
	return (struct ct_wait_kind){.what = (enum ct_wait)(packed & 0xff),
				     .evidence = (enum ct_wait_evidence)(packed >> 8 & 0xff),
				     .is_synchronize = packed >> 16 & 1,
				     .is_query = packed >> 17 & 1};
}

void ct_waits_fini(struct ct_waits *waits)
{
	ct_ends_fini(&waits->ends);
	ct_map_fini(&waits->independent);
	ct_by_number_fini(&waits->recorded);
	ct_map_fini(&waits->named);
	ct_map_fini(&waits->coincident);
}

struct ct_wait_kind ct_waits_kind(const struct ct_waits *waits, const struct ct_row_call *call)
{
	const union ct_map_value *by_name = ct_map_find(&waits->named, call->name, 0);
	struct ct_wait_kind kind = by_name ? unpack(by_name->number) : no_wait;
	const union ct_map_value *what;
	uint32_t recorded = ct_by_number_get(&waits->recorded, call->correlation);

	/* Queries whether a call would wait are reported, too. */
	if (recorded > 1u + CT_WAIT_FOR_NONE && !kind.is_query &&
	    (kind.is_synchronize || kind.what == CT_WAIT_FOR_NONE))
		return (struct ct_wait_kind){
		    .what = kind.is_synchronize ? kind.what : (enum ct_wait)(recorded - 1u),
		    .evidence = CT_EVIDENCE_RECORDED,
		    .is_synchronize = kind.is_synchronize};
	/* Copies on a device do not wait, whatever their names. */
	if (kind.what != CT_WAIT_FOR_NONE &&
	    !(kind.what == CT_WAIT_FOR_STREAM && call->copy == CT_COPY_ON_DEVICE))
		return kind;
	what = ct_map_find(&waits->coincident, call->name, call->stack);
	return what && what->number ? (struct ct_wait_kind){.what = (enum ct_wait)what->number,
							    .evidence = CT_EVIDENCE_COINCIDENCE}
				    : no_wait;
}

static bool is_caused(const struct ct_row_call *call, const struct ct_row_activity *activity)
{
	return call->correlation && activity->correlation == call->correlation;
}

static bool has_caused(const struct ct_waits *waits, const struct ct_row_call *call, size_t first,
		       size_t last)
{
	for (size_t i = first; i < last; i++)
		if (is_caused(call, &waits->activity[waits->ends.index[i]]))
			return true;
	return false;
}

bool ct_waits_covers(const struct ct_waits *waits, const struct ct_row_call *call,
		     enum ct_wait what, const struct ct_row_activity *activity)
{
	if (what == CT_WAIT_FOR_DEVICE || activity->stream == call->stream)
		return true;
	if (is_caused(call, activity))
		return true;
	return call->stream == 0 && !ct_map_find(&waits->independent, activity->stream, 0);
}

uint64_t ct_waits_of(const struct ct_waits *waits, const struct ct_row_call *call,
		     enum ct_wait what, int (*each)(void *user, const struct ct_waited *waited),
		     void *user, int *err)
{
	uint64_t end = call->begin_ns + call->duration_ns, covered = end, waited = 0;
	size_t first = ct_ends_after(&waits->ends, call->begin_ns);
	size_t last = ct_ends_after(&waits->ends, end + waits->error_ns);

	*err = 0;
	if (what == CT_WAIT_FOR_OWN && !has_caused(waits, call, first, last))
		return 0;
	/* From the last end backwards: what begins before `covered` adds what is not covered yet.
	 */
	while (last-- > first && covered > call->begin_ns && *err == 0) {
		struct ct_waited stretch = {
		    .activity = &waits->activity[waits->ends.index[last]],
		    .until_ns = waits->ends.end_ns[last],
		};

		if (!ct_waits_covers(waits, call, what, stretch.activity))
			continue;
		stretch.from_ns = stretch.activity->begin_ns;
		if (stretch.until_ns > covered)
			stretch.until_ns = covered;
		if (stretch.from_ns < call->begin_ns)
			stretch.from_ns = call->begin_ns;
		if (stretch.from_ns >= stretch.until_ns)
			continue;
		covered = stretch.from_ns;
		waited += stretch.until_ns - stretch.from_ns;
		*err = each ? each(user, &stretch) : 0;
	}
	return waited;
}
