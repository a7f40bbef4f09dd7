/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the tables of communication that take more than an expression. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_TABLES_CELLS_H
#define CT_POSTPROC_ANALYSIS_COMM_TABLES_CELLS_H

#include "postproc/facts/numbered.h"
#include "postproc/facts/sampling.h"
#include "postproc/tables/table.h"

#define CT_COMM_TEXT_BYTES 512

/* Returns the place of a launch or an allocation; file holds its name. */
struct ct_source_line ct_comm_place_of(const char *descriptor, char *file, size_t bytes);

/* Where a kernel is defined. */
struct ct_source_line ct_comm_place_of_kernel(const struct ct_numbered_kernel *kernel);

/* "4x4" of a grid or block; trailing ones left out. */
#define CT_COMM_EXTENT_BYTES 64
void ct_comm_tell_extent(const uint32_t extent[3], char text[CT_COMM_EXTENT_BYTES]);

/* Which part of a launch is in the trace: "yes", "12 of 100 blocks", "no: sampling". */
void ct_comm_tell_recorded(const struct ct_sampling *sampling, const struct ct_launch_info *launch,
			   char text[CT_COMM_TEXT_BYTES]);

/* Returns what holds a site, as in the source; of a device function its symbol. NULL: there is no
 * such site. */
const char *ct_comm_function_of(const struct ct_unit *unit, uint32_t number);

/* "store f32 x", or "unknown". */
void ct_comm_tell_access(const struct ct_unit *unit, uint32_t number,
			 char text[CT_COMM_TEXT_BYTES]);

#endif
