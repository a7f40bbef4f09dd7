/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A baseline: the identities of known problems in a file that people keep beside their sources. A
 * line each, in an order that does not hang on a run; no seconds, so that a file that is written
 * anew differs where problems do.
 */
#ifndef CT_POSTPROC_PROBLEMS_BASELINE_H
#define CT_POSTPROC_PROBLEMS_BASELINE_H

#include "postproc/problems/identity.h"

#include <stdio.h>

#define CT_BASELINE_WHY_BYTES 384u

/* 0 or a negative error, of the file, too. */
int ct_baseline_write(FILE *out, const struct ct_identities *identities);

/* Zero-initialise identities; what they are worth is not known. 0 or a negative error, with a line
 * about why, without the file's name. */
int ct_baseline_read(struct ct_identities *identities, const char *path,
		     char why[CT_BASELINE_WHY_BYTES]);

#endif
