/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of a trace directory. Normative text: docs/trace-format.md.
 *
 *   app.ctrace/
 *     manifest-<part>.json       program, host, options, completeness
 *     events-<part>.ct           EVENTS, STRINGS and UNIT chunks
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
 * order. Readers take 1 and 2 as well. */
#define CT_FORMAT_VERSION 3u
#define CT_CHUNK_MAGIC 0x4b435443u /* "CTCK" */
#define CT_CHUNK_RAW_MAX (16u << 20)

enum ct_chunk_kind {
	CT_CHUNK_RECORDS = 1, /* device records (record.h); sequences are ring tickets */
	CT_CHUNK_EVENTS = 2,  /* events; sequences count events of the part from 0 */
	CT_CHUNK_STRINGS = 3, /* u32 first_id, u32 count, then count * {u32 bytes, bytes without
				 NUL}; sequences are string ids */
	CT_CHUNK_UNIT = 4,    /* one unit blob (unit.h); sequences are 0 */
};

enum ct_codec {
	CT_CODEC_NONE = 0,
	CT_CODEC_ZSTD = 1,
	CT_CODEC_DELTA = 2,      /* of RECORDS: trace/delta.h */
	CT_CODEC_DELTA_ZSTD = 3, /* DELTA, then zstd */
};

struct ct_chunk_header {
	uint32_t magic;
	uint16_t version;     /* CT_FORMAT_VERSION */
	uint8_t kind;         /* enum ct_chunk_kind; readers skip others */
	uint8_t codec;        /* enum ct_codec */
	uint32_t reserved;    /* 0 */
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

enum ct_event_kind {
	CT_EVENT_DEVICE = 1,
	CT_EVENT_LAUNCH = 2,
	CT_EVENT_LAUNCH_DONE = 3,
	CT_EVENT_ALLOC = 4,
	CT_EVENT_FREE = 5,
	CT_EVENT_LOSS = 6,
	CT_EVENT_TRANSFER = 7,
	CT_EVENT_ORDER = 8,
	CT_EVENT_STREAM = 9,
	CT_EVENT_REGION = 10,
	CT_EVENT_COUNT = 11,
	CT_EVENT_TOUCHED = 12,
	CT_EVENT_PROCESS = 13,
	CT_EVENT_STORED = 14,
};

/* "str" is a string id of the part; 0 is the empty string. */
struct ct_event_device {
	struct ct_event_header header;
	uint32_t device;
	uint32_t name; /* str */
	uint32_t arch; /* 90 for compute capability 9.0 */
	uint32_t sm_count;
	uint64_t memory_bytes;
	uint32_t is_cpu_target;
	uint32_t reserved;
};

enum ct_launch_flags { CT_LAUNCH_TRACED = 1, CT_LAUNCH_COOPERATIVE = 2 };

struct ct_event_launch {
	struct ct_event_header header;
	uint32_t launch; /* id in segments; from 1, in launch order of the process */
	uint32_t device;
	uint64_t unit_id;     /* 0: kernel of an object we did not compile */
	uint32_t unit_arch;   /* architecture whose image runs: selects the unit blob */
	uint32_t kernel_name; /* str: mangled */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3];
	uint32_t flags;        /* enum ct_launch_flags */
	uint64_t stream;       /* 0: legacy default; else an id unique in the process, from 1 */
	uint64_t shared_bytes; /* dynamic */
	uint32_t thread;       /* host thread (gettid) */
	uint32_t site;         /* str: site descriptor (host.h), 0 unknown */
	uint32_t reason;       /* str: why not traced; 0 if traced */
	uint32_t correlation;  /* 0; for activity records */
	/* from version 3; 0 in older events, which are shorter */
	uint32_t block_period; /* CTAs with (linear id + offset) % period == 0 are recorded; 0 or 1:
				  all */
	uint32_t block_offset;
	uint32_t launch_period; /* one launch in so many of its context is traced; 0 or 1: all. Set
				   in launches left out, too */
	uint32_t tier;          /* enum ct_tier */
	uint32_t region; /* str: names of the regions it was launched in, outermost first, joined by
			    "/" */
	uint32_t context; /* of the launch: the same for the same kernel from the same host call
			     path; 0 unknown */
};

enum ct_tier { CT_TIER_FULL = 0, CT_TIER_COUNTS = 1 };

enum ct_region_phase {
	CT_REGION_BEGIN = 0,
	CT_REGION_END = 1,
	CT_REGION_PAUSE = 2,
	CT_REGION_RESUME = 3
};

/* The program's marks (cudatrace.h): a region of a host thread, or a pause of tracing. */
struct ct_event_region {
	struct ct_event_header header;
	uint32_t name;  /* str; 0 of PAUSE and RESUME */
	uint32_t phase; /* enum ct_region_phase */
	uint32_t thread;
	uint32_t reserved;
};

/* Tier counts: what one site did in one launch. */
struct ct_event_count {
	struct ct_event_header header;
	uint32_t launch;
	uint32_t site;
	uint64_t unit_id; /* of the site */
	uint64_t warps;   /* executions by a group of lanes together */
	uint64_t lanes;   /* accesses of threads */
	uint64_t sectors; /* distinct 32-byte sectors of each execution, summed */
	uint64_t bytes;   /* that the lanes asked for */
};

/* Tier counts: distinct 32-byte sectors of one object that one launch touched. */
struct ct_event_touched {
	struct ct_event_header header;
	uint32_t launch;
	uint32_t object;  /* 0: not known for this launch, both figures are UINT64_MAX */
	uint64_t read;    /* sectors */
	uint64_t written; /* sectors; atomics count in both */
};

/* The process that writes a part: its first event. */
struct ct_event_process {
	struct ct_event_header header;
	uint64_t pid;
	uint64_t parent;  /* pid */
	uint32_t host;    /* str */
	uint32_t program; /* str: command line */
	uint32_t rank;    /* of the job (MPI, Slurm, ...); CT_NO_RANK if there is none */
	uint32_t ranks;   /* 0 unknown */
};

#define CT_NO_RANK 0xffffffffu

struct ct_event_launch_done {
	struct ct_event_header header;
	uint32_t launch;
	int32_t error; /* cudaError_t as the program saw it, 0 success */
};

/* Every record of the device's launches 1..launch is in its file, or a LOSS before
 * this event tells that it is not. The last such event of a device counts. */
struct ct_event_stored {
	struct ct_event_header header;
	uint32_t device;
	uint32_t launch;
};

enum ct_object_kind {
	CT_OBJECT_DEVICE = 1,
	CT_OBJECT_MANAGED = 2,
	CT_OBJECT_HOST = 3,     /* pinned host memory */
	CT_OBJECT_VARIABLE = 4, /* __device__ or __constant__ variable; lives until the end */
};

struct ct_event_alloc {
	struct ct_event_header header;
	uint64_t address;
	uint64_t bytes;
	uint32_t object; /* id from 1, unique in the process, in allocation order */
	uint32_t kind;   /* enum ct_object_kind */
	uint32_t device;
	uint32_t site; /* str: site descriptor, or the variable's name for CT_OBJECT_VARIABLE */
};

struct ct_event_free {
	struct ct_event_header header;
	uint64_t address;
	uint32_t object;
	uint32_t reserved;
};

struct ct_event_loss {
	struct ct_event_header header;
	uint64_t chunks; /* ring chunks not stored; UINT64_MAX unknown */
	uint32_t launch; /* 0: not known which */
	uint32_t reason; /* str */
};

enum ct_transfer_kind {
	CT_TRANSFER_COPY = 1, /* memory to memory, each of host or device */
	CT_TRANSFER_SET =
	    2, /* memset: no source; also a copy from an array, which has no addresses */
};

enum ct_transfer_flags {
	CT_TRANSFER_WAITED = 1, /* done when the call returned */
	CT_TRANSFER_GRAPH = 2,  /* a node of a graph */
};

/* A copy or memset that the program asked for: `depth` slices of `height` rows
 * of `width` bytes, rows and slices that many bytes apart. Reads and writes
 * memory between the kernels of its stream. Written when the call has succeeded,
 * so that what is written after a copy that waited happened after it; of a graph,
 * before its launch, each where its node stands among the kernels. */
struct ct_event_transfer {
	struct ct_event_header header;
	uint64_t target; /* address of the first byte; 0 for an array */
	uint64_t source; /* 0 for CT_TRANSFER_SET */
	uint64_t width;
	uint64_t height; /* 1 for what is contiguous */
	uint64_t depth;
	uint64_t target_row,
	    target_slice; /* bytes from one to the next; any value if there is one */
	uint64_t source_row, source_slice;
	uint64_t stream;   /* as in LAUNCH */
	uint32_t transfer; /* id from 1, unique in the process */
	uint32_t kind;     /* enum ct_transfer_kind */
	uint32_t flags;    /* enum ct_transfer_flags */
	uint32_t device;
	uint32_t thread; /* host thread (gettid) */
	uint32_t call;   /* str: name of the API call */
};

enum ct_order_kind {
	CT_ORDER_DEVICE = 1, /* the host has waited for everything on the device */
	CT_ORDER_STREAM = 2, /* the host has waited for the stream */
	CT_ORDER_EVENT = 3,  /* the host has waited for the event */
	CT_ORDER_RECORD = 4, /* the event is recorded in the stream */
	CT_ORDER_WAIT = 5,   /* what follows in the stream waits for the event's last record */
};

/* What orders work of different streams. Host waits are written when they are
 * over and were successful, a successful query as a wait; RECORD and WAIT when the call has
 * succeeded. An executable graph stands for an event: its launches run one after another. */
struct ct_event_order {
	struct ct_event_header header;
	uint64_t stream; /* as in LAUNCH; of STREAM, RECORD and WAIT */
	uint64_t event;  /* id from 1, unique in the process; of EVENT, RECORD and WAIT */
	uint32_t kind;   /* enum ct_order_kind */
	uint32_t device;
	uint32_t thread;
	uint32_t reserved;
};

enum ct_stream_flags {
	CT_STREAM_NON_BLOCKING =
	    1,                   /* does not wait for the legacy default stream, nor that for it */
	CT_STREAM_DESTROYED = 2, /* the end of the stream; its id is not used again */
};

/* A stream that the program made. Streams without such an event are blocking. */
struct ct_event_stream {
	struct ct_event_header header;
	uint64_t stream;
	uint32_t flags; /* enum ct_stream_flags */
	uint32_t device;
};

#endif
