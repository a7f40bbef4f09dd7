/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes and offsets that docs/trace-format.md promises, checked by the compiler. */
#include <cudatrace/format.h>
#include <cudatrace/record.h>
#include <cudatrace/unit.h>
#include <stddef.h>

#define CHECK_SIZE(type, bytes)                                                                    \
	_Static_assert(sizeof(type) == (bytes), #type " has changed its size")
#define CHECK_FIELD(type, field, at)                                                               \
	_Static_assert(offsetof(type, field) == (at), #type "." #field " has moved")

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "traces are little-endian, as are all hosts of CUDA");

CHECK_SIZE(struct ct_chunk_header, 64);
CHECK_FIELD(struct ct_chunk_header, kind, 6);
CHECK_FIELD(struct ct_chunk_header, raw_bytes, 12);
CHECK_FIELD(struct ct_chunk_header, first_sequence, 24);
CHECK_FIELD(struct ct_chunk_header, payload_hash, 40);
CHECK_FIELD(struct ct_chunk_header, header_hash, 56);

CHECK_SIZE(struct ct_event_header, 16);
CHECK_SIZE(struct ct_event_device, 48);
CHECK_SIZE(struct ct_event_launch, 136);
CHECK_FIELD(struct ct_event_launch, grid, 40);
CHECK_FIELD(struct ct_event_launch, stream, 80);
CHECK_SIZE(struct ct_event_launch_done, 24);
CHECK_SIZE(struct ct_event_alloc, 56);
CHECK_SIZE(struct ct_event_free, 32);
CHECK_SIZE(struct ct_event_loss, 40);
CHECK_SIZE(struct ct_event_transfer, 128);
CHECK_FIELD(struct ct_event_transfer, target_row, 56);
CHECK_FIELD(struct ct_event_transfer, stream, 88);
CHECK_FIELD(struct ct_event_transfer, call, 116);
CHECK_SIZE(struct ct_event_order, 48);
CHECK_FIELD(struct ct_event_order, kind, 32);
CHECK_SIZE(struct ct_event_stream, 32);
CHECK_SIZE(struct ct_event_region, 32);
CHECK_SIZE(struct ct_event_count, 64);
CHECK_SIZE(struct ct_event_touched, 40);
CHECK_SIZE(struct ct_event_process, 48);
CHECK_FIELD(struct ct_event_summary, maps, 88);

/* Every event is as large as events.def says and its fields leave no gaps. */
#define BYTES_OF_U32 4
#define BYTES_OF_U64 8
#define BYTES_OF_I32 4
#define BYTES_OF_KNOWN32 4
#define BYTES_OF_KNOWN64 8
#define BYTES_OF_ADDRESS 8
#define BYTES_OF_UNIT 8
#define BYTES_OF_EXTENT 12
#define BYTES_OF_MAPS 256
#define BYTES_OF_STR 4
#define BYTES_OF_RESERVED 4
/* clang-format off */
#define CT_EVENT(NAME, number, name, since, bytes, text) \
	CHECK_SIZE(struct ct_event_##name, bytes); \
	_Static_assert(bytes % 8 == 0, "the size of " #NAME); \
	enum { FIELDS_OF_##NAME = sizeof(struct ct_event_header)
#define CT_FIELD(event, TYPE, name, since, text) + BYTES_OF_##TYPE
#define CT_EVENT_END(NAME, name, text) \
	}; \
	_Static_assert(FIELDS_OF_##NAME == sizeof(struct ct_event_##name), "a gap in " #NAME);
/* clang-format on */
#include <cudatrace/events.def>

CHECK_SIZE(struct ct_unit_header, 104);
CHECK_FIELD(struct ct_unit_header, kernel_count, 20);
CHECK_SIZE(struct ct_unit_kernel, 32);
CHECK_SIZE(struct ct_unit_param, 8);
CHECK_SIZE(struct ct_unit_site, 56);
CHECK_FIELD(struct ct_unit_site, operation, 28);
CHECK_FIELD(struct ct_unit_site, variable, 40);
CHECK_SIZE(struct ct_unit_frame, 20);
CHECK_SIZE(struct ct_unit_block, 72);
CHECK_SIZE(struct ct_unit_mix, 8);
CHECK_SIZE(struct ct_unit_step, 24);
CHECK_SIZE(struct ct_unit_variable, 36);
CHECK_SIZE(struct ct_unit_statement, 36);
CHECK_SIZE(struct ct_unit_call, 28);
CHECK_SIZE(struct ct_unit_outcome, 20);
CHECK_SIZE(struct ct_unit_share, 12);

_Static_assert(CT_RECORD_BYTES_MAX == 536, "the largest record has changed its size");
