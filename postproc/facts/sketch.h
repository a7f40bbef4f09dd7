/* SPDX-License-Identifier: Apache-2.0 */
/* How many values have left their bits in the maps of a summary (cudatrace/summary.h). */
#ifndef CT_POSTPROC_FACTS_SKETCH_H
#define CT_POSTPROC_FACTS_SKETCH_H

#include <cudatrace/summary.h>

/* The number under which these maps are most likely, if values are hashed at random. Standard error
 * CT_SKETCH_ERROR of it. */
double ct_sketch_count(const uint32_t map[CT_SUMMARY_MAPS]);

#define CT_SKETCH_ERROR 0.081 /* sqrt(6 ln 2) / pi / sqrt(64), by the Fisher information */

#endif
