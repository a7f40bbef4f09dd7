/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What events are made of, as cudatrace/events.def says: whoever walks over the fields of an
 * event by these tables needs to know no kind by name.
 */
#ifndef CT_TRACE_CODEC_EVENT_H
#define CT_TRACE_CODEC_EVENT_H

#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

enum ct_field_type {
	CT_FIELD_U32,
	CT_FIELD_U64,
	CT_FIELD_I32,
	CT_FIELD_KNOWN32, /* all ones: none, or not known */
	CT_FIELD_KNOWN64,
	CT_FIELD_ADDRESS,
	CT_FIELD_UNIT, /* id of a translation unit: 16 hexadecimal digits */
	CT_FIELD_EXTENT,
	CT_FIELD_MAPS,
	CT_FIELD_STR,
	CT_FIELD_RESERVED,
	CT_FIELD_ENUM,  /* one of its values */
	CT_FIELD_FLAGS, /* a sum of them */
};

/* A value that a field may have. */
struct ct_field_value {
	uint32_t number;
	const char *name, *text;
};

struct ct_event_field {
	const char *name, *text;
	enum ct_field_type type;
	uint16_t at;    /* bytes from the beginning of the event */
	uint16_t since; /* version of the format */
	uint32_t value_count;
	const struct ct_field_value *values; /* of ENUM and FLAGS */
};

struct ct_event_layout {
	const char *name;  /* "launch_done" */
	const char *title; /* "LAUNCH_DONE" */
	const char *text, *rules;
	uint16_t kind;
	uint16_t since; /* version of the format */
	uint32_t bytes; /* as this version writes it */
	uint32_t field_count;
	const struct ct_event_field *fields; /* in their order, without the header */
};

/* NULL: a kind of a later version. */
const struct ct_event_layout *ct_event_layout(uint16_t kind);

/* Values of a field of this type: 3 of an EXTENT, 64 of MAPS, else 1. */
unsigned ct_field_count(enum ct_field_type type);

/* The field's value, of several the one of number i (else 0); what an event of an earlier version
 * lacks is 0. Signed numbers are extended. */
uint64_t ct_event_number(const struct ct_event_header *event, const struct ct_event_field *field,
			 unsigned i);

/* The size of a value; of several of each. */
uint32_t ct_field_bytes(enum ct_field_type type);

/* The name of a value of the field, or NULL. */
const char *ct_field_value_name(const struct ct_event_field *field, uint32_t number);

/*
 * The events of an EVENTS payload, which is aligned to 8 bytes, one after another: *at is 0 for
 * the first. NULL at the end; and where no sound event stands, with *at before the end.
 */
const struct ct_event_header *ct_event_next(const void *payload, size_t bytes, size_t *at);

#endif
