/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of program counters until the journal takes them: looks (LOOK), what each has found
 * (SAMPLE), and the cubins that this is of (CODE). Who samples is in cupti/sampling.c.
 *
 *	module loaded ──► cubins ─────────────┐ those that have samples
 *	look ──► looks, samples ──────────────┴──► journal
 *
 * Any thread, but for what is the journal's. What finds no room is lost, which is said as
 * what is refused.
 */
#ifndef CT_HOST_RT_SAMPLES_SAMPLES_H
#define CT_HOST_RT_SAMPLES_SAMPLES_H

#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of one instruction with one reason. Texts are copied once. */
struct ct_sampled {
	uint64_t cubin, pc, samples;
	const char *function, *reason;
};

/* Adds the result of a look; the row's strings are none, so it is as it will be written. */
void ct_samples_look(const struct ct_row_look *look, const struct ct_sampled *list, size_t count);

/* Why nothing is sampled, or not all: what is said first stays, and is said on stderr. */
void ct_samples_refuse(const char *why);
/* NULL: it was not said, or not since the last time. */
const char *ct_samples_refusal(void);

/* A module with this cubin has been loaded: it is copied, once. */
void ct_samples_module(uint64_t cubin, const void *bytes, size_t count);

/* For the journal alone: all that came since the last time, until the next. In samples, `look` is
 * the number of a look of these, from 1, and strings are numbers for ct_samples_text. */
struct ct_samples_taken {
	const struct ct_row_look *looks;
	struct ct_row_sample *samples;
	size_t look_count, sample_count;
};
void ct_samples_take(struct ct_samples_taken *taken);
const char *ct_samples_text(uint32_t number);

/* A cubin that samples have named and that was not handed out yet: its bytes stay until the next
 * call. NULL: none. Of those that were never seen, or are larger than a chunk, there is none. */
const void *ct_samples_cubin(uint64_t *cubin, size_t *bytes);

#endif
