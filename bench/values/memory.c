/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_values_memory [LANES]: what the memory of this machine takes for the least that shape
 * gather asks of `ctpost values`, in ns of processor time per scattered lane, the best of three:
 *
 *   divide   24 bytes per lane, written to 512 lists by way of stages of a kilobyte, in new memory
 *   collect  each list read once, and its records copied in the order of their pages, of 8 in it
 *   values   8 bytes per lane, written to 128 lists, and counted in a table of each
 *   touch    a line of 64 bytes of 2 Mi, anywhere, read and written: lanes reported at once,
 * unsorted chase    the same, each read waiting for the last one
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PLACES (2u << 20)
#define PAGE_PLACES 512u
#define LISTS 512u
#define TABLES 128u
#define STAGE 1008u

struct record {
	uint64_t key[2], value;
};

static uint64_t noise(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
	return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 16;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* As the shuffles have it: new, in large pages where the kernel has them. */
static void *take(size_t bytes)
{
	void *memory =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

/* Each list has room for twice its share. */
static size_t room_of(size_t lanes, size_t lists)
{
	return 2 * (lanes / lists) + STAGE;
}

static void divide(struct record *list, size_t *count, size_t lanes)
{
	static unsigned char stage[LISTS][STAGE];
	static size_t used[LISTS];
	size_t room = room_of(lanes, LISTS);

	for (size_t i = 0; i < lanes; i++) {
		uint64_t place = noise(i) % PLACES, p = place / PAGE_PLACES % LISTS;
		struct record own = {{place / PAGE_PLACES, i << 12 | place % PAGE_PLACES * 8}, i};

		memcpy(stage[p] + used[p], &own, sizeof(own));
		used[p] += sizeof(own);
		if (used[p] < STAGE)
			continue;
		memcpy(list + p * room + count[p], stage[p], STAGE);
		count[p] += STAGE / sizeof(own);
		used[p] = 0;
	}
}

static uint64_t collect(const struct record *list, const size_t *count, size_t lanes)
{
	size_t room = room_of(lanes, LISTS), pages = PLACES / PAGE_PLACES / LISTS;
	struct record *sorted = malloc(room * sizeof(*sorted));
	uint64_t sum = 0;

	for (size_t p = 0; p < LISTS && sorted; p++) {
		const struct record *own = list + p * room;
		size_t first[64] = {0}, at = 0;

		for (size_t i = 0; i < count[p]; i++)
			first[own[i].key[0] / LISTS]++;
		for (size_t page = 0; page < pages; page++) {
			size_t here = first[page];

			first[page] = at;
			at += here;
		}
		for (size_t i = 0; i < count[p]; i++)
			sorted[first[own[i].key[0] / LISTS]++] = own[i];
		sum += sorted[0].value;
	}
	free(sorted);
	return sum;
}

static uint64_t count_values(uint64_t *list, size_t *count, size_t lanes)
{
	static struct {
		uint64_t value, elements;
	} table[1u << 16];
	size_t room = room_of(lanes, TABLES);
	uint64_t sum = 0;

	for (size_t i = 0; i < lanes; i++) {
		uint64_t value = noise(noise(i) % PLACES), t = value % TABLES;

		list[t * room + count[t]++] = value;
	}
	for (size_t t = 0; t < TABLES; t++) {
		memset(table, 0, sizeof(table));
		for (size_t i = 0; i < count[t]; i++) {
			uint64_t value = list[t * room + i];
			size_t at = value * 0x9e3779b97f4a7c15u >> 48;

			while (table[at].elements && table[at].value != value)
				at = (at + 1) & 0xffff;
			table[at].value = value;
			sum += ++table[at].elements;
		}
	}
	return sum;
}

static uint64_t touch(uint64_t (*line)[8], size_t lanes, uint64_t waits)
{
	uint64_t last = 0;

	for (size_t i = 0; i < lanes; i++)
		last = line[(noise(i) + (last & waits)) % PLACES][0]++;
	return last;
}

enum { DIVIDE, COLLECT, VALUES, TOUCH, CHASE, WHAT };

static uint64_t measure(size_t lanes, double best[WHAT])
{
	size_t bytes = room_of(lanes, LISTS) * LISTS * sizeof(struct record);
	size_t value_bytes = room_of(lanes, TABLES) * TABLES * sizeof(uint64_t);
	struct record *list = take(bytes);
	uint64_t *values = take(value_bytes), (*line)[8] = take(PLACES * sizeof(*line)), sum = 0;
	size_t count[LISTS] = {0}, value_count[TABLES] = {0};
	double at[WHAT + 1];

	memset(line, 1, PLACES * sizeof(*line));
	at[DIVIDE] = seconds();
	divide(list, count, lanes);
	at[COLLECT] = seconds();
	sum += collect(list, count, lanes);
	at[VALUES] = seconds();
	sum += count_values(values, value_count, lanes);
	at[TOUCH] = seconds();
	sum += touch(line, lanes, 0);
	at[CHASE] = seconds();
	sum += touch(line, lanes, UINT64_MAX);
	at[WHAT] = seconds();
	for (int i = 0; i < WHAT; i++)
		if (at[i + 1] - at[i] < best[i])
			best[i] = at[i + 1] - at[i];
	munmap(list, bytes);
	munmap(values, value_bytes);
	munmap(line, PLACES * sizeof(*line));
	return sum;
}

int main(int argc, char **argv)
{
	static const char *const name[WHAT] = {"divide", "collect", "values", "touch", "chase"};
	size_t lanes = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
	double best[WHAT] = {1e9, 1e9, 1e9, 1e9, 1e9};
	uint64_t sum = 0;

	if (lanes < LISTS)
		return 2;
	for (int i = 0; i < 3; i++)
		sum += measure(lanes, best);
	for (int i = 0; i < WHAT; i++)
		printf("%-8s %6.1f ns\n", name[i], best[i] * 1e9 / (double)lanes);
	return sum == 0; /* so that nothing is left out */
}
