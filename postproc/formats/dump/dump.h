/* SPDX-License-Identifier: Apache-2.0 */
/* The output formats of ctpost dump. */
#ifndef CT_POSTPROC_FORMATS_DUMP_DUMP_H
#define CT_POSTPROC_FORMATS_DUMP_DUMP_H

#include "postproc/facts/locate.h"
#include "postproc/facts/range_bytes.h"
#include "postproc/facts/values.h"
#include "postproc/symbols/paths.h"
#include "trace/read/reader.h"
#include <stdbool.h>
#include <stdio.h>

struct ct_dump {
	FILE *out;
	struct ct_locator locator;
	/* A line has these: */
	int lanes; /* a line per thread instead of per warp */
	int values;
	int events;
	int paths;
	const struct ct_host_paths *host; /* of launches; NULL: not with paths, or not known */
	int parts;                        /* of which process: the trace has several */
};

/* Where fetches from textures and surfaces go, lane by lane. */
struct ct_dump_place {
	uint32_t mask;
	uint32_t count; /* of coordinates */
	uint32_t coordinate[CT_WARP_LANES][4];
	uint64_t image[CT_WARP_LANES];
};

/* Describes what is shown as one line, or one per lane. */
struct ct_dump_record {
	const struct ct_access *access; /* of an event: as in struct ct_event */
	int has_addresses;              /* 0: an event, or values whose access is lost */
	int is_event;
	uint32_t phase;                       /* of an event */
	const struct ct_values *values;       /* NULL: not shown, or none */
	const struct ct_range_bytes *content; /* likewise */
	const struct ct_dump_place *place;    /* likewise; not in CSV */
};

struct ct_dump_format {
	const char *name;
	void (*begin)(struct ct_dump *dump); /* may be NULL */
	void (*warp)(struct ct_dump *dump, const struct ct_dump_record *record);
	void (*lane)(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lane);
};

extern const struct ct_dump_format ct_dump_text;
extern const struct ct_dump_format ct_dump_csv;
extern const struct ct_dump_format ct_dump_jsonl;

/* Bytes of lanes of an access: one number if they are the same. */
void ct_dump_write_bytes(FILE *out, const struct ct_access *access, uint32_t lanes,
			 const char *separator);

/* The values of lanes in a role. */
void ct_dump_write_values(FILE *out, const struct ct_dump_record *record, enum ct_role role,
			  uint32_t lanes, const char *separator);

/* Writes what the ranges of lanes moved, as hexadecimal digits in the order of memory. */
void ct_dump_write_content(FILE *out, const struct ct_range_bytes *content, uint32_t lanes,
			   const char *separator);

/* A coordinate of a lane, and whether it is a float. */
double ct_dump_coordinate(const struct ct_dump_record *record, uint32_t lane, uint32_t i,
			  bool *is_float);

/* Lanes of which there is some. */
uint32_t ct_dump_content_lanes(const struct ct_dump_record *record, uint32_t lanes);

/* "leave" when a call returns, else "happens". */
const char *ct_dump_phase(const struct ct_dump_record *record);

/* The host's frames, if they are known, then the device's: "host main a.cu:9 > launch > kernel …".
 */
void ct_dump_write_path(FILE *out, const struct ct_dump *dump, const struct ct_access *access);

/* An address as it is written: global ones whole, others as their offset. */
uint64_t ct_dump_offset(uint64_t address);

#endif
