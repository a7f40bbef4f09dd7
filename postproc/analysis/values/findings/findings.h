/* SPDX-License-Identifier: Apache-2.0 */
/* Advises on values, before it is findings. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_FINDINGS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_FINDINGS_H

#include "postproc/analysis/values/findings/lines.h"
#include "postproc/analysis/values/findings/patterns.h"
#include "postproc/analysis/values/findings/subject.h"
#include "postproc/analysis/values/findings/worth.h"
#include "postproc/facts/finding.h"

#define CT_ADVICE_BYTES 320u

/* One piece of advice. Text is in the imperative for fix, a sentence for text. */
struct ct_values_advice {
	enum ct_finding_id id;
	uint32_t kernel;  /* that it is of most; CT_NONE: it is of none */
	uint32_t kernels; /* how many it is of */
	struct ct_values_subject subject;
	const struct ct_unit *unit; /* of the line in the kernel; NULL: there is none */
	uint32_t site;
	char file[CT_ADVICE_BYTES]; /* the same, or of an allocation; "": not known */
	uint32_t line;
	double share;       /* of the elements; of memory: of the peak */
	double saved_bytes; /* of traffic or, if is_memory, of memory at the peak; at most, and no
			       more than the subject has */
	bool is_memory;
	bool is_fault;   /* of the program: nothing to save, but first of all */
	bool is_fact;    /* of this run: what it was given, or by chance; there is nothing to do */
	double sectors;  /* that are avoided, of all launches, at most; 0: not known */
	double seconds;  /* of the kernels' time, likewise */
	double estimate; /* seconds, with caches (worth.h); 0: not known */
	uint64_t launches; /* of the kernels; 0: it is of none */
	char text[CT_ADVICE_BYTES], evidence[CT_ADVICE_BYTES];
	const char *fix;
};

struct ct_values_advices {
	struct ct_values_advice
	    *list; /* faults, of traffic, of memory; the most bytes saved first */
	size_t count;
};

/* A new one, of no kernel: worth so many bytes, or what its subject moves if that is less. NULL:
 * memory is short. */
struct ct_values_advice *ct_values_advice_add(struct ct_values_advices *advices,
					      enum ct_finding_id id,
					      const struct ct_values_subject *subject,
					      double saved_bytes);
/* Avoids so many sectors of a kernel, in all of its launches, these by level; or a part of the
 * launches themselves. The first kernel is the one that it is of most. */
void ct_values_advice_avoid(struct ct_values_advice *advice,
			    const struct ct_values_figures *figures, uint32_t kernel,
			    double sectors, const struct ct_values_traffic *avoided);
void ct_values_advice_skip(struct ct_values_advice *advice, const struct ct_values_figures *figures,
			   uint32_t kernel, double part);
void ct_values_advice_set_line(struct ct_values_advice *advice, const struct ct_unit *unit,
			       uint32_t site);
/* Those about lines whose accesses are redundant, of at least so many bytes. 0 or -ENOMEM */
int ct_values_advise_lines(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines, double least);
/* Those about what values of objects have in common, worth at least so many bytes: of each object
 * and pattern one. subject: by group. 0 or -ENOMEM */
int ct_values_advise_patterns(struct ct_values_advices *advices,
			      const struct ct_values_figures *figures,
			      const struct ct_values_subject *subject, double least);
/* Those about when objects live. 0 or -ENOMEM */
int ct_values_advise_lives(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_subject *subject);
/* Those about launches, copies and memsets that are worth at least so many bytes. Likewise */
int ct_values_advise_runs(struct ct_values_advices *advices,
			  const struct ct_values_figures *figures, double least);
/* "early allocation" */
const char *ct_values_life_text(enum ct_values_life_id id);

/* Says what it saves to avoid a line's redundant sectors: of all launches, at most, and with
 * caches; 0: not known. */
struct ct_values_saved {
	double seconds, estimate;
};
struct ct_values_saved ct_values_line_saved(const struct ct_values_figures *figures,
					    const struct ct_values_line *line);

/* 0 or -ENOMEM. Figures and lines outlive them. */
int ct_values_advices_init(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines);
void ct_values_advices_fini(struct ct_values_advices *advices);

/* Launches of one kernel from one line, whoever calls there. */
bool ct_values_is_place(const struct ct_values_node *node, const struct ct_values_node *other);

/* "copy in" */
const char *ct_values_way_text(enum ct_values_way way);
#define CT_VALUES_NODE_BYTES 480u
/* "step(float*) (main.cu:12)", with the host's call path where several lead there, "copy in
 * (cudaMemcpy)", "the allocation" (CT_NODE_ALLOC). */
const char *ct_values_node_text(const struct ct_values_figures *figures, uint32_t number,
				char text[CT_VALUES_NODE_BYTES]);

#endif
