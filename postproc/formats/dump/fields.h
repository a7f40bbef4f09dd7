/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of events and columns of tables in words and as JSON. */
#ifndef CT_POSTPROC_FORMATS_DUMP_FIELDS_H
#define CT_POSTPROC_FORMATS_DUMP_FIELDS_H

#include "base/json.h"
#include "trace/codec/event.h"
#include "trace/read/reader.h"
#include <stdio.h>

/* A value of a field that is not several, of a part of the trace: "copy", "traced|cooperative",
 * 0x7f… */
void ct_field_write(FILE *out, const struct ct_trace *trace, uint32_t part,
		    const struct ct_event_field *field, uint64_t number);
/* The same under the field's name. */
void ct_field_put(struct ct_json *json, const struct ct_trace *trace, uint32_t part,
		  const struct ct_event_field *field, uint64_t number);

#endif
