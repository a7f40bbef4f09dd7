/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems that people know and expect: said in the source, or in a file.
 *
 * In the source a comment on the line, or alone on the line above it:
 *
 *	sum += u[i * n]; // ct: expected strided-accesses: the table is small
 *	// ct: expected uncoalesced, redundant-loads
 *	// ct: expected all
 *
 * In a file a line for each: ids, the file, the kernel or function; the latter two are shell
 * patterns that may be missing, and what is behind # is the reason.
 *
 *	strided-accesses  heat.cu  row_*   # the table is small
 *	all               vendor/[a-z].cu
 *
 * A pattern of files with a slash is of the end of the path, else of the name alone.
 */
#ifndef CT_POSTPROC_PROBLEMS_SUPPRESSION_H
#define CT_POSTPROC_PROBLEMS_SUPPRESSION_H

#include "postproc/problems/gate.h"

struct ct_suppression {
	bool ids[CT_IDS];
	char *words, *file, *function; /* "strided-accesses", patterns */
	char *reason;                  /* "" none */
	unsigned line;                 /* of its file */
	size_t problems;               /* that it suppresses */
};

struct ct_suppressions {
	struct ct_suppression *list;
	size_t count;
};

#define CT_SUPPRESSION_WHY_BYTES (CT_GATE_WHY_BYTES + 32u)

/* Zero-initialise. 0 or a negative error, with a line about why, without the file's name; fini
 * frees in either case. */
int ct_suppressions_read(struct ct_suppressions *suppressions, const char *path,
			 char why[CT_SUPPRESSION_WHY_BYTES]);
void ct_suppressions_fini(struct ct_suppressions *suppressions);

/* The first that the identity is expected by, which counts it; NULL: none. */
struct ct_suppression *ct_suppressions_find(const struct ct_suppressions *suppressions,
					    const struct ct_identity *identity);

#define CT_EXPECTED_BYTES CT_GATE_WHY_BYTES

/* A line of the source says this of an id. */
enum ct_expected {
	CT_EXPECTED_NOT,
	CT_EXPECTED,
	CT_EXPECTED_UNKNOWN, /* nothing, but it names an id that there is not */
};

/* reason: what the comment says behind the ids, "" nothing; of UNKNOWN what is wrong. */
enum ct_expected ct_line_expects(const char *line, enum ct_finding_id id,
				 char reason[CT_EXPECTED_BYTES]);
/* The same of a line and those above it that are nothing but such comments. */
enum ct_expected ct_source_expects(const struct ct_line_texts *texts, const char *path,
				   uint32_t line, enum ct_finding_id id,
				   char reason[CT_EXPECTED_BYTES]);

#endif
