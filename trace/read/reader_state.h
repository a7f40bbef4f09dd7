/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's files share this state: the tables of a trace while they are built and after. */
#ifndef CT_TRACE_READ_READER_STATE_H
#define CT_TRACE_READ_READER_STATE_H

#include "base/buffer.h"
#include "trace/codec/chunk.h"
#include "trace/names/directory.h"
#include "trace/read/live.h"
#include "trace/read/reader.h"
#include "trace/read/work.h"

/* The strings of one STRINGS chunk. */
struct ct_string_block {
	uint32_t first_id, count;
	const char **strings;
};

/* An object comes to life or dies just before the event of that index. */
struct ct_object_change {
	uint64_t event_index;
	uint32_t object; /* index in the trace's objects */
	bool is_death;
};

#define CT_NO_UNIT 0xffffffffu

/* A unit as it stands in the file. */
struct ct_unit_blob {
	const void *raw;
	size_t bytes;
};

/* The sound events of one EVENTS chunk; the trace owns raw. */
struct ct_event_block {
	const void *raw;
	size_t bytes;
	uint64_t first_index;
};

/* Rows of a table, of one part. */
struct ct_part_rows {
	bool is_loaded;
	const void *rows; /* the trace owns them */
	size_t count;
};

/* One process of the trace. Its events of a kind are a slice of the trace's; of those that are
 * joined with others, the same slice of another table. */
struct ct_part {
	uint32_t part;
	uint64_t next_event;            /* expected first_sequence */
	struct ct_buffer string_blocks; /* struct ct_string_block, ids ascending */
	struct ct_buffer event_blocks;  /* struct ct_event_block */
	size_t first[CT_EVENT_KINDS], count[CT_EVENT_KINDS];
	uint32_t *launch_order;   /* indices of launches, by launch id */
	struct ct_buffer units;   /* uint32_t: which of the trace's, in the order of the file */
	struct ct_buffer changes; /* struct ct_object_change in order */
	/* Objects alive after the first changes_done changes; moves both ways. */
	struct ct_live live;
	size_t changes_done;
	struct ct_part_rows rows[CT_TABLES];
};

struct ct_manifest_text {
	const char *text;
	uint32_t part;
	bool is_old;      /* manifest.json: of all parts */
	uint64_t missing; /* bytes that were written and are not there */
};

/* A chunk of a device's records. */
struct ct_record_chunk {
	uint64_t first, last; /* tickets */
	uint64_t offset;      /* in its file */
	uint32_t file;        /* among those of the device */
	uint32_t place;       /* among the chunks of its file as they stand there */
	bool is_double;       /* some of its tickets are those of another: not read */
	bool is_after_gap;    /* tickets are missing before it */
};

struct ct_trace_file {
	char name[CT_FILE_NAME_BYTES];
	struct ct_file_name what;
	uint64_t bytes;
	uint32_t files; /* of this device: this one and those behind it; 0 if it is not the first */
	struct ct_buffer
	    chunks;       /* of the first: struct ct_record_chunk of all, tickets ascending */
	uint64_t damaged; /* likewise: places where no sound chunk stands */
};

/* A device that has files of records. */
struct ct_record_device {
	size_t file;        /* the first of its files */
	size_t first_chunk; /* in the trace */
};

struct ct_trace {
	char *directory;
	char *name;       /* as the caller gave it */
	bool is_one_part; /* only this one of its parts is read: */
	uint32_t only_part;
	uint64_t bytes;
	uint64_t event_count;
	uint64_t record_chunks; /* of the device that has most */
	uint64_t ring_chunks;   /* tickets of all devices */
	uint32_t record_words;  /* of the largest chunk of records */
	bool is_damaged;        /* something of the events was not readable */
	struct ct_buffer files; /* struct ct_trace_file: events first, by part, device and number */
	struct ct_buffer record_devices;         /* struct ct_record_device */
	struct ct_buffer parts;                  /* struct ct_part */
	struct ct_buffer manifests;              /* struct ct_manifest_text */
	struct ct_buffer processes;              /* struct ct_process_info, by part */
	struct ct_buffer units;                  /* struct ct_unit, each once */
	struct ct_buffer unit_blobs;             /* struct ct_unit_blob of each */
	struct ct_buffer codes;                  /* struct ct_code_info */
	struct ct_buffer events[CT_EVENT_KINDS]; /* struct ct_host_event */
	struct ct_buffer launches;               /* struct ct_launch_info: of each LAUNCH */
	struct ct_buffer objects;                /* struct ct_object_info: of each ALLOC */
	struct ct_buffer devices;                /* struct ct_device_info: of each DEVICE */
	struct ct_buffer losses;                 /* struct ct_loss_info: of each LOSS */
	struct ct_buffer transfers;              /* struct ct_transfer_info: of each TRANSFER */
	struct ct_buffer counts;                 /* struct ct_count_info: of each COUNT */
	struct ct_buffer summaries;              /* struct ct_summary_info: of each SUMMARY */
	struct ct_buffer touched;                /* struct ct_touched_info: of each TOUCHED */
	struct ct_buffer warnings;               /* char * */
	struct ct_buffer warned_at;              /* uint64_t: place, when each was added */
	struct ct_trace_work *work;              /* of the trace and its views */
	uint64_t place; /* of the records at hand: chunk of the trace << CT_PLACE_BITS | byte */
	bool is_view;   /* what is not changed by a scan is another trace's */
	bool has_one_reader;         /* of rows (ct_trace_drop_rows) */
	struct ct_buffer owned;      /* void *: freed with the trace */
	struct ct_buffer owned_rows; /* likewise, of base/large.h */
};

#define CT_PLACE_BITS 25
#define CT_PLACE_MASK ((1ull << CT_PLACE_BITS) - 1)

/* Typed view of a buffer: CT_ARRAY(struct ct_part, &trace->parts)[i]. */
#define CT_ARRAY(type, buffer) ((type *)(void *)(buffer)->bytes)
/* From one of its entries on; of an empty buffer NULL, to which nothing may be added. */
#define CT_ARRAY_FROM(type, buffer, first)                                                         \
	((buffer)->bytes ? CT_ARRAY(type, buffer) + (first) : NULL)
#define CT_COUNT(type, buffer) ((buffer)->size / sizeof(type))

/* Add a warning unless the same one is there. */
__attribute__((format(printf, 2, 3))) void ct_trace_warn(struct ct_trace *trace, const char *format,
							 ...);

/* view.c */
void ct_trace_close_view(struct ct_trace *view);

/* The trace frees memory when it is closed; at once if this fails with -ENOMEM. */
int ct_trace_own(struct ct_trace *trace, void *memory);
/* The same of what ct_large_alloc has given. */
int ct_trace_own_rows(struct ct_trace *trace, void *rows);

/* Path of a file of the trace; free it. */
char *ct_trace_path(const struct ct_trace *trace, const char *name);

/* part.c: what a part has. The part itself, or NULL. */
struct ct_part *ct_trace_part(const struct ct_trace *trace, uint32_t part);
const char *ct_part_string(const struct ct_part *part, uint32_t id); /* "" if unknown */
/* The launch of an id; NULL: the part has none. When launches are linked. */
struct ct_launch_info *ct_part_launch(const struct ct_trace *trace, const struct ct_part *part,
				      uint32_t launch);
/* The unit for an architecture; NULL if it is not there or unit_id is 0. */
const struct ct_unit *ct_part_unit(const struct ct_trace *trace, const struct ct_part *part,
				   uint64_t unit_id, uint32_t arch);
/* The unit with that tag (cudatrace/unit.h) for arch, or for the nearest one;
 * NULL if the part has none. */
const struct ct_unit *ct_part_tagged_unit(const struct ct_trace *trace, const struct ct_part *part,
					  uint32_t tag, uint32_t arch);
/* The part's slice of the events of a kind. */
const struct ct_host_event *ct_part_events(const struct ct_trace *trace, const struct ct_part *part,
					   enum ct_event_kind kind, size_t *count);

/* tables.c: load the events file of a part. *part is already in trace->parts. */
int ct_trace_load_events(struct ct_trace *trace, struct ct_part *part,
			 const struct ct_trace_file *file);

/* Likewise the strings of a file of names; when all events are loaded. */
int ct_trace_load_names(struct ct_trace *trace, const struct ct_trace_file *file);

/* manifest.c; damage is a warning. -ENOMEM. */
int ct_trace_load_manifest(struct ct_trace *trace, const struct ct_trace_file *file);
/* Its text, "" if there is none. */
const char *ct_trace_part_manifest(const struct ct_trace *trace, uint32_t part, uint64_t *missing);

/* processes.c: after all parts are linked. -ENOMEM. */
int ct_trace_load_processes(struct ct_trace *trace);

/* events.c: take the events of an EVENTS payload, aligned to 8 bytes and kept as
 * long as the trace; at the first that is not sound, -CT_EFORMAT: the rest is given up. */
int ct_part_load_events(struct ct_trace *trace, struct ct_part *part, const char *raw,
			const struct ct_chunk_header *header);

/* link.c: after all of a part is loaded, resolve names, units and lifetimes. */
int ct_trace_link(struct ct_trace *trace, struct ct_part *part);
/* objects.c */
int ct_part_note_alloc(struct ct_trace *trace, struct ct_part *part,
		       const struct ct_host_event *event);
int ct_part_note_free(struct ct_trace *trace, struct ct_part *part,
		      const struct ct_host_event *event);

/* record_index.c: walk over the chunk headers of a device's files, of which `first` is the first;
 * fill in its chunks and warn of what is missing. *name: the file that an error is about. */
int ct_trace_index_records(struct ct_trace *trace, struct ct_trace_file *first, const char **name);

/* link_counts.c: launches, units and objects of counts. */
void ct_part_link_counts(struct ct_trace *trace, const struct ct_part *part);

/* Warn of what ct_chunk_file_next says beyond sound chunks: damaged bytes, a
 * torn end, a newer version. chunks: sound ones so far. Returns how much was
 * damaged: 0 or 1. */
int ct_trace_warn_chunk(struct ct_trace *trace, const struct ct_trace_file *file, int result,
			const struct ct_chunk *chunk, uint64_t chunks);

#endif
