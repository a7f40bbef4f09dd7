/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the tables, as cudatrace/tables.def describes them. */
#ifndef CT_POSTPROC_FORMATS_DUMP_ROWS_H
#define CT_POSTPROC_FORMATS_DUMP_ROWS_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stdio.h>

enum ct_rows_form { CT_ROWS_TEXT, CT_ROWS_CSV, CT_ROWS_JSON };

/* A line per row of a table, part by part: in words for people, as CSV with a head, or as a JSON
 * object. *left: lines that may be written, less those that were. 0 or a negative error. */
int ct_dump_rows(struct ct_trace *trace, FILE *out, enum ct_table_number table,
		 enum ct_rows_form form, uint64_t *left);

#endif
