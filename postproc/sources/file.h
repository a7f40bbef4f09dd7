/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files may be quoted. A trace may come from anybody and names any path, and a page or a
 * trace is made to be passed on: what is quoted must look like source.
 */
#ifndef CT_POSTPROC_SOURCES_FILE_H
#define CT_POSTPROC_SOURCES_FILE_H

#include <stdio.h>

enum ct_quoting {
	CT_QUOTE_SOURCES, /* regular files whose name ends as that of a source does, and of whose
			     path no part is hidden, symbolic links resolved */
	CT_QUOTE_NOTHING,
	CT_QUOTE_ALL, /* any regular file that the trace names */
};

/* To read, or NULL. */
FILE *ct_source_file_open(const char *path, enum ct_quoting quoting);

#endif
