/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out in a trace: a sentence with its figure, what it is concluded from, where
 * it is, what to do about it and what that is worth. Each analysis makes its own
 * (analysis/<name>/findings.c); text, JSON and the report show the same ones.
 */
#ifndef CT_POSTPROC_FACTS_FINDING_H
#define CT_POSTPROC_FACTS_FINDING_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Says what it is of, the same for the same advice (finding.def). */
enum ct_finding_id {
#define CT_FINDING_ID(ID, id, title, WIDER) CT_ID_##ID,
#include "postproc/facts/finding.def"
	CT_IDS,
};

enum ct_finding_kind {
	CT_FINDING_LIMIT,   /* of what the figures can tell */
	CT_FINDING_PROBLEM, /* something is wrong, in the program or in the trace */
	CT_FINDING_RESULT,
	CT_FINDING_NOTE,
	CT_FINDING_KINDS,
};

/* A number and its unit: "B", "s", "%", or what is counted. unit NULL: there is none. */
struct ct_amount {
	double value;
	const char *unit; /* static */
};

/* Says what the fix changes of a kernel, for models of it. */
enum ct_change {
	CT_CHANGE_NONE,
	CT_CHANGE_COALESCE, /* requests of a line move no more sectors than they need */
	CT_CHANGE_BANKS,    /* no bank of shared memory is asked twice by a request */
	CT_CHANGE_LANES,    /* all lanes of a warp take the same way */
};

struct ct_finding_site {
	const struct ct_unit *unit;
	uint32_t site;
};

struct ct_ffm_entry;

/* Lists of where hold what the finding is about, the most important first, and may be empty. */
#define CT_FINDING_PLACES_MAX 16u

struct ct_finding {
	const char *analysis; /* static: whose finding it is */
	enum ct_finding_id id;
	enum ct_finding_kind kind;
	const char *section;    /* of the report, which shows the figure */
	bool is_reported_first; /* text says it at its top; at its end again if there is a fix */
	char *text;             /* one sentence; owned, as the next two */
	char *evidence;         /* NULL: the sentence holds it */
	char *fix;              /* one sentence, imperative; NULL: nothing to be done */
	struct ct_amount figure;
	struct ct_amount worth;    /* at most, of doing so */
	bool worth_is_estimate;    /* about so much, and not at most */
	struct ct_amount estimate; /* about that, if it is known; unit NULL: it is not */
	/* The shares of the time of its first kernel: what the fix saves at most, and about; 0:
	 * not known. */
	double kernel_share, kernel_estimate;
	enum ct_change change;
	bool is_of_object;    /* the fix is of the first object, wherever it is accessed */
	const char *file;     /* where it is, if not at a site: borrowed; NULL: not known */
	uint32_t line;        /* 0: not known */
	const char *function; /* of the host, that it is in: likewise */
	const struct ct_ffm_entry *entry; /* that it is of, if it is of ffm: borrowed; else NULL */
	const char *suppressed_by; /* "source" or "file", if it is expected (problems/verdict.h);
				    * NULL: it is not, or was not asked for */
	struct ct_finding_site site[CT_FINDING_PLACES_MAX];
	const struct ct_object_info *object[CT_FINDING_PLACES_MAX];
	const struct ct_launch_info *launch[CT_FINDING_PLACES_MAX];
	const char *kernel[CT_FINDING_PLACES_MAX]; /* names, borrowed from the trace */
	size_t sites, objects, launches, kernels;
};

/* Zero-initialise. Findings borrow from the trace. */
struct ct_findings {
	struct ct_finding *list;
	size_t count;
	int err; /* the first -ENOMEM: what was added since is missing */
};

void ct_findings_fini(struct ct_findings *findings);

/* Adds one like `like` (analysis, id, kind, section, figure, worth, estimate) that says this. */
void ct_findings_add(struct ct_findings *findings, const struct ct_finding *like,
		     const char *format, ...) __attribute__((format(printf, 3, 4)));

/* About the one added last. */
void ct_findings_fix(struct ct_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ct_findings_because(struct ct_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ignored: a site that the unit does not have, objects and launches that are NULL. */
void ct_findings_at_site(struct ct_findings *findings, const struct ct_unit *unit, uint32_t site);
void ct_findings_at_object(struct ct_findings *findings, const struct ct_object_info *object);
void ct_findings_at_launch(struct ct_findings *findings, const struct ct_launch_info *launch);
void ct_findings_at_kernel(struct ct_findings *findings, const char *kernel);

/* Takes out results whose code, or whose kernel if they are of no line, is of the compiler, the
 * toolkit or the system: the program's author cannot change it. */
void ct_findings_leave_foreign(struct ct_findings *findings, const struct ct_trace *trace);

/* "strided-accesses", which never changes */
const char *ct_finding_id_text(enum ct_finding_id id);
/* "Strided accesses" */
const char *ct_finding_id_title(enum ct_finding_id id);
/* The id that stands for this one, too; itself if there is none. */
enum ct_finding_id ct_finding_id_wider(enum ct_finding_id id);
/* By its text; CT_IDS: there is none. */
enum ct_finding_id ct_finding_id_find(const char *text);

/* "limit" */
const char *ct_finding_kind_text(enum ct_finding_kind kind);

#endif
