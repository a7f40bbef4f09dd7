/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a trace is looked at, as users say it (docs/ctpost.md, "Selections"): kernels,
 * launches, streams, objects, CTAs and sites. What is said of one of them must hold, whatever
 * of a list; filter.h applies it to a trace.
 */
#ifndef CT_POSTPROC_FACTS_SELECTION_H
#define CT_POSTPROC_FACTS_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_id_span {
	uint64_t first, last;
};

struct ct_cta_choice {
	struct ct_id_span linear;
	uint64_t at[3]; /* x, y, z */
	unsigned axes;  /* how many are given; 0: linear counts */
};

struct ct_site_choice {
	char *file;      /* NULL: by number in the unit */
	uint64_t number; /* else line */
};

/* Zero-initialised: everything. */
struct ct_selection {
	char *kernels; /* extended regular expression on name or symbol; NULL: all */
	struct ct_id_span *launch;
	struct ct_id_span *stream;
	char **object; /* name, FILE:LINE of the allocation or its caller, or number */
	struct ct_cta_choice *cta;
	struct ct_site_choice *site;
	size_t launches, streams, objects, ctas, sites;
};

void ct_selection_fini(struct ct_selection *selection);
bool ct_selection_is_all(const struct ct_selection *selection);

/* Each adds what a text says: 0, -EINVAL if it is nothing of the kind, -ENOMEM. */

/* why: what is wrong with the expression. */
int ct_selection_kernels(struct ct_selection *selection, const char *text, char *why,
			 size_t why_bytes);
/* "N", "N-M" (from 1), or several with commas. */
int ct_selection_launches(struct ct_selection *selection, const char *text);
int ct_selection_streams(struct ct_selection *selection, const char *text);
/* "N", "N-M" (linear), "X:Y", "X:Y:Z", or several with commas. */
int ct_selection_ctas(struct ct_selection *selection, const char *text);
/* "N" (index in the unit), "FILE:LINE", or several with commas. FILE may leave out leading
 * directories; the calls that a site was inlined through count too. */
int ct_selection_sites(struct ct_selection *selection, const char *text);
/* "NAME", "FILE:LINE", "N", or several with commas. */
int ct_selection_objects(struct ct_selection *selection, const char *text);
/* One, which may hold commas. */
int ct_selection_site(struct ct_selection *selection, const char *text);
int ct_selection_object(struct ct_selection *selection, const char *text);

#endif
