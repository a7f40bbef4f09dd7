/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by the time that each has, the earliest first: a heap. Times are somebody else's, and
 * only that of the first may change, later. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_QUEUE_H
#define CT_POSTPROC_ANALYSIS_MODEL_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct ct_queue {
	uint32_t *number; /* room for all, of the owner */
	uint32_t count;
	const double *key; /* of number 0; the others stride bytes apart */
	size_t stride;
};

void ct_queue_push(struct ct_queue *queue, uint32_t number);
void ct_queue_pop(struct ct_queue *queue);    /* the first */
void ct_queue_finish(struct ct_queue *queue); /* the first has become later */

#endif
