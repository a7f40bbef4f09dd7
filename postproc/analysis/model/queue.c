/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of numbers. */
#include "postproc/analysis/model/queue.h"

static double key_of(const struct ct_queue *queue, uint32_t at)
{
	const char *key = (const char *)queue->key;

	return *(const double *)(const void *)(key + queue->stride * queue->number[at]);
}

static void swap(struct ct_queue *queue, uint32_t a, uint32_t b)
{
	uint32_t number = queue->number[a];

	queue->number[a] = queue->number[b];
	queue->number[b] = number;
}

void ct_queue_push(struct ct_queue *queue, uint32_t number)
{
	uint32_t at = queue->count++;

	queue->number[at] = number;
	while (at && key_of(queue, at) < key_of(queue, (at - 1) / 2)) {
		swap(queue, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

void ct_queue_finish(struct ct_queue *queue)
{
	uint32_t at = 0;

	for (;;) {
		uint32_t least = at;

		for (uint32_t child = 2 * at + 1; child < 2 * at + 3 && child < queue->count;
		     child++)
			if (key_of(queue, child) < key_of(queue, least))
				least = child;
		if (least == at)
			return;
		swap(queue, at, least);
		at = least;
	}
}

void ct_queue_pop(struct ct_queue *queue)
{
	queue->number[0] = queue->number[--queue->count];
	ct_queue_finish(queue);
}
