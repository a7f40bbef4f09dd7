/* SPDX-License-Identifier: Apache-2.0 */
/* Paths from an instruction to its kernel. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_CHAINS_H
#define CT_POSTPROC_ANALYSIS_BLAME_CHAINS_H

#include "postproc/analysis/blame/credit.h"
#include "postproc/analysis/blame/weights.h"

#define CT_BLAME_CHAINS_MAX 64u

/* Finds the chain of a place (frame of a unit) that was reached by calls that are known. False:
 * it is too deep. */
bool ct_blame_chain_known(struct ct_blame_chain *chain, const struct ct_blame_weights *weights,
			  uint32_t unit, uint32_t frame, uint32_t path);

/* Finds the chain of a site's place. Likewise. */
bool ct_blame_chain_of_site(struct ct_blame_chain *chain, const struct ct_blame_weights *weights,
			    uint32_t unit, uint32_t site, uint32_t path);

/*
 * By the static call graph: all paths from where the chain ends to the kernel, at most
 * CT_BLAME_CHAINS_MAX and without recursion. each is called for every one; nonzero from it ends
 * it, and is returned.
 */
int ct_blame_chains_static(struct ct_blame_chain *chain, const struct ct_blame_places *places,
			   const struct ct_unit *units, const char *kernel,
			   int (*each)(void *user, struct ct_blame_chain *chain), void *user);

#endif
