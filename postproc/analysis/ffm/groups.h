/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems that one change would fix together (seed 000, 5.2): steps with problems, grouped.
 *
 *	by key		those of one key: of a stack by addresses (single point), or by the names of
 *			its functions (folded function)
 *	sequences	from a step with a problem on, those of the thread until a wait that is
 *			needed; sequences with the same keys, one after another, are one group, and
 *			each of its places an entry
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_GROUPS_H
#define CT_POSTPROC_ANALYSIS_FFM_GROUPS_H

#include "postproc/analysis/ffm/graph.h"

struct ct_ffm_group {
	uint32_t key;   /* of its first entry */
	size_t entries; /* 1 of groups by key */
	uint32_t *step; /* times * entries of them: sequence after sequence, of groups by key in
			   their order; owned */
	size_t times;
	uint64_t wait_ns;     /* of all of them: what a profile shows */
	uint64_t expected_ns; /* ct_ffm_expect */
	int64_t replayed_ns;  /* ct_ffm_replay; set by ct_ffm_groups_replay, with the next */
	bool is_replayed;
};

/* Benefits are reported and sorted by this: by replay; the bound, if that was not done. */
static inline uint64_t ct_ffm_worth(uint64_t expected_ns, int64_t replayed_ns, bool is_replayed)
{
	if (!is_replayed)
		return expected_ns;
	return replayed_ns > 0 ? (uint64_t)replayed_ns : 0;
}

struct ct_ffm_groups {
	struct ct_ffm_group *group; /* the largest expected benefit first; replayed: worth */
	size_t count;
};

/* key: of each step; below keys. 0 or -ENOMEM, as the others. */
int ct_ffm_groups_by_key(struct ct_ffm_groups *groups, const struct ct_ffm_graph *graph,
			 const struct ct_ffm_gap *gap, const uint32_t *key, uint32_t keys);
int ct_ffm_groups_of_sequences(struct ct_ffm_groups *groups, const struct ct_ffm_graph *graph,
			       const struct ct_ffm_gap *gap, const uint32_t *key);
void ct_ffm_groups_fini(struct ct_ffm_groups *groups);

/* By replay, what the first groups save: it takes as long as to read the graph for each. Sorts them
 * anew. */
int ct_ffm_groups_replay(struct ct_ffm_groups *groups, size_t first,
			 const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams);

/* The entries `from` to `to` (both included) of a group, measured, not replayed; without key. Its
 * steps are the caller's to free after success. */
int ct_ffm_subsequence(const struct ct_ffm_group *group, size_t from, size_t to,
		       const struct ct_ffm_graph *graph, const struct ct_ffm_gap *gap,
		       struct ct_ffm_group *part);

#endif
