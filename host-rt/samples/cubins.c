/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins by their ids: few are loaded, and few of them have samples. */
#include "host-rt/samples/cubins.h"
#include "base/array.h"
#include "host-rt/samples/samples.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BYTES_MAX ((size_t)512 << 20) /* of all copies */

struct cubin {
	uint64_t id;
	void *copy; /* NULL: it was handed out, or never seen, or there was no room */
	size_t bytes;
	bool is_wanted;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cubin *cubins;
static size_t count, room, kept_bytes;
static void *handed_out;

/* The entry of an id, made if there is none; NULL without memory. */
static struct cubin *entry(uint64_t id, bool *is_new)
{
	*is_new = false;
	for (size_t i = count; i-- > 0;)
		if (cubins[i].id == id)
			return &cubins[i];
	if (ct_array_reserve(&cubins, &room, count + 1, sizeof(*cubins)) < 0)
		return NULL;
	*is_new = true;
	cubins[count] = (struct cubin){.id = id};
	return &cubins[count++];
}

static bool fits(size_t bytes)
{
	return bytes <= CT_CHUNK_RAW_MAX - sizeof(struct ct_code_header) &&
	       kept_bytes + bytes <= KEPT_BYTES_MAX;
}

void ct_samples_module(uint64_t id, const void *bytes, size_t byte_count)
{
	struct cubin *cubin;
	bool is_new;

	pthread_mutex_lock(&lock);
	cubin = entry(id, &is_new);
	/* It may have been sampled before it is reported. */
	if (cubin && !cubin->copy && !cubin->bytes && fits(byte_count)) {
		cubin->copy = malloc(byte_count);
		if (cubin->copy) {
			memcpy(cubin->copy, bytes, byte_count);
			cubin->bytes = byte_count;
			kept_bytes += byte_count;
		}
	}
	pthread_mutex_unlock(&lock);
}

void ct_cubins_want(uint64_t id)
{
	struct cubin *cubin;
	bool is_new;

	pthread_mutex_lock(&lock);
	cubin = entry(id, &is_new);
	if (cubin)
		cubin->is_wanted = true;
	pthread_mutex_unlock(&lock);
}

const void *ct_samples_cubin(uint64_t *id, size_t *bytes)
{
	free(handed_out);
	handed_out = NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count && !handed_out; i++) {
		if (!cubins[i].is_wanted || !cubins[i].copy)
			continue;
		handed_out = cubins[i].copy;
		*id = cubins[i].id;
		*bytes = cubins[i].bytes;
		kept_bytes -= cubins[i].bytes;
		cubins[i].copy = NULL;
	}
	pthread_mutex_unlock(&lock);
	return handed_out;
}
