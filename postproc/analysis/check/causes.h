/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what memory checks have found, a row for each cause: kind, place and object. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_CAUSES_H
#define CT_POSTPROC_ANALYSIS_CHECK_CAUSES_H

#include "base/map.h"
#include "postproc/facts/finding.h"
#include "trace/read/reader.h"

enum ct_check_kind {
#define CT_CHECK_KIND(KIND, id, SEVERITY, fix) CT_CHECK_##KIND,
#include "postproc/analysis/check/kinds.def"
	CT_CHECK_KINDS,
};

enum ct_check_severity { CT_CHECK_WARNING, CT_CHECK_ERROR };

/* The second access of a race, or another barrier. */
struct ct_check_other {
	const struct ct_unit *unit; /* NULL: there is none */
	uint32_t site;
	uint64_t cta;
	uint32_t warp;
	const struct ct_launch_info *launch; /* another one; NULL: the first access's */
	const char *who;                     /* "different blocks": of whom the two are */
};

#define CT_CHECK_NO_LANE UINT32_MAX /* not known which */

/* The first occurrence is that of the least launch, CTA, warp and lane, so that it does not hang
 * on the order of the trace. */
struct ct_check_cause {
	enum ct_check_kind kind;
	/* Where: a site of the device, or a call of the host. */
	const struct ct_unit *unit; /* NULL: of the host */
	uint32_t site;
	const struct ct_transfer_info *transfer; /* NULL: no copy that was made */
	const struct ct_host_event *refused;     /* NULL: no call that failed */
	const char *call;                        /* of these; NULL: no call */
	/* These are set of calls of the host when its stacks have names, and borrowed from them.
	 * NULL: not known. */
	const char *file, *function;
	uint32_t line;
	/* Who freed the object before, likewise. */
	const char *freed_file;
	uint32_t freed_line;
	char *own_file; /* that file borrows, where it is of a descriptor; NULL: none */
	/* The first occurrence; launch NULL: of the host. */
	const struct ct_launch_info *launch;
	uint64_t cta;
	uint32_t warp, lane;
	uint64_t address;
	uint64_t bytes; /* of the access; of a race, and of the host, of all together */
	const struct ct_object_info *object; /* that it is about; NULL: not known */
	const struct ct_object_info *hit;    /* another one that lies there; NULL: none */
	uint64_t beyond; /* bytes from the object's end, or before its begin, to the farthest */
	uint64_t count;  /* accesses of threads, or calls; of a race launches */
	bool is_of_base; /* the object is that of the kernel's parameter */
	struct ct_check_other other;
	const char *fix; /* what to do about it; NULL: what the kind says */
};

/* Zero-initialise. */
struct ct_check_causes {
	struct ct_check_cause *list;
	size_t count;
	struct ct_map number; /* from 1; key: kind and object, place */
	const struct ct_unit *first_unit;
	const struct ct_object_info *first_object;
};

void ct_check_causes_init(struct ct_check_causes *causes, const struct ct_trace *trace);
void ct_check_causes_fini(struct ct_check_causes *causes);

/* Adds an occurrence: a cause of the same kind, place and object counts it. 0 or -ENOMEM */
int ct_check_causes_add(struct ct_check_causes *causes, const struct ct_check_cause *occurrence);

/* Adds a cause that is none of those there. Likewise */
int ct_check_causes_append(struct ct_check_causes *causes, const struct ct_check_cause *cause);

/* Takes out those of a kind; after that none is added to one that is there. */
void ct_check_causes_drop(struct ct_check_causes *causes, enum ct_check_kind kind);

/* Errors first, then by kind, file and line, so that rows come in one order. */
void ct_check_causes_sort(struct ct_check_causes *causes);

const char *ct_check_kind_text(enum ct_check_kind kind);
const char *ct_check_kind_fix(enum ct_check_kind kind);
enum ct_finding_id ct_check_kind_finding(enum ct_check_kind kind);
enum ct_check_severity ct_check_kind_severity(enum ct_check_kind kind);
/* Says it of findings: those of no kind are errors. */
bool ct_check_is_error(enum ct_finding_id finding);
/* "error" */
const char *ct_check_severity_text(enum ct_check_severity severity);

#endif
