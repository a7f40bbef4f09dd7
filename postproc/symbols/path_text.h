/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in words. */
#ifndef CT_POSTPROC_SYMBOLS_PATH_TEXT_H
#define CT_POSTPROC_SYMBOLS_PATH_TEXT_H

#include "postproc/symbols/paths.h"
#include <stdio.h>

/* "main solver.cu:12 > solve(int*) solve.cu:33" of a path, outermost first; "not known" of path 0.
 */
void ct_host_path_write(FILE *out, const struct ct_host_paths *paths, uint32_t path);
/* The same as text, freed by the caller; NULL: memory is short. */
char *ct_host_path_text(const struct ct_host_paths *paths, uint32_t path);

#endif
