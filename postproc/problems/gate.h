/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which problems fail a gate: those that meet all conditions of one of its alternatives.
 *
 *	GATE        = ALTERNATIVE { "/" ALTERNATIVE }
 *	ALTERNATIVE = CONDITION { "," CONDITION }
 *	CONDITION   = "any" | "new" | "wrong"
 *	            | [ "worth=" ] TIME    at least so much: "1ms", "0.5s"
 *	            | [ "share=" ] SHARE   of the run, at least: "2%"
 *	            | [ "kind=" ] ID       or one that this id is wider than; of several one is
 *enough
 *
 * "new,1ms/race": a new problem that is worth a millisecond, or any race.
 */
#ifndef CT_POSTPROC_PROBLEMS_GATE_H
#define CT_POSTPROC_PROBLEMS_GATE_H

#include "postproc/problems/identity.h"

#define CT_GATE_ALTERNATIVES 16u

struct ct_gate_alternative {
	bool is_new, is_wrong;
	double seconds, share; /* at least; 0: whatever it is worth */
	bool has_ids, ids[CT_IDS];
};

struct ct_gate {
	struct ct_gate_alternative alternative[CT_GATE_ALTERNATIVES];
	size_t alternatives;
	bool asks_what_is_new; /* a baseline is needed */
	bool asks_worth;       /* seconds, or a share */
};

#define CT_GATE_WHY_BYTES 256u

/* 0 or -EINVAL, with a line about why. */
int ct_gate_parse(struct ct_gate *gate, const char *text, char why[CT_GATE_WHY_BYTES]);

/* Judges a problem that is not suppressed. is_all: small ones (problems.h) count, too; else only
 * for alternatives that say how much it must be worth. */
bool ct_gate_fails(const struct ct_gate *gate, const struct ct_identity *identity, bool is_new,
		   bool is_all);

/* The id that a text names, with what it should have been in why: CT_IDS if there is none. */
enum ct_finding_id ct_gate_id(const char *text, char why[CT_GATE_WHY_BYTES]);

#endif
