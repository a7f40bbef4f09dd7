/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the sources that a trace names, for identities of problems and what people expect. */
#ifndef CT_POSTPROC_CMD_BASE_LINE_TEXTS_H
#define CT_POSTPROC_CMD_BASE_LINE_TEXTS_H

#include "postproc/problems/identity.h"
#include "postproc/sources/store.h"

/* As long as the store. */
struct ct_line_texts ctpost_line_texts_of(struct ct_source_store *sources);

#endif
