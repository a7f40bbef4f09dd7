/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: a device's areas, as the host knows them. Session's lock held but where it says
 * otherwise. */
#ifndef CT_HOST_RT_COUNTS_SLOT_H
#define CT_HOST_RT_COUNTS_SLOT_H

#include "host-rt/counts/objects.h"
#include "host-rt/counts/units.h"
#include "host-rt/drain/state.h"
#include <cudatrace/summary.h>
#include <pthread.h>
#include <stdbool.h>

struct ct_counts_slot {
	struct ct_counts_slot *next_left; /* see ct_counts_memory_close */
	struct ct_drain *drain;
	const struct ct_counts_units *units;
	uint64_t area;   /* struct ct_counts_area in the device's memory */
	uint64_t sites;  /* its counters */
	uint64_t stream; /* id of the one that used it last */
	uint32_t number;
	uint32_t users; /* launches between take and end */
	bool is_kept;   /* by a node of a graph */
	uint32_t last;  /* launch whose reduction was put into a stream last */
	uint32_t done;  /* launch that was read to its end last */
	uint64_t seen;  /* entries read of the launch after it */
	/* Guarded by lock, which comes before the session's. */
	pthread_mutex_t lock;
	struct ct_counts_snapshot *snapshot; /* that the area was given; NULL: none */
	uint64_t bits, bit_words;            /* its maps */
	bool is_new_bits;                    /* not cleared yet */
	bool is_failed;                      /* the launch under way cannot be counted */
};

struct ct_counts_memory {
	struct ct_counts_memory *next;
	void *address;
};

/* Keeps the slots of one device. */
struct ct_counts_device {
	uint64_t ring;         /* struct ct_counts_ring in the device's memory; 0: not open */
	uint64_t tail;         /* of the ring */
	uint64_t budget, used; /* bytes of device memory */
	uint64_t unread;       /* entries that launches may have left since the last reading */
	uint32_t sms;
	uint32_t slots;
	struct ct_counts_slot *slot[CT_COUNTS_AREAS];
	struct ct_counts_memory *memory;
	/* Tier values: the site whose entries are coming in, and how many of them have. */
	struct {
		uint32_t entries;
		struct ct_counts_entry site;
		struct ct_counts_summary sum;
	} summary;
};

/* The device's memory for counts; 0 or a negative error. Quiet section, device current, the drain's
 * stream open. */
int ct_counts_memory_open(struct ct_drain *drain);
/* Forget the device's areas. release: free their memory. */
void ct_counts_memory_close(struct ct_drain *drain, bool release);

struct ct_counts_device *ct_counts_device_of(const struct ct_drain *drain);

/* Within the budget; freed by ct_counts_memory_close. 0 if there is none. */
uint64_t ct_counts_allocate(struct ct_counts_device *counts, uint64_t bytes);
/* To device memory, done on return; on the device's own stream. */
int ct_counts_upload(const struct ct_drain *drain, uint64_t to, const void *from, uint64_t bytes);
int ct_counts_download(const struct ct_drain *drain, void *to, uint64_t from, uint64_t bytes);

/* A new area for these units; NULL if there is no room. */
struct ct_counts_slot *ct_counts_slot_new(struct ct_drain *drain,
					  const struct ct_counts_units *units);

#endif
