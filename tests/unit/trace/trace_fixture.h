/* SPDX-License-Identifier: Apache-2.0 */
/* A small trace for tests: its directory, its content and what a reader should see in it. */
#ifndef CT_TRACE_FIXTURE_H
#define CT_TRACE_FIXTURE_H

#include "tests/builder/trace.h"
#include "trace/read/reader.h"
#include "trace/write/writer.h"

#include <stdbool.h>

/* A fresh directory below the system's for temporary files. */
char *fixture_directory(void);
/* Remove it with the files in it, and free the path. */
void fixture_remove(char *directory);

/* A file's content (freed by the caller) and back. */
char *fixture_read(const char *directory, const char *name, size_t *bytes);
void fixture_write(const char *directory, const char *name, const void *content, size_t bytes);
bool fixture_has(const char *directory, const char *name);
void fixture_delete(const char *directory, const char *name);

/* A file of whole chunks has these. */
struct fixture_chunks {
	uint64_t chunks;
	uint64_t tickets; /* that they say to hold */
};
struct fixture_chunks fixture_chunks(const char *directory, const char *name);

/* A unit blob of 2 kernels, 4 sites and 2 frames for sm_90, freed by the caller. */
void *fixture_unit(size_t *bytes);
#define FIXTURE_UNIT_ID 0x1122334455667788u
#define FIXTURE_SITES 4u
void fixture_add_unit(struct build *b);

/* Write the small trace to a directory through the writer. flush_often makes
 * a chunk of every step. Returns what the writer's close returned. */
int fixture_make(const char *directory, int level, bool flush_often);
#define FIXTURE_LAUNCHES 3u
#define FIXTURE_OBJECTS 4u
#define FIXTURE_ACCESSES 12u
#define FIXTURE_X 0x7f0000001000u /* address of the object "x", and later of "z" */
#define FIXTURE_Y 0x7f0000009000u

struct fixture_sum {
	uint64_t accesses;
	uint64_t lanes;
	uint64_t addresses; /* sum over active lanes, modulo 2^64 */
};

/* Scan everything and add it up; returns what the scan returned. */
int fixture_scan(struct ct_trace *trace, struct fixture_sum *sum, uint64_t *damaged);

#endif
