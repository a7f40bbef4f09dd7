/* SPDX-License-Identifier: Apache-2.0 */
/* Where a range lies, as malloc and the kernel tell. */
#include "host-rt/watch/pages/pages.h"
#include "host-rt/watch/ranges/blocks.h"
#include <fcntl.h>
#include <unistd.h>

#define PAGE 4096u

/* glibc: a block of its own mapping has its size before it, with this mark, at the beginning of a
 * page. */
#define HEADER 16u
#define IS_MAPPED 2u
#define MARKS 7u

/* A part of the address space, of /proc/self/maps. */
struct mapping {
	uint64_t start, end;
	bool is_readable, is_writable, is_shared, is_stack;
};

struct maps {
	int fd;
	char text[4096];
	size_t at, bytes;
};

static int next_char(struct maps *maps)
{
	ssize_t some;

	if (maps->at == maps->bytes) {
		some = read(maps->fd, maps->text, sizeof(maps->text));
		if (some <= 0)
			return -1;
		maps->at = 0;
		maps->bytes = (size_t)some;
	}
	return maps->text[maps->at++];
}

static uint64_t read_number(struct maps *maps)
{
	uint64_t number = 0;

	for (;;) {
		int c = next_char(maps);

		if (c >= '0' && c <= '9')
			number = number << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number << 4 | (uint64_t)(c - 'a' + 10);
		else
			return number;
	}
}

/* "start-end rw-p offset device inode   name\n" */
static bool next_mapping(struct maps *maps, struct mapping *mapping)
{
	int c;

	mapping->start = read_number(maps);
	mapping->end = read_number(maps);
	mapping->is_readable = next_char(maps) == 'r';
	mapping->is_writable = next_char(maps) == 'w';
	next_char(maps);
	mapping->is_shared = next_char(maps) == 's';
	mapping->is_stack = false;
	while ((c = next_char(maps)) >= 0 && c != '\n')
		mapping->is_stack |= c == '[' && next_char(maps) == 's';
	return c == '\n';
}

/* With the lock held: a fault's handler may have a small stack. */
static bool find_mapping(uint64_t address, struct mapping *mapping)
{
	static struct maps maps;
	bool is_found = false;

	maps.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	maps.at = maps.bytes = 0;
	while (maps.fd >= 0 && !is_found && next_mapping(&maps, mapping))
		is_found = address >= mapping->start && address < mapping->end;
	if (maps.fd >= 0)
		close(maps.fd);
	return is_found;
}

static const char *refusal_of_mapping(const struct ct_range *range)
{
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
	struct mapping mapping;

	if (!find_mapping(range->start, &mapping))
		return "it is not mapped";
	if (mapping.is_stack || (here >= mapping.start && here < mapping.end))
		return "it is on a stack, which cannot be protected";
	if (range->end > mapping.end)
		return "it is in several mappings";
	return mapping.is_writable ? NULL : "it cannot be written";
}

bool ct_place_allows(uint64_t address, bool writes)
{
	struct mapping mapping;

	return find_mapping(address, &mapping) &&
	       (writes ? mapping.is_writable : mapping.is_readable);
}

/* Caches what was asked lately, by page: copies use the same memory again and again. */
#define ASKED 1024u

static bool is_mapped_shared(uint64_t address)
{
	static struct {
		uint64_t page; /* + 1; 0: none */
		bool is_shared;
	} asked[ASKED];
	uint64_t page = address / PAGE;
	struct mapping mapping;

	if (asked[page % ASKED].page != page + 1) {
		asked[page % ASKED].is_shared =
		    find_mapping(address, &mapping) && mapping.is_shared;
		asked[page % ASKED].page = page + 1;
	}
	return asked[page % ASKED].is_shared;
}

/* Memory that CUDA has allocated belongs to no other allocator, however it is mapped. */
bool ct_place_is_shared(uint64_t address)
{
	const struct ct_block *block = ct_block_find_shared(address);

	return (!block || block->kind == CT_WATCH_REGISTERED) && is_mapped_shared(address);
}

/* Sanitizers know it for memory that is not the program's. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static uint64_t load(uint64_t address)
{
	return *(const volatile uint64_t *)(uintptr_t)address;
}

/* The first page begins with the header: reading that is safe, as the page is the program's. */
static bool is_mapped_block(const struct ct_range *range)
{
	uint64_t page = range->start & ~(uint64_t)(PAGE - 1), size;

	if (range->start - page < HEADER)
		return false;
	size = load(page + HEADER / 2);
	return (size & MARKS) == IS_MAPPED && (size & ~(uint64_t)MARKS) % PAGE == 0 &&
	       range->end <= page + (size & ~(uint64_t)MARKS);
}

static bool has_own_pages(const struct ct_range *range)
{
	const struct ct_block *block = ct_block_find_shared(range->start);

	return block && block->kind != CT_WATCH_REGISTERED &&
	       range->end <= block->address + block->bytes;
}

const char *ct_place_refusal(const struct ct_range *range)
{
	const char *why;

	if (has_own_pages(range))
		return NULL;
	why = refusal_of_mapping(range);
	if (why)
		return why;
	return (range->start % PAGE == 0 && range->end % PAGE == 0) || is_mapped_block(range)
		   ? NULL
		   : "its pages hold other memory, too";
}
