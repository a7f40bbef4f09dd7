/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what blame is made of: shared by the rooms' files, and by the run scope. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_STATE_H
#define CT_POSTPROC_ANALYSIS_BLAME_STATE_H

#include "base/map.h"
#include "postproc/analysis/blame/blame.h"
#include "postproc/facts/kernel_table.h"

/* Credit of the instructions of one place at the end of one path, by the trace's variables. */
struct ct_blame_credited {
	uint32_t *inclusive, *read, *near, *near_share;
	uint32_t inclusives, reads, nears;
	uint64_t *exits, *leaving, *read_exits, *written_exits; /* as of ct_blame_set */
	uint32_t exit_count, leaving_count, read_exit_count, written_exit_count;
	struct ct_blame_frame *frames; /* outermost first: the calls, then the place */
	uint32_t functions;
	bool is_resolved, is_nearest;
};

/* The credits of one place: several paths share it if its calls are not known. */
struct ct_blame_credits {
	uint32_t first, count;
	uint32_t static_paths; /* as far as they were looked for */
};

struct ct_blame_state {
	const struct ct_blame_weights *weights;
	const struct ct_launch_info *launches;
	struct ct_kernel_table kernels;
	struct ct_blame_places *places;
	uint32_t **merged; /* by unit and variable of it; CT_NONE: an exit */
	struct ct_map variable_of, node_of, leaf_of, credits_of, static_of;
	struct ct_blame_credited *credited;
	size_t credited_count, credited_room, variable_room, node_room, leaf_room;
	struct ct_blame_credits *credits;
	size_t credits_count;
	struct ct_blame_credit scratch;
	struct ct_blame_chain chain;
};

/* Credits of a share of a block in a launch: state->credits[*index]. 0 or -ENOMEM */
int ct_blame_credits_of(struct ct_blame *blame, const struct ct_blame_weight *weight,
			uint32_t share, uint32_t *index);
/* The first share of a block of a unit, and how many it has. */
uint32_t ct_blame_shares(const struct ct_unit *unit, uint32_t block, uint32_t *count);

/* Likewise of state->chain: it ends at the kernel, or at a function that the static call graph
 * leads to from there. */
int ct_blame_credits_of_chain(struct ct_blame *blame, const char *kernel, uint32_t *index);

int ct_blame_merge(struct ct_blame *blame);

/* Makes what is needed before any weight is added; 0 or a negative error. ct_blame_end adds up. */
int ct_blame_begin(struct ct_blame *blame, const struct ct_blame_job *job);
void ct_blame_end(struct ct_blame *blame);

/* The node of a function below another, and of the host's frames that lead to a launch (paths NULL:
 * the root); CT_NONE: no memory. */
uint32_t ct_blame_node_below(struct ct_blame *blame, struct ct_blame_node node);
uint32_t ct_blame_host_node(struct ct_blame *blame, const struct ct_host_paths *paths,
			    uint32_t launch);
/* Where host threads were found, in the nodes of their stacks. 0 or -ENOMEM */
int ct_blame_add_host(struct ct_blame *blame, const struct ct_host_paths *paths);
/* A weight below a host's node, by what it is credited to: state->credits[index]. 0 or -ENOMEM */
int ct_blame_spend(struct ct_blame *blame, uint32_t index, uint32_t node, double weight);

/* The run scope: objects, with what flows into them from launch to launch, and by copies into
 * variables of the host, as far as the paths that copies were made from are known. */
int ct_blame_add_objects(struct ct_blame *blame, const struct ct_blame_job *job,
			 const struct ct_host_paths *paths, enum ct_blame_weigh weigh);

#endif
