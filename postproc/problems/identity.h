/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which problem of one run is which one of another: what of a problem stays when the program is run
 * again, built again, on another machine, or when lines above it come and go.
 *
 * An identity is what a problem's findings of one id say: the id, the file's name without
 * directories, the function without parameters and template arguments, the text of the line (or, if
 * that is not known, how far it is from the function's first line), and the names of the objects.
 * Directories, line numbers, addresses and what it is worth are no part of it.
 */
#ifndef CT_POSTPROC_PROBLEMS_IDENTITY_H
#define CT_POSTPROC_PROBLEMS_IDENTITY_H

#include "postproc/problems/problems.h"

#define CT_OFFSET_NONE INT64_MIN
#define CT_LINE_BYTES 1024u

struct ct_identity {
	enum ct_finding_id id;
	/* Owned; "" not known. */
	char *file;     /* "heat.cu" */
	char *function; /* a kernel or a function of the host: "row_means" */
	char *text;     /* of the line, without comments, blanks as one */
	char *objects;  /* "b, plate.u": names, sorted, each once */
	/* The offset of the line from the function's first one where that is known, else from the
	 * file's; CT_OFFSET_NONE: of no line. */
	int64_t offset;
	/* No part of it. What fixing it is worth, as of problems (problems.h); NAN: not known. */
	double seconds, bound, share;
	bool is_estimate;
	bool is_wrong;         /* results are: it is not about time */
	char *path;            /* of the file, as it was recorded: likewise */
	uint32_t line, column; /* 0: not known */
	/* In the problems that it was made from: the problem's number and its part. */
	size_t problem, part;
	/* The part's: borrowed, for as long as it is there. NULL: it was read from a file. */
	const struct ct_finding *finding;
};

struct ct_identities {
	struct ct_identity *list; /* by problem, then as their parts */
	size_t count;
};

/* Returns what a line of a file said when the program was built: its text in the buffer, or NULL,
 * where it is not known. NULL: of no line. */
struct ct_line_texts {
	const char *(*text)(void *user, const char *file, uint32_t line,
			    char buffer[CT_LINE_BYTES]);
	void *user;
};

/* One for each problem and id of its parts. 0 or -ENOMEM; fini frees in either case. Strings are
 * its own. */
int ct_identities_init(struct ct_identities *identities, const struct ct_problems *problems,
		       const struct ct_line_texts *texts);
void ct_identities_fini(struct ct_identities *identities);

/* Adds a copy of one, of its strings, too: of lists that are read from elsewhere. 0 or -ENOMEM */
int ct_identities_add(struct ct_identities *identities, const struct ct_identity *identity);

#define CT_FINGERPRINT_BYTES 17
/* 16 hexadecimal digits of what the identity is made of. Returns text. */
const char *ct_identity_fingerprint(const struct ct_identity *identity,
				    char text[CT_FINGERPRINT_BYTES]);

#define CT_UNMATCHED SIZE_MAX

/* Who of two lists is the same problem. Each is the same as one other at most. */
struct ct_identity_match {
	size_t *after;  /* of each before the one after it; CT_UNMATCHED: it is gone */
	size_t *before; /* of each after the one before it; CT_UNMATCHED: it is new */
	size_t gone, remaining, new;
};

/*
 * Matched are, in this order, those of the same id whose
 *
 *	file, function, text and objects are the same,
 *	file, function and text,                 (another buffer)
 *	file, function, offset and objects,      if one of them has no text
 *	file, function and offset,               likewise
 *	file and text,                           (moved to another function, or that was renamed)
 *	function and text,                       (moved to another file)
 *	file, function and objects,              (the line was edited), of those that have objects
 *	file and function,                       if neither has a text
 *
 * and then in the same way those of ids that have a wider one in common. Of several that are alike
 * those whose offsets are nearest. 0 or -ENOMEM; fini frees in either case.
 */
int ct_identity_match_init(struct ct_identity_match *match, const struct ct_identities *before,
			   const struct ct_identities *after);
void ct_identity_match_fini(struct ct_identity_match *match);

/* "row_means" of "void row_means<float>(float*, int)", "(lambda)" of "(lambda at a.cu:3:4)".
 * Returns text. */
const char *ct_function_name(const char *name, char *text, size_t bytes);
/* A line without comments and with blanks as one, ahead and behind none. Returns to. */
const char *ct_line_text(const char *line, char *to, size_t bytes);

#endif
