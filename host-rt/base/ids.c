/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of handles in a hash table of chains. */
#include "host-rt/base/ids.h"
#include <stdlib.h>

struct ct_ids_entry {
	struct ct_ids_entry *next;
	const void *handle;
	long thread;
	uint64_t id;
};

/* The link to the handle's entry, or to the end of its chain. */
static struct ct_ids_entry **find(struct ct_ids *ids, const void *handle, long thread)
{
	uint64_t key = (uint64_t)(uintptr_t)handle + ((uint64_t)thread << 32);
	uint64_t hash = key * 0x9e3779b97f4a7c15ull >> 54;
	struct ct_ids_entry **link = &ids->buckets[hash % CT_IDS_BUCKETS];

	while (*link && ((*link)->handle != handle || (*link)->thread != thread))
		link = &(*link)->next;
	return link;
}

static void add(struct ct_ids_entry **link, const void *handle, long thread, uint64_t id)
{
	*link = malloc(sizeof(**link));
	if (*link)
		**link = (struct ct_ids_entry){.handle = handle, .thread = thread, .id = id};
}

uint64_t ct_ids_of(struct ct_ids *ids, const void *handle, long thread)
{
	struct ct_ids_entry **link = find(ids, handle, thread);

	if (*link)
		return (*link)->id;
	add(link, handle, thread, ids->last + 1);
	return *link ? ++ids->last : CT_NO_ID;
}

uint64_t ct_ids_renew(struct ct_ids *ids, const void *handle)
{
	ct_ids_forget(ids, handle);
	return ct_ids_of(ids, handle, 0);
}

uint64_t ct_ids_forget(struct ct_ids *ids, const void *handle)
{
	struct ct_ids_entry **link = find(ids, handle, 0), *entry = *link;
	uint64_t id = entry ? entry->id : 0;

	if (entry)
		*link = entry->next;
	free(entry);
	return id;
}

void ct_ids_restore(struct ct_ids *ids, const void *handle, uint64_t id)
{
	struct ct_ids_entry **link = find(ids, handle, 0);

	if (!*link)
		add(link, handle, 0, id);
}
