/* SPDX-License-Identifier: Apache-2.0 */
/* What was chosen to be looked at, as JSON: docs/json-schema.md. */
#ifndef CT_RENDER_SELECTION_H
#define CT_RENDER_SELECTION_H

#include "postproc/facts/selection.h"
#include <jansson.h>

json_t *ct_selection_json(const struct ct_selection *selection);

#endif
