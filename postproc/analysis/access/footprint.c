/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that were touched, in two tables: a small one for sites whose blocks do not come back once
 * they had to leave it, as those of streams; a large one for those whose blocks do. */
#include "postproc/analysis/access/footprint.h"

#include "base/map.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WORDS 6u /* with the key a line of the cache */
#define SLOT_BYTES (64u * WORDS)

struct slot {
	uint64_t key[2]; /* as of an entry, of blocks of SLOT_BYTES; the first + 1, 0: free */
	uint64_t bits[WORDS];
};

#define SMALL_SLOTS (CT_ACCESS_TABLE_LEAST / sizeof(struct slot))

/* Neighbouring blocks are neighbours in the table, for threads mostly have some of them. */
#define NEIGHBOURS_LOG2 4u
#define NEIGHBOURS (1u << NEIGHBOURS_LOG2)
#define NEXT (NEIGHBOURS + 1) /* where to look then; odd, so that all slots come */

/* At most half full. */
struct table {
	struct slot *slot; /* by hash of the key; NULL: of the large one, that nobody needed yet */
	uint64_t slots, used;
	uint64_t came, returned; /* blocks, since it was full */
};

enum { SMALL, LARGE, TABLES };

/* What came of a site since its table was full: blocks that were looked for, those that were not
 * there, and of these such as had been there before. Where few are there, and few come back, the
 * table is passed by for a while. */
#define KINDS 1024u /* of sites; further ones share a number */
#define FEW_PART 3u
#define RETURNED_PART 4u /* from here on blocks come back */
#define PASSING (4 * SMALL_SLOTS)

struct kind {
	uint64_t tried, came, returned, passing;
	uint32_t table;
};

/* Blocks that were in a table, by a bit of their hash. */
#define KNOWN_BITS ((uint64_t)1 << 22)
#define KNOWN_MOST (KNOWN_BITS / 8) /* from here on too many bits are set: it begins anew */

struct ct_access_footprint {
	struct ct_shuffle *pieces;
	uint32_t writer;
	struct table table[TABLES];
	uint64_t slots_most;
	struct kind kind[KINDS];
	uint64_t *known;
	uint64_t knowns;
};

/* Of all extents of a request. */
struct owner {
	uint64_t low, key1; /* the launch's low bits; the second word of keys */
	struct kind *kind;
};

static struct slot *open_slots(uint64_t slots)
{
	void *opened = mmap(NULL, slots * sizeof(struct slot), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (opened == MAP_FAILED)
		return NULL;
	/* Fewer misses of the TLB, where the kernel has such pages; else nothing. */
	madvise(opened, slots * sizeof(struct slot), MADV_HUGEPAGE);
	return opened;
}

static int open_table(struct table *table, uint64_t slots)
{
	table->slots = slots;
	table->slot = open_slots(slots);
	return table->slot ? 0 : -ENOMEM;
}

static void close_slots(struct slot *slot, uint64_t slots)
{
	if (slot)
		munmap(slot, slots * sizeof(*slot));
}

int ct_access_footprint_open(struct ct_access_footprint **out, struct ct_shuffle *pieces,
			     uint32_t writer, uint64_t table_bytes)
{
	struct ct_access_footprint *footprint = calloc(1, sizeof(*footprint));

	*out = footprint;
	if (!footprint)
		return -ENOMEM;
	footprint->pieces = pieces;
	footprint->writer = writer;
	footprint->slots_most = SMALL_SLOTS;
	/* Where it doubles there are two for a moment. */
	while (3 * footprint->slots_most * sizeof(struct slot) <= table_bytes)
		footprint->slots_most *= 2;
	footprint->known = calloc(KNOWN_BITS / 64, sizeof(*footprint->known));
	return footprint->known ? open_table(&footprint->table[SMALL], SMALL_SLOTS) : -ENOMEM;
}

void ct_access_footprint_close(struct ct_access_footprint *footprint)
{
	if (!footprint)
		return;
	for (uint32_t t = 0; t < TABLES; t++)
		close_slots(footprint->table[t].slot, footprint->table[t].slots);
	free(footprint->known);
	free(footprint);
}

static int put_piece(struct ct_access_footprint *footprint, const struct ct_access_entry *entry)
{
	return ct_shuffle_put_sized(footprint->pieces, footprint->writer,
				    (uint32_t)(ct_map_hash(entry->key[0], 0) >> 32) %
					CT_ACCESS_PARTITIONS,
				    entry, sizeof(*entry));
}

static int put_slot(struct ct_access_footprint *footprint, const struct slot *slot)
{
	uint64_t key = slot->key[0] - 1, low = key & ((1u << CT_ACCESS_LAUNCH_LOW) - 1);
	uint64_t block = (key >> CT_ACCESS_LAUNCH_LOW) * (SLOT_BYTES / CT_ACCESS_BLOCK_BYTES);
	int err = 0;

	for (uint32_t w = 0; w < WORDS && err == 0; w += 2, block++) {
		struct ct_access_entry entry = {
		    .key = {block << CT_ACCESS_LAUNCH_LOW | low, slot->key[1]},
		    .value = {slot->bits[w], slot->bits[w + 1]}};

		if (entry.value[0] | entry.value[1])
			err = put_piece(footprint, &entry);
	}
	return err;
}

static int empty_table(struct ct_access_footprint *footprint, struct table *table)
{
	int err = 0;

	for (uint64_t i = 0; i < table->slots && err == 0; i++) {
		struct slot *slot = &table->slot[i];

		if (!slot->key[0])
			continue;
		err = put_slot(footprint, slot);
		memset(slot, 0, sizeof(*slot));
	}
	table->used = table->came = table->returned = 0;
	return err;
}

int ct_access_footprint_finish(struct ct_access_footprint *footprint)
{
	int err = empty_table(footprint, &footprint->table[SMALL]);

	return err == 0 ? empty_table(footprint, &footprint->table[LARGE]) : err;
}

/* Groups of neighbours are anywhere, and begin with any of them: where all that are there have one
 * place in their groups, as columns of matrices may, they have many in the table. */
static inline uint64_t place_of(const struct table *table, uint64_t key0, uint64_t key1)
{
	uint64_t neighbour = (key0 - 1) >> CT_ACCESS_LAUNCH_LOW & (NEIGHBOURS - 1);
	uint64_t group = (key0 - 1) >> CT_ACCESS_LAUNCH_LOW >> NEIGHBOURS_LOG2;
	uint64_t hash = (group ^ key1 * 0x9e3779b97f4a7c15u) + (uint32_t)key0 * 0xd6e8feb86659fd93u;

	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
	return (((hash >> 32) + neighbour) % NEIGHBOURS + (hash >> 36) * NEIGHBOURS) &
	       (table->slots - 1);
}

static inline struct slot *find_slot(const struct table *table, uint64_t key0, uint64_t key1)
{
	uint64_t at = place_of(table, key0, key1);

	while (table->slot[at].key[0] &&
	       (table->slot[at].key[0] != key0 || table->slot[at].key[1] != key1))
		at = (at + NEXT) & (table->slots - 1);
	return &table->slot[at];
}

static int double_slots(struct table *table)
{
	const struct table old = *table;
	int err = open_table(table, 2 * old.slots);

	if (err < 0) {
		*table = old;
		return err;
	}
	for (uint64_t i = 0; i < old.slots; i++)
		if (old.slot[i].key[0])
			*find_slot(table, old.slot[i].key[0], old.slot[i].key[1]) = old.slot[i];
	close_slots(old.slot, old.slots);
	return 0;
}

/* Where sites of the table go from now on; whether some go to the large one. Those that are there
 * show again whether they need it. */
static bool judge_kinds(struct ct_access_footprint *footprint, uint32_t table)
{
	bool needs_large = false;

	for (uint32_t k = 0; k < KINDS; k++) {
		struct kind *kind = &footprint->kind[k];
		bool comes_back = kind->returned * RETURNED_PART > kind->came;

		if (kind->table != table)
			continue;
		if ((kind->tried - kind->came) * FEW_PART < kind->tried &&
		    (table == LARGE || !comes_back))
			kind->passing = PASSING;
		kind->table = table == SMALL && comes_back ? LARGE : SMALL;
		needs_large |= kind->table == LARGE;
		kind->tried = kind->came = kind->returned = 0;
	}
	return needs_large;
}

/* In a full table. */
static int make_room(struct ct_access_footprint *footprint, uint32_t number)
{
	struct table *table = &footprint->table[number];
	int err;

	if (number == LARGE && table->slots < footprint->slots_most &&
	    table->returned * RETURNED_PART > table->came) {
		table->returned = table->came = 0;
		return double_slots(table);
	}
	err = empty_table(footprint, table);
	if (judge_kinds(footprint, number) && !footprint->table[LARGE].slot && err == 0)
		err = open_table(&footprint->table[LARGE], SMALL_SLOTS);
	return err;
}

/* A block that is not in the table. */
static void note_block(struct ct_access_footprint *footprint, struct kind *kind, uint64_t key0,
		       uint64_t key1)
{
	uint64_t bit = ct_map_hash(key0, key1) % KNOWN_BITS, *word = &footprint->known[bit / 64];
	uint64_t was_there = *word >> bit % 64 & 1;

	kind->came++;
	kind->returned += was_there;
	footprint->table[kind->table].came++;
	footprint->table[kind->table].returned += was_there;
	*word |= (uint64_t)1 << bit % 64;
	footprint->knowns += !was_there;
	if (footprint->knowns < KNOWN_MOST)
		return;
	memset(footprint->known, 0, KNOWN_BITS / 8);
	footprint->knowns = 0;
}

/* A slot for a block that has none yet, of the site's table, or of another, if this is full. */
static struct slot *add_slot(struct ct_access_footprint *footprint, uint64_t key0,
			     const struct owner *owner, int *err)
{
	struct table *table = &footprint->table[owner->kind->table];
	struct slot *slot;

	if (table->used >= table->slots / 2)
		*err = make_room(footprint, owner->kind->table);
	table = &footprint->table[owner->kind->table];
	if (*err < 0)
		return NULL;
	slot = find_slot(table, key0, owner->key1);
	if (slot->key[0])
		return slot;
	if (table->used >= table->slots / 2) /* another site's blocks fill it */
		return add_slot(footprint, key0, owner, err);
	note_block(footprint, owner->kind, key0, owner->key1);
	slot->key[0] = key0;
	slot->key[1] = owner->key1;
	table->used++;
	return slot;
}

/* NULL: there is no memory, or an error of the shuffle, which is in *err. */
static inline struct slot *use_slot(struct ct_access_footprint *footprint, uint64_t key0,
				    const struct owner *owner, int *err)
{
	struct slot *slot = find_slot(&footprint->table[owner->kind->table], key0, owner->key1);

	return slot->key[0] ? slot : add_slot(footprint, key0, owner, err);
}

/* The bits of count bytes from one on. */
static inline void set_bits(uint64_t *bits, uint64_t from, uint64_t count)
{
	while (from % 64 + count > 64) {
		uint64_t own = 64 - from % 64;

		bits[from / 64] |= UINT64_MAX << from % 64;
		from += own;
		count -= own;
	}
	bits[from / 64] |= UINT64_MAX >> (64 - count) << from % 64;
}

/* They will be needed in a moment. */
static void expect_slots(const struct table *table, const struct ct_access_request *request,
			 const struct owner *owner)
{
	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t block = request->extent[i].begin / SLOT_BYTES;
		uint64_t key0 = (block << CT_ACCESS_LAUNCH_LOW | owner->low) + 1;

		__builtin_prefetch(&table->slot[place_of(table, key0, owner->key1)], 1);
	}
}

static int add_to_table(struct ct_access_footprint *footprint,
			const struct ct_access_request *request, const struct owner *owner)
{
	uint64_t last = UINT64_MAX, blocks = 0;
	struct slot *slot = NULL;
	int err = 0;

	if (owner->kind->table == LARGE)
		expect_slots(&footprint->table[LARGE], request, owner);
	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t at = request->extent[i].begin, end = request->extent[i].end;

		while (at < end) {
			uint64_t block = at / SLOT_BYTES, from = at % SLOT_BYTES;
			uint64_t key0 = (block << CT_ACCESS_LAUNCH_LOW | owner->low) + 1;
			uint64_t count =
			    end - at < SLOT_BYTES - from ? end - at : SLOT_BYTES - from;

			if (block != last) {
				slot = use_slot(footprint, key0, owner, &err);
				blocks++;
				if (!slot)
					return err;
			}
			last = block;
			set_bits(slot->bits, from, count);
			at += count;
		}
	}
	owner->kind->tried += blocks;
	return 0;
}

/* Block by block. */
static int pass_table_by(struct ct_access_footprint *footprint,
			 const struct ct_access_request *request, const struct owner *owner)
{
	struct ct_access_entry entry = {.key[1] = owner->key1};
	uint64_t held = UINT64_MAX;
	int err = 0;

	for (uint32_t i = 0; i < request->extents; i++) {
		uint64_t at = request->extent[i].begin, end = request->extent[i].end;

		while (at < end && err == 0) {
			uint64_t block = at / CT_ACCESS_BLOCK_BYTES,
				 from = at % CT_ACCESS_BLOCK_BYTES;
			uint64_t room = CT_ACCESS_BLOCK_BYTES - from;
			uint64_t count = end - at < room ? end - at : room;

			if (block != held && held != UINT64_MAX)
				err = put_piece(footprint, &entry);
			if (block != held)
				entry.value[0] = entry.value[1] = 0;
			held = block;
			entry.key[0] = block << CT_ACCESS_LAUNCH_LOW | owner->low;
			set_bits(entry.value, from, count);
			at += count;
		}
	}
	return held == UINT64_MAX || err < 0 ? err : put_piece(footprint, &entry);
}

int ct_access_footprint_add(struct ct_access_footprint *footprint,
			    const struct ct_access_request *request, uint32_t launch,
			    uint32_t group, uint32_t site)
{
	struct owner owner = {.low = launch & ((1u << CT_ACCESS_LAUNCH_LOW) - 1),
			      .key1 = (uint64_t)(launch >> CT_ACCESS_LAUNCH_LOW)
					  << (CT_ACCESS_GROUP_BITS + CT_ACCESS_SITE_BITS) |
				      (uint64_t)group << CT_ACCESS_SITE_BITS | site,
			      .kind = &footprint->kind[site % KINDS]};
	uint64_t passing = owner.kind->passing;

	if (!passing)
		return add_to_table(footprint, request, &owner);
	owner.kind->passing = passing > request->extents ? passing - request->extents : 0;
	return pass_table_by(footprint, request, &owner);
}
