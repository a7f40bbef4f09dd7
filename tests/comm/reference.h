/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communication analysis once more, as naively as its definitions
 * (docs/communication.md) allow: every access in memory, one map entry per
 * byte. Only for small traces. Shares nothing with postproc/comm but the
 * contract comm.h.
 */
#ifndef CT_TEST_REFERENCE_H
#define CT_TEST_REFERENCE_H

#include "postproc/analysis/comm/comm.h"
#include "tests/comm/bag.h"
#include "tests/comm/touches.h"

#define REFERENCE_DEVICES 3 /* crossing is counted for 2 … */

struct reference {
	struct ct_trace *trace;
	struct before before;
	struct touches touches;
	struct ct_comm_options options;
	bool *passes;         /* by superstep */
	bool *is_meant;       /* by group of objects; NULL: all are */
	uint32_t *kernel;     /* by superstep: index in figures.kernel; 0 of transfers */
	bool is_open;         /* a CTA wrote a byte by two accesses without order between them, of
				 which one passes: whether the byte counts is open */
	bool has_other_sites; /* a CTA wrote a byte by two accesses: whose line and stride counts is
				 open */

	/* Keys and values. Bytes are addresses. */
	struct bag transfers;  /* source superstep, CTA, target superstep, CTA -> bytes, loads */
	struct bag sent;       /* superstep, CTA, byte: communicated */
	struct bag exchanged;  /* likewise: with another CTA, or another kernel */
	struct bag to_others;  /* likewise: with another CTA */
	struct bag received;   /* target superstep, byte, kernel: communicated from it */
	struct bag ctas;       /* superstep, CTA, 0 -> loaded, stored; 1 -> of these communicated;
				  2 -> SM */
	struct bag lines;      /* unit, site, unit, site -> bytes, loaded bytes */
	struct bag self_lines; /* of these: self messages */
	struct bag objects; /* first object of the group, or NO_OBJECT; 0 -> loaded, stored; 1 -> of
			       these communicated; 2 -> transferred, number of objects; 3 -> of 1:
			       with other CTAs; 4 -> of 2: self messages */
	struct bag pairs;   /* source id, target id -> transfers, bytes */
	/* By number of devices, then placement: source superstep, target superstep, byte, source
	 * device << 8 | target device. */
	struct bag crossing[REFERENCE_DEVICES - 1][2];
	struct bag strides[2]; /* superstep, CTA, address: load, store */

	struct ct_comm_figures figures; /* without pattern, damage and spill */
};

#define NO_OBJECT UINT64_MAX

/* A negative error and one line in why. Of options, filter, self and density count. */
int reference_open(struct reference *reference, const char *directory,
		   const struct ct_comm_options *options, char *why, size_t why_bytes);
void reference_close(struct reference *reference);

/* Where a CTA lives: blocks, or in turn. */
static inline uint64_t reference_home(uint64_t cta, uint64_t ctas, uint64_t devices, bool in_turn)
{
	return in_turn ? cta % devices : cta * devices / ctas;
}

/* reference_bytes.c: who reads whose bytes; fills the bags. */
void reference_match(struct reference *reference);
/* reference_sums.c: the figures, from the bags. */
void reference_sum(struct reference *reference);
/* reference_relations.c: those by kernel pair, line and object. */
void reference_relate(struct reference *reference);
/* Chooses what passes. */
void reference_choose(struct reference *reference);
/* Is an object of the trace called so? */
bool reference_has_object(const struct reference *reference, const char *wanted);
/* Does the access: its superstep, CTA and site, and the object that it begins in? */
bool reference_touch_passes(const struct reference *reference, const struct touch *touch);
/* Is one of the group meant by the selection? */
bool reference_group_passes(const struct reference *reference, uint64_t group);
/* Does the object that holds the byte in that superstep? */
bool reference_object_passes(const struct reference *reference, uint32_t superstep, uint64_t byte);
/* The first object of the same site and name; NO_OBJECT for NULL. */
uint64_t reference_group_of(const struct reference *reference, const struct ct_object_info *object);
/* The object that holds the byte in that superstep; NULL: none. */
const struct ct_object_info *reference_object_at(const struct reference *reference,
						 uint32_t superstep, uint64_t byte);
/* Its group. */
uint64_t reference_object_group(const struct reference *reference, uint32_t superstep,
				uint64_t byte);

#endif
