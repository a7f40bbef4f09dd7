/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with all that version 3 of the format added: groups, loops, short segments, chunks
 * out of order, regions, sampling, tiers, losses by launch, the process. */
#ifndef CT_TRACE_SAMPLED_H
#define CT_TRACE_SAMPLED_H

#include <stdint.h>

struct ct_writer_options;

#define SAMPLED_LAUNCHES 4u
#define SAMPLED_CTAS 10u       /* of launches 1 and 2 */
#define SAMPLED_PERIOD 4u      /* of CTAs in launch 1: 3 and 7 are recorded */
#define SAMPLED_ACCESSES 31u   /* of launch 1; */
#define SAMPLED_OTHERS 3u      /* of launch 4 */
#define SAMPLED_LOST 3u        /* ring chunks of launch 4 */
#define SAMPLED_ITERATIONS 8u  /* of the loop in launch 1 */
#define SAMPLED_DISTANCE 4096u /* of the group's second member */
#define SAMPLED_REGION "solve/step"

/* Write it; returns what the writer's close returned. */
int sampled_make_with(const char *directory, const struct ct_writer_options *options);
int sampled_make(const char *directory, int level);

#endif
