/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of a trace directory. Normative text: docs/trace-format.md.
 *
 *   app.ctrace/
 *     manifest-<part>.json       program, host, options, completeness
 *     events-<part>.ct           EVENTS, STRINGS and UNIT chunks
 *     tables-<part>.ct           TABLE chunks
 *     device-<part>-<device>.ct  RECORDS chunks
 *
 * <part> is the number of the process within the trace (trace/directory.h). A
 * .ct file is a sequence of chunks and nothing else; every chunk stands alone.
 * RECORDS chunks of a file may stand in any order (several threads write them);
 * the tickets of each are contiguous, and readers take them in ascending order.
 */
#ifndef CUDATRACE_FORMAT_H
#define CUDATRACE_FORMAT_H

#include <stdint.h>

/* 2 added record kinds 11, 12, 14 and units of version 2; 3 record kind 10, variants of 14, short
 * segments, codecs 2 and 3, events from 10 on, more fields of LAUNCH, chunks of a file out of
 * order; 4 added chunk kinds 5 and 6. Readers take 1 to 3 as well. */
#define CT_FORMAT_VERSION 4u
#define CT_CHUNK_MAGIC 0x4b435443u /* "CTCK" */
#define CT_CHUNK_RAW_MAX (16u << 20)
#define CT_SAMPLING_OF_HOST "perf events" /* SAMPLING.source */

enum ct_chunk_kind {
	CT_CHUNK_RECORDS = 1, /* device records (record.h); sequences are ring tickets */
	CT_CHUNK_EVENTS = 2,  /* events; sequences count events of the part from 0 */
	CT_CHUNK_STRINGS = 3, /* u32 first_id, u32 count, then count * {u32 bytes, bytes without
				 NUL}; sequences are string ids */
	CT_CHUNK_UNIT = 4,    /* one unit blob (unit.h); sequences are 0 */
	CT_CHUNK_TABLE = 5,   /* rows of a table (tables.def, trace/codec/table.h); sequences count
				 rows of the table in the part from 1 */
	CT_CHUNK_CODE = 6,    /* struct ct_code_header and device code; sequences are 0 */
};

enum ct_codec {
	CT_CODEC_NONE = 0,
	CT_CODEC_ZSTD = 1,
	CT_CODEC_DELTA = 2,      /* of RECORDS: trace/codec/delta.h */
	CT_CODEC_DELTA_ZSTD = 3, /* DELTA, then zstd */
};

/* A CODE chunk begins with this; the rest of its payload is the code. */
struct ct_code_header {
	uint32_t kind;     /* enum ct_code_kind */
	uint32_t reserved; /* 0 */
	uint64_t id;       /* of a CUBIN: as SAMPLE names it; of PLACES: of its unit */
};

enum ct_code_kind {
	CT_CODE_CUBIN = 1,  /* an ELF file that was loaded */
	CT_CODE_PLACES = 2, /* what of the source each line of PTX is of (places.h) */
};

struct ct_chunk_header {
	uint32_t magic;
	uint16_t version;     /* CT_FORMAT_VERSION */
	uint8_t kind;         /* enum ct_chunk_kind; readers skip others */
	uint8_t codec;        /* enum ct_codec */
	uint32_t table;       /* enum ct_table_number, of TABLE; 0 of others */
	uint32_t raw_bytes;   /* <= CT_CHUNK_RAW_MAX */
	uint32_t coded_bytes; /* payload that follows */
	uint32_t flags;       /* 0 */
	uint64_t first_sequence;
	uint64_t last_sequence; /* inclusive */
	uint64_t payload_hash;  /* XXH3-64 of the coded payload */
	uint64_t reserved2;     /* 0 */
	uint64_t header_hash;   /* XXH3-64 of the 56 bytes before */
};

/* Events: each begins with this header; bytes includes it and is a multiple
 * of 8. Readers skip unknown kinds and ignore trailing bytes they do not know. */
struct ct_event_header {
	uint16_t kind; /* enum ct_event_kind */
	uint16_t reserved;
	uint32_t bytes;
	uint64_t time_ns; /* CLOCK_REALTIME */
};

/* Values of events' fields, and below the events' structs: events.def says what each means. */
/* clang-format off */
#define CT_VALUES(kind, values) enum ct_##values {
#define CT_VALUE(ID, number, name, text) CT_##ID = number,
#define CT_VALUES_END(kind, values) };
/* clang-format on */
#include <cudatrace/events.def>

enum ct_event_kind {
#define CT_EVENT(NAME, number, name, since, bytes, text) CT_EVENT_##NAME = number,
#include <cudatrace/events.def>
	CT_EVENT_KINDS /* one more than the last one */
};

/* struct ct_event_launch { struct ct_event_header header; uint32_t launch; ... } and the others. */
#define CT_MEMBER_U32(name) uint32_t name;
#define CT_MEMBER_U64(name) uint64_t name;
#define CT_MEMBER_I32(name) int32_t name;
#define CT_MEMBER_KNOWN32(name) uint32_t name;
#define CT_MEMBER_KNOWN64(name) uint64_t name;
#define CT_MEMBER_ADDRESS(name) uint64_t name;
#define CT_MEMBER_UNIT(name) uint64_t name;
#define CT_MEMBER_EXTENT(name) uint32_t name[3];
#define CT_MEMBER_MAPS(name) uint32_t name[64];
#define CT_MEMBER_STR(name) uint32_t name;
#define CT_MEMBER_RESERVED(name) uint32_t name;
/* clang-format off */
#define CT_EVENT(NAME, number, name, since, bytes, text) \
	struct ct_event_##name { struct ct_event_header header;
#define CT_FIELD(event, TYPE, name, since, text) CT_MEMBER_##TYPE(name)
#define CT_EVENT_END(NAME, name, text) };
/* clang-format on */
#include <cudatrace/events.def>

/* ct_event_launch_header(&event): the event as one that can be written, with its kind and size
 * filled in. */
#define CT_EVENT(NAME, number, name, since, size, text)                                            \
	static inline struct ct_event_header *ct_event_##name##_header(                            \
	    struct ct_event_##name *event)                                                         \
	{                                                                                          \
		event->header.kind = number;                                                       \
		event->header.bytes = sizeof(*event);                                              \
		return &event->header;                                                             \
	}
#include <cudatrace/events.def>

#define CT_NAMES_FIRST_STRING 0x80000000u /* ids of the file of names are from here on */

enum ct_table_number {
#define CT_TABLE(NAME, number, name, since, KIND, text) CT_TABLE_##NAME = number,
#include <cudatrace/tables.def>
	CT_TABLES /* one more than the last one */
};

/* clang-format off */
#define CT_VALUES(kind, values) enum ct_##values {
#define CT_VALUE(ID, number, name, text) CT_##ID = number,
#define CT_VALUES_END(kind, values) };
#include <cudatrace/tables.def>
/* struct ct_row_call { uint64_t begin_ns; ... } and the others. */
#define CT_TABLE(NAME, number, name, since, KIND, text) struct ct_row_##name {
#define CT_COLUMN(table, TYPE, name, since, CODING, text) CT_MEMBER_##TYPE(name)
#define CT_TABLE_END(NAME, name, text) };
#include <cudatrace/tables.def>
/* clang-format on */

#define CT_NO_RANK 0xffffffffu /* ct_event_process.rank */
#define CT_STREAM_OF_DEVICE                                                                        \
	(1ull << 32) /* ct_row_activity.stream: added to the device's number                       \
		      */

#endif
