/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a trace directory: its tables at once, its records as a stream.
 *
 * Tables (units, launches, objects, devices, losses) are loaded by
 * ct_trace_open and live as long as the trace; all pointers handed out are
 * borrowed from it. A damaged or cut file yields everything before the damage
 * and a warning (ct_trace_warnings), and reading goes on after it where the
 * format allows. What fails to open: a directory without events files, damage
 * that leaves no readable event, a file of a newer version. Not
 * thread-safe: one thread at a time per trace, and views for others (ct_trace_view).
 */
#ifndef CT_TRACE_READ_READER_H
#define CT_TRACE_READ_READER_H

#include "base/buffer.h"
#include "base/error.h"
#include "trace/codec/site.h"
#include "trace/codec/unit.h"

#include <cudatrace/format.h>
#include <cudatrace/record.h>
#include <stddef.h>
#include <stdint.h>

struct ct_trace;

/* An event of the host side: a name of its kind points to it (event.launch, event.order, ...). */
struct ct_host_event {
	union {
		const struct ct_event_header *header;
#define CT_EVENT(NAME, number, name, since, bytes, text) const struct ct_event_##name *name;
#include <cudatrace/events.def>
	};
	uint32_t part;
	uint64_t index; /* position among the part's events */
};

struct ct_launch_info {
	const struct ct_event_launch *event;
	const char *kernel_name; /* mangled */
	const char *kernel;      /* display name if known, else mangled */
	const char *site;        /* launch-site descriptor or "" */
	const char *reason;      /* why not traced, or "" */
	const char *region; /* names of the regions it was launched in, outermost first, with "/"
			       between; or "" */
	const struct ct_unit *unit; /* NULL if unknown */
	uint32_t kernel_index;      /* in unit, or CT_NONE */
	uint32_t part;
	int32_t error;        /* from LAUNCH_DONE */
	uint8_t done;         /* a LAUNCH_DONE was seen */
	uint8_t stored;       /* by a STORED: its records are there, but for reported losses */
	uint64_t done_ns;     /* time of LAUNCH_DONE */
	uint64_t event_index; /* position among the part's events */
};

struct ct_object_info {
	const struct ct_event_alloc *event;
	const char
	    *name; /* variable name from the site, or the device variable's name; "" unknown */
	const char *site; /* descriptor or "" */
	/* "src/main.cu:12": who had it allocated, if others did from the same site
	 * (symbols/allocated.h); else "". It is in the name, too. */
	const char *caller;
	uint32_t part;
	uint64_t allocated_at; /* event index of the allocation */
	uint64_t freed_at;     /* event index of the free, UINT64_MAX if never */
};

struct ct_loss_info {
	const struct ct_event_loss *event;
	const struct ct_launch_info *launch; /* NULL: not known which */
	const char *reason;
	uint32_t part;
};

/* The process that wrote a part. */
struct ct_process_info {
	const struct ct_event_process *event; /* NULL in traces before version 3 */
	uint32_t part;
	uint32_t rank;        /* CT_NO_RANK: none, or not known */
	uint32_t ranks;       /* 0 unknown */
	const char *host;     /* "" unknown */
	const char *program;  /* command line, "" unknown */
	const char *manifest; /* its JSON text, "" if missing */
	uint64_t bytes;       /* of the part's files */
	uint64_t missing;     /* bytes of them that the manifest counts and that are not there */
};

struct ct_device_info {
	const struct ct_event_device *event;
	const char *name;
	uint32_t part;
};

/* A copy or memset. */
struct ct_transfer_info {
	const struct ct_event_transfer *event;
	const char *call; /* name of the API call or "" */
	uint32_t part;
	uint64_t event_index;
};

/* Device code (chunk kind CODE), as it was written: nothing of it is checked. */
struct ct_code_info {
	struct ct_code_header header;
	uint32_t part;
	size_t bytes;
	const void *code; /* aligned to 8 bytes */
};

/* Tier counts: one site in one launch. */
struct ct_count_info {
	const struct ct_event_count *event;
	const struct ct_launch_info *launch; /* NULL: its event is missing */
	const struct ct_unit *unit; /* of the site, which is in it; NULL: not in the trace */
	uint32_t part;
};

/* Tier values: one site in one launch. */
struct ct_summary_info {
	const struct ct_event_summary *event;
	const struct ct_launch_info *launch; /* NULL: its event is missing */
	const struct ct_unit *unit;          /* as of ct_count_info */
	const struct ct_object_info *object; /* NULL: of several, or of none that is known */
	uint32_t part;
};

/* Tier counts: one object in one launch. */
struct ct_touched_info {
	const struct ct_event_touched *event;
	const struct ct_launch_info *launch; /* NULL: its event is missing */
	const struct ct_object_info *object; /* NULL: not known */
	uint32_t part;
};

/* One step of a device call path: the call that a site of operation CALL is. */
struct ct_path_call {
	const struct ct_unit *unit;
	uint32_t site;
};

#define CT_SEGMENT_IN_CHUNK_BITS 21

/* One warp-level access, decoded. Valid during the callback. */
struct ct_access {
	const struct ct_launch_info *launch;
	const struct ct_unit *unit; /* of the site; the launch's, or another's with -fgpu-rdc */
	const struct ct_path_call *path; /* calls not inlined, outermost first; the same for all
				       lanes of mask; see ct_scan.paths */
	uint32_t depth;                  /* of path */
	uint64_t cta;
	uint32_t warp;
	uint32_t sm;
	uint32_t sequence;  /* of the segment, modulo 65536 */
	uint32_t by_path;   /* 1: handed out for its path, see ct_scan.paths */
	uint32_t is_ahead;  /* 1: reported with one before it or at a loop's entry; if the launch
			       failed, it may not have happened */
	uint32_t is_linear; /* 1: active lane i has address[first] + (i - first) * stride */
	int64_t stride;     /* bytes, if is_linear; 0: all the same */
	uint64_t segment;   /* ascends with the segments of a warp, unique in a device file;
			       number of the chunk by its tickets << CT_SEGMENT_IN_CHUNK_BITS | place
			       in it */
	uint64_t number;    /* of an access or event: ascends with those of a warp in a chunk, and
			       is less than the chunk stands for */
	uint32_t mask;      /* active lanes, never 0 */
	uint32_t site;      /* index in unit->sites */
	const struct ct_unit_site *info;
	const uint64_t *range; /* by lane: its bytes; NULL: info->bytes each */
	uint64_t
	    address[CT_WARP_LANES]; /* defined for active lanes; CT_ADDRESS_SPACE of record.h */
};

/* An execution of a site of class EVENT: fields of `at` as for an access, without addresses. */
struct ct_event {
	const struct ct_access *at;
	uint32_t phase; /* enum ct_event_phase */
};

/* Values of the last access of the same lanes at the same site. They are handed
 * out right after it, wherever in the file they stand; without it if it is lost. */
struct ct_value {
	const struct ct_access *at; /* without addresses; mask: lanes that have a value here */
	uint32_t part;              /* enum ct_value_part */
	uint32_t bytes;             /* 1..16 */
	/* In part CT_PART_CONTENT, of which an access has any number: where in the range of each
	 * lane these bytes are; beyond its end they are 0. at has addresses and ranges, or range
	 * is NULL, where the access is lost. */
	uint32_t offset;
	uint8_t data[CT_WARP_LANES]
		    [CT_VALUE_BYTES_MAX]; /* little-endian, defined for active lanes */
};

/* directory: or an events file in one, which stands for that part alone. */
int ct_trace_open(struct ct_trace **out, const char *directory, char *why, size_t why_bytes);
void ct_trace_close(struct ct_trace *trace); /* NULL is allowed */

/* The same trace for another thread: it shares the tables, so that pointers into them mean
 * the same, and has warnings of its own. Closed before the trace is. -ENOMEM. */
int ct_trace_view(struct ct_trace **out, const struct ct_trace *trace);
/* Add the views' warnings to the trace's, in the order of the places they are about. */
void ct_trace_join_views(struct ct_trace *trace, struct ct_trace *const *views, size_t count);
/* A view's warnings as bytes, appended, and given to a view of the same trace in another process.
 * 0, -ENOMEM, or -EPROTO if the bytes are none. */
int ct_trace_pack_warnings(const struct ct_trace *view, struct ct_buffer *bytes);
int ct_trace_unpack_warnings(struct ct_trace *view, const void *bytes, size_t count);

const char *ct_trace_directory(const struct ct_trace *trace);
const char *
ct_trace_manifest(const struct ct_trace *trace); /* JSON text, of the first part; "" if missing */

/* The events of one kind, by part and index. What events of an earlier version lack is 0; those
 * that mean nothing are left out, with a warning. */
size_t ct_trace_events(const struct ct_trace *trace, enum ct_event_kind kind,
		       const struct ct_host_event **events);
/* Every event as it stands in the file, also of kinds that this version does not know, by part
 * and index; its header's size tells how much of it there is (trace/codec/event.h). Nonzero from
 * each stops, and is returned. */
int ct_trace_each_event(const struct ct_trace *trace,
			int (*each)(void *user, const struct ct_host_event *event), void *user);
/* The rows of a part's table: an array of its structs (format.h), which the trace owns. They are
 * loaded when they are first asked for: not by several threads, nor of a view. Of a numbered table
 * row n is rows[n - 1], zeros if it is lost; of others what is lost leaves no gap. Damage is a
 * warning. */
int ct_trace_rows(struct ct_trace *trace, uint32_t part, enum ct_table_number table,
		  const void **rows, size_t *count);
/* Nothing else looks at the trace's rows but who says so, and says which are needed no more. */
void ct_trace_have_one_reader(struct ct_trace *trace);
/* These rows are needed no more: if nothing else looks at them they are freed, and loaded again
 * when they are asked for. */
void ct_trace_drop_rows(struct ct_trace *trace, uint32_t part, enum ct_table_number table);
/* A string of a part; "" if it is not there. */
const char *ct_trace_string(const struct ct_trace *trace, uint32_t part, uint32_t id);

/* These join what several events report by their ids and names. */
size_t ct_trace_units(const struct ct_trace *trace, const struct ct_unit **units);
/* Which of them a part has. */
size_t ct_trace_part_units(const struct ct_trace *trace, uint32_t part, const uint32_t **numbers);
/* By part, in the order of the files. */
size_t ct_trace_codes(const struct ct_trace *trace, const struct ct_code_info **codes);
size_t ct_trace_launches(const struct ct_trace *trace, const struct ct_launch_info **launches);
/* "step, row_means": the kernels that were launched, traced or not, in the order of their first
 * launches, as many as bytes (at least 32) hold. Returns the number of launches. */
size_t ct_trace_tell_kernels(const struct ct_trace *trace, char *text, size_t bytes);
size_t ct_trace_objects(const struct ct_trace *trace, const struct ct_object_info **objects);
/* Sets what an object is called and where its caller is; the texts are copied. 0 or -ENOMEM */
int ct_trace_name_object(struct ct_trace *trace, size_t object, const char *name,
			 const char *caller);
size_t ct_trace_devices(const struct ct_trace *trace, const struct ct_device_info **devices);
/* By part. Of several processes: the ranks that have no part are in the warnings. */
size_t ct_trace_processes(const struct ct_trace *trace, const struct ct_process_info **processes);
size_t ct_trace_losses(const struct ct_trace *trace, const struct ct_loss_info **losses);
size_t ct_trace_transfers(const struct ct_trace *trace, const struct ct_transfer_info **transfers);
size_t ct_trace_counts(const struct ct_trace *trace, const struct ct_count_info **counts);
size_t ct_trace_summaries(const struct ct_trace *trace, const struct ct_summary_info **summaries);
size_t ct_trace_touched(const struct ct_trace *trace, const struct ct_touched_info **touched);
/* One line each, about the file and what is lost, each once. Scans add to them, so ask
 * again after one. */
size_t ct_trace_warnings(const struct ct_trace *trace, const char *const **warnings);

/* Total size of the files. */
uint64_t ct_trace_bytes(const struct ct_trace *trace);

/* Ring chunks that the device files hold: their tickets. */
uint64_t ct_trace_ring_chunks(const struct ct_trace *trace);

/* The limits of device files, when the trace was opened: the most chunks of one, and the most
 * words of a chunk. */
void ct_trace_record_limits(const struct ct_trace *trace, uint64_t *chunks, uint32_t *words);

/* The object that holds address when launch started, or NULL. */
const struct ct_object_info *ct_trace_object_at(const struct ct_trace *trace,
						const struct ct_launch_info *launch,
						uint64_t address);

enum ct_scan_paths {
	CT_SCAN_NO_PATHS = 0,
	/* `path` is filled in, and a record whose lanes have different ones comes in several calls,
	 * with by_path. */
	CT_SCAN_BY_PATH = 1,
	CT_SCAN_BOTH_WAYS = 2, /* as without paths, and then by path */
};

struct ct_scan {
	/* Called per access; nonzero stops the scan and is returned. */
	int (*access)(void *user, const struct ct_access *access);
	/* Called per event and per value; may be NULL. */
	int (*event)(void *user, const struct ct_event *event);
	int (*value)(void *user, const struct ct_value *value);
	void *user;
	/* A scan hands out these: by access, event and value. */
	const uint8_t *launches;     /* by launch of the trace, 0: not of it; NULL: of all */
	const uint8_t *const *sites; /* by unit, by site of it, 0: not of it; NULL: of all */
	/* A path lacks the calls that were begun before the last loss or damage. */
	enum ct_scan_paths paths;
};

/* Every access of the trace, per device in ticket order, so that each warp's
 * accesses come in program order. Damage is skipped as far as the format
 * allows, and counted in *damaged_chunks (may be NULL). Returns 0, the
 * callback's nonzero value, or a negative error. */
int ct_trace_scan(struct ct_trace *trace, const struct ct_scan *scan, uint64_t *damaged_chunks);

#endif
