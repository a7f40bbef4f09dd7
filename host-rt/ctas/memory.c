/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of the CTA clock: allocated as they are needed, up to a part of the device's memory. */
#include "host-rt/ctas/memory.h"
#include "host-rt/calls/symbols.h"
#include <stdlib.h>

/* The clock may take this part of the device's memory. */
#define BUDGET_PART 16u
#define PAGE_ENTRIES (1u << 20) /* 16 MiB */

/* Zeros, so that CTAs that never began are told apart; on the drain's own stream, so that it waits
 * for nothing of the program. */
static bool clear(const struct ct_drain *drain, void *address, uint64_t bytes)
{
	return __real_cudaMemsetAsync(address, 0, bytes, drain->stream) == cudaSuccess &&
	       __real_cudaStreamSynchronize(drain->stream) == cudaSuccess;
}

static struct ct_ctas_page *new_page(struct ct_ctas_memory *memory, const struct ct_drain *drain,
				     uint64_t entries)
{
	uint64_t room = entries > PAGE_ENTRIES ? entries : PAGE_ENTRIES;
	uint64_t bytes = room * sizeof(struct ct_cta_times);
	size_t left, total;
	struct ct_ctas_page *page;
	void *address;

	if (!memory->budget_bytes && cudaMemGetInfo(&left, &total) == cudaSuccess)
		memory->budget_bytes = total / BUDGET_PART;
	if (entries >= UINT32_MAX || entries > memory->budget_bytes / sizeof(struct ct_cta_times) ||
	    bytes > memory->budget_bytes - memory->bytes)
		return NULL;
	page = calloc(1, sizeof(*page));
	if (!page || __real_cudaMalloc(&address, bytes) != cudaSuccess) {
		free(page);
		return NULL;
	}
	if (!clear(drain, address, bytes)) {
		__real_cudaFree(address);
		free(page);
		return NULL;
	}
	page->address = (uint64_t)(uintptr_t)address;
	page->room = room;
	memory->bytes += bytes;
	page->next = memory->pages;
	memory->pages = page;
	return page;
}

/* All of its tables have been read: what they left there is older than what comes. */
static void begin_again(struct ct_ctas_page *page)
{
	if (page->tables || !page->used)
		return;
	page->used = 0;
	page->after = page->newest;
}

struct ct_ctas_page *ct_ctas_page_take(struct ct_ctas_memory *memory, const struct ct_drain *drain,
				       uint64_t entries)
{
	struct ct_ctas_page **link = &memory->pages, *page;

	for (; *link; link = &(*link)->next) {
		begin_again(*link);
		if ((*link)->room - (*link)->used >= entries)
			break;
	}
	page = *link;
	if (page) {
		*link = page->next;
		page->next = memory->pages;
		memory->pages = page;
	} else {
		page = new_page(memory, drain, entries);
	}
	if (!page)
		return NULL;
	page->used += entries;
	page->tables++;
	return page;
}

void ct_ctas_page_return(struct ct_ctas_page *page)
{
	page->tables--;
}

void ct_ctas_memory_close(struct ct_ctas_memory *memory, bool release)
{
	struct ct_ctas_page *page;

	while ((page = memory->pages)) {
		memory->pages = page->next;
		if (release)
			__real_cudaFree((void *)(uintptr_t)page->address);
		free(page);
	}
	*memory = (struct ct_ctas_memory){0};
}
