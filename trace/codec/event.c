/* SPDX-License-Identifier: Apache-2.0 */
/* Describes how events are laid out, and walks over them. */
#include "trace/codec/event.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* clang-format off */
#define CT_VALUES(kind, values) static const struct ct_field_value values_of_##values[] = {
#define CT_VALUE(ID, number, name, text) {number, name, text},
#define CT_VALUES_END(kind, values) };
#include <cudatrace/events.def>

#define CT_EVENT(NAME, number, name, since, bytes, text) \
	static const struct ct_event_field fields_of_##name[] = {
#define CT_FIELD(event, TYPE, name, since, text) \
	{#name, text, CT_FIELD_##TYPE, offsetof(struct ct_event_##event, name), since, 0, NULL},
#define CT_FIELD_OF(event, KIND, values, name, since, text) \
	{#name, text, CT_FIELD_##KIND, offsetof(struct ct_event_##event, name), since, \
	 COUNT(values_of_##values), values_of_##values},
#define CT_EVENT_END(NAME, name, text) };
#include <cudatrace/events.def>

#define CT_EVENT_END(NAME, name, text) static const char rules_of_##name[] = text;
#include <cudatrace/events.def>

#define CT_EVENT(NAME, number, name, since, bytes, text) \
	[number] = {#name, #NAME, text, rules_of_##name, \
		    number, since, bytes, COUNT(fields_of_##name), fields_of_##name},
static const struct ct_event_layout layouts[CT_EVENT_KINDS] = {
#include <cudatrace/events.def>
};
/* clang-format on */

const struct ct_event_layout *ct_event_layout(uint16_t kind)
{
	return kind < CT_EVENT_KINDS && layouts[kind].name ? &layouts[kind] : NULL;
}

/* The least bytes that the first version that had the kind wrote. */
static uint32_t least_bytes(const struct ct_event_layout *layout)
{
	for (uint32_t i = 0; i < layout->field_count; i++)
		if (layout->fields[i].since > layout->since)
			return layout->fields[i].at;
	return layout->bytes;
}

unsigned ct_field_count(enum ct_field_type type)
{
	return type == CT_FIELD_EXTENT ? 3 : type == CT_FIELD_MAPS ? 64 : 1;
}

uint32_t ct_field_bytes(enum ct_field_type type)
{
	switch (type) {
	case CT_FIELD_U64:
	case CT_FIELD_KNOWN64:
	case CT_FIELD_ADDRESS:
	case CT_FIELD_UNIT:
		return sizeof(uint64_t);
	default: /* an element of several, too */
		return sizeof(uint32_t);
	}
}

uint64_t ct_event_number(const struct ct_event_header *event, const struct ct_event_field *field,
			 unsigned i)
{
	uint32_t bytes = ct_field_bytes(field->type), at = field->at + i * bytes, word;
	uint64_t number;

	if (event->bytes < at + bytes)
		return 0;
	if (bytes == sizeof(number)) {
		memcpy(&number, (const char *)event + at, sizeof(number));
		return number;
	}
	memcpy(&word, (const char *)event + at, sizeof(word));
	return field->type == CT_FIELD_I32 ? (uint64_t)(int64_t)(int32_t)word : word;
}

const char *ct_field_value_name(const struct ct_event_field *field, uint32_t number)
{
	for (uint32_t i = 0; i < field->value_count; i++)
		if (field->values[i].number == number)
			return field->values[i].name;
	return NULL;
}

const struct ct_event_header *ct_event_next(const void *payload, size_t bytes, size_t *at)
{
	const struct ct_event_header *event = (const void *)((const char *)payload + *at);
	const struct ct_event_layout *layout;
	size_t left = bytes - *at;

	if (left < sizeof(*event) || event->bytes < sizeof(*event) || event->bytes > left ||
	    event->bytes % 8 != 0)
		return NULL;
	layout = ct_event_layout(event->kind);
	if (layout && event->bytes < layout->bytes && event->bytes < least_bytes(layout))
		return NULL;
	*at += event->bytes;
	return event;
}
