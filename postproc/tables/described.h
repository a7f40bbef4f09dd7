/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a .def file (describe.h), once for each such file, where the structs of their rows
 * are known:
 *
 *   #define CT_DESCRIBED "postproc/analysis/access/tables.def"
 *   #include "postproc/tables/described.h"
 */
#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include CT_DESCRIBED
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include CT_DESCRIBED
#undef CT_DESCRIBED
