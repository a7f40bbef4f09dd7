/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into which variables of the host flows what a copy leaves there, and which ones a copy reads:
 * what units of host code say of the place that the copy was asked for at, in each function on the
 * way from `main`. Calls that the unit does not know, as those of other translation units, end the
 * way.
 */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_HOSTS_H
#define CT_POSTPROC_ANALYSIS_BLAME_HOSTS_H

#include "postproc/analysis/blame/state.h"

/* As of ct_blame_set: without exits. */
struct ct_blame_flows {
	struct ct_blame_set blamed, read;
	bool is_known; /* the copy is one that units report */
	bool is_made;
};

struct ct_blame_hosts {
	struct ct_blame *blame;
	const struct ct_host_paths *paths;
	struct ct_blame_flows *flows; /* by path */
};

/* Whether any unit reports copies of host code. */
bool ct_blame_hosts_are(const struct ct_unit *units, size_t count);

/* paths NULL: nothing is known of any copy. 0 or -ENOMEM; ct_blame_hosts_fini frees in either case.
 */
int ct_blame_hosts_init(struct ct_blame_hosts *hosts, struct ct_blame *blame,
			const struct ct_host_paths *paths);
void ct_blame_hosts_fini(struct ct_blame_hosts *hosts);

/* Finds the variables of a transfer of the trace; *flows NULL: nothing is known. 0 or -ENOMEM */
int ct_blame_hosts_of(struct ct_blame_hosts *hosts, const struct ct_transfer_info *transfer,
		      const struct ct_blame_flows **flows);

/* False: a part of a type of a library, as _M_impl of std::vector, or a variable of its functions.
 * Variables are as of ct_blame_set. */
bool ct_blame_hosts_shows(const struct ct_blame *blame, uint64_t variable);
/* Returns what is shown in place of a part: the nearest that it is a part of. */
uint64_t ct_blame_hosts_shown(const struct ct_blame *blame, uint64_t variable);

/* "s.list" of a variable's part, its type, and the descriptor of its declaration. 0 or -ENOMEM */
int ct_blame_hosts_name(const struct ct_unit *unit, uint32_t variable,
			struct ct_blame_object *object);

#endif
