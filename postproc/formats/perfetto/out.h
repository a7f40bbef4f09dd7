/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of Chrome's trace event format (JSON), never larger than a limit. Events are gathered
 * until it is known whether they fit:
 *
 *   ct_perfetto_open ── fields of args ── ct_perfetto_close, for each that belong together ──
 *   ct_perfetto_take
 */
#ifndef CT_POSTPROC_FORMATS_PERFETTO_OUT_H
#define CT_POSTPROC_FORMATS_PERFETTO_OUT_H

#include "base/json.h"

#define CT_PERFETTO_TOGETHER 4u /* events, at most */

struct ct_perfetto_out {
	struct ct_json json;
	uint64_t limit, written; /* bytes */
	uint64_t events;

	/* Those that are gathered. */
	struct ct_json next;
	char *text;
	size_t bytes, end[CT_PERFETTO_TOGETHER], count;
};

struct ct_perfetto_event {
	const char *name;
	const char *category; /* NULL: it has none */
	const char *phase;    /* "X" lasts, "i" is an instant, "s" and "f" are ends of an arrow */
	uint64_t id;          /* of those that belong together; 0: none */
	uint64_t pid, tid;
	uint64_t begin_ns, lasts_ns; /* the second of X alone */
};

/* 0 or -ENOMEM; ct_perfetto_end in either case. */
int ct_perfetto_begin(struct ct_perfetto_out *out, FILE *file, uint64_t limit);

/* An event, whose args the caller writes to what is returned. */
struct ct_json *ct_perfetto_open(struct ct_perfetto_out *out,
				 const struct ct_perfetto_event *event);
void ct_perfetto_close(struct ct_perfetto_out *out);
/* Write what is gathered. 0: it does not fit and is left out, or there is an error, which
 * ct_perfetto_end returns. */
int ct_perfetto_take(struct ct_perfetto_out *out);

/* Writes what stands beside the events: to what is returned. Behind the last event. */
struct ct_json *ct_perfetto_facts(struct ct_perfetto_out *out);
/* Returns the first error: -ENOMEM, or of the file. */
int ct_perfetto_end(struct ct_perfetto_out *out);

/* A time in microseconds. */
void ct_perfetto_put_time(struct ct_json *json, const char *key, uint64_t ns);

#endif
