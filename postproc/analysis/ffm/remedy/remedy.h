/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of remedies in the making. Errors of memory are seen when they are closed. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_REMEDY_REMEDY_H
#define CT_POSTPROC_ANALYSIS_FFM_REMEDY_REMEDY_H

#include "postproc/analysis/ffm/study.h"
#include <stdio.h>

#define CT_FFM_TEXT_BYTES 512u

struct ct_ffm_remedying {
	const struct ct_ffm_study *study;
	const struct ct_ffm_entry *entry;
	FILE *fix, *condition, *skeleton;
	/* The entry's memory, as the source names it; else words that stand for it. */
	char variable[CT_FFM_TEXT_BYTES], size[CT_FFM_TEXT_BYTES];
};

/* "solver.cu:12", or what is known instead. Returns buffer. */
const char *ct_ffm_remedy_place(const struct ct_ffm_study *study, uint32_t stack,
				char buffer[CT_FFM_TEXT_BYTES]);

/* The related site of this role that counts most; NULL: none. */
const struct ct_ffm_site *ct_ffm_related_site(const struct ct_ffm_entry *entry,
					      enum ct_ffm_site_role role);

/* "cudaMalloc at a.cu:3, cudaMalloc at a.cu:9": those of this role. Returns how many there are. */
size_t ct_ffm_write_sites(FILE *out, const struct ct_ffm_study *study,
			  const struct ct_ffm_entry *entry, enum ct_ffm_site_role role);

/* A sentence of a condition: they stand behind one another. */
void ct_ffm_condition(struct ct_ffm_remedying *remedying, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the call is the driver's own, and its likes of the runtime do not fit it. */
bool ct_ffm_is_driver(const char *call);

typedef void ct_ffm_remedy_writer(struct ct_ffm_remedying *remedying);
/* waits.c, copies.c, memory.c, devices.c */
#define CT_FFM_REMEDY(KIND, FAMILY, writer) extern ct_ffm_remedy_writer ct_ffm_write_##writer;
#include "postproc/analysis/ffm/remedy/remedies.def"

#endif
