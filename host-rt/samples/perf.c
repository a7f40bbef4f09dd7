/* SPDX-License-Identifier: Apache-2.0 */
/* perf_event_open(2): rings of records, which the kernel writes and we read. */
#include "host-rt/samples/perf.h"
#include "base/array.h"
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RING_BYTES (UINT64_C(128) << 10) /* seven samples: of 70 ms */
#define STACK_BYTES 16384u
#define RECORD_BYTES 65536u /* a record's size is 16 bits */

struct watched {
	uint32_t thread;
	struct perf_event_mmap_page *ring; /* a page, then the bytes; NULL: it is not watched */
	bool is_there;                     /* in the last list of threads */
};

static struct watched *all;
static size_t count, watched_count; /* of them, those with a ring */
static uint64_t lost, unwatched;
static long page_bytes;

#ifdef __x86_64__
/* asm/perf_regs.h: bp, sp and ip, in this order in records. */
#define REGISTERS (UINT64_C(7) << 6)

static int open_event(uint32_t thread)
{
	struct perf_event_attr attributes = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(attributes),
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = CT_PERF_PERIOD_NS,
	    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_regs_user = REGISTERS,
	    .sample_stack_user = STACK_BYTES,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	long event =
	    syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return event < 0 ? -errno : (int)event;
}
#else
static int open_event(uint32_t thread)
{
	(void)thread;
	return -ENOTSUP;
}
#endif

/* The event lasts as long as the ring: no descriptor stays open among the program's. Closes event.
 * NULL with errno. */
static struct perf_event_mmap_page *map_ring(int event)
{
	void *ring;
	int err;

	page_bytes = sysconf(_SC_PAGESIZE);
	ring = mmap(NULL, (size_t)page_bytes + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    event, 0);
	err = errno;
	close(event);
	errno = err;
	return ring == MAP_FAILED ? NULL : ring;
}

static void unmap_ring(struct perf_event_mmap_page *ring)
{
	munmap(ring, (size_t)page_bytes + RING_BYTES);
}

int ct_perf_probe(const char **why)
{
	int event = open_event(0);
	struct perf_event_mmap_page *ring = event < 0 ? NULL : map_ring(event);
	int err = event < 0 ? event : ring ? 0 : -errno;

	if (ring)
		unmap_ring(ring);
	*why = err == -ENOTSUP ? "host threads are sampled on x86-64 alone"
	       : err == -EACCES || err == -EPERM
		   ? "the kernel does not let this process use perf events on its own threads "
		     "(kernel.perf_event_paranoid above 2, or a container that forbids "
		     "perf_event_open)"
		   : "the kernel has no perf events for this process";
	return err;
}

static struct watched *find(uint32_t thread)
{
	for (size_t i = 0; i < count; i++)
		if (all[i].thread == thread)
			return &all[i];
	return NULL;
}

/* Known from then on, even if it cannot be watched. */
static void watch(uint32_t thread)
{
	struct watched new = {.thread = thread, .is_there = true};
	int event;

	if (ct_array_grow(&all, count, sizeof(*all)) < 0) {
		unwatched++;
		return;
	}
	event = open_event(thread);
	new.ring = event < 0 ? NULL : map_ring(event);
	if (!new.ring && event != -ESRCH)
		unwatched++;
	watched_count += new.ring != NULL;
	all[count++] = new;
}

size_t ct_perf_attach(bool (*is_left_out)(uint32_t thread))
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *entry;
	size_t without_room = 0;

	for (size_t i = 0; i < count; i++)
		all[i].is_there = !threads;
	while (threads && (entry = readdir(threads))) {
		uint32_t thread = (uint32_t)strtoul(entry->d_name, NULL, 10);
		struct watched *known = find(thread);

		if (known)
			known->is_there = true;
		else if (!thread || is_left_out(thread))
			continue;
		else if (watched_count < CT_PERF_THREADS_MAX)
			watch(thread);
		else
			without_room++;
	}
	if (threads)
		closedir(threads);
	return without_room;
}

static void copy_out(const struct watched *of, uint64_t at, void *to, size_t bytes)
{
	const char *data = (const char *)of->ring + page_bytes;
	size_t from = at % RING_BYTES, first = RING_BYTES - from;

	first = first < bytes ? first : bytes;
	memcpy(to, data + from, first);
	memcpy((char *)to + first, data, bytes - first);
}

/* Behind the header: pid and tid; abi, bp, sp, ip if it is not 0; bytes of the stack, these, and
 * how many of them there are. */
static void take_sample(const struct watched *of, const uint64_t *words, size_t bytes,
			void (*take)(uint32_t thread, const struct ct_stack_copy *copy))
{
	struct ct_stack_copy copy;
	uint64_t room;

	if (bytes < 7 * sizeof(*words) || !words[1])
		return;
	room = words[5];
	if (room > bytes - 7 * sizeof(*words))
		return;
	copy = (struct ct_stack_copy){.bp = words[2],
				      .sp = words[3],
				      .ip = words[4],
				      .bytes = (const unsigned char *)&words[6],
				      .count = words[6 + room / sizeof(*words)]};
	if (copy.count <= room)
		take(of->thread, &copy);
}

static void read_ring(const struct watched *of,
		      void (*take)(uint32_t thread, const struct ct_stack_copy *copy))
{
	static uint64_t record[RECORD_BYTES / sizeof(uint64_t)];
	uint64_t head = __atomic_load_n(&of->ring->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = of->ring->data_tail;

	while (head - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		copy_out(of, at, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - at)
			break;
		copy_out(of, at + sizeof(header), record, header.size - sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE)
			take_sample(of, record, header.size - sizeof(header), take);
		else if (header.type == PERF_RECORD_LOST)
			lost += record[1];
		at += header.size;
	}
	__atomic_store_n(&of->ring->data_tail, head, __ATOMIC_RELEASE);
}

static void release(struct watched *of)
{
	if (!of->ring)
		return;
	unmap_ring(of->ring);
	watched_count--;
}

void ct_perf_read(void (*take)(uint32_t thread, const struct ct_stack_copy *copy))
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (all[i].ring)
			read_ring(&all[i], take);
		if (all[i].is_there)
			all[kept++] = all[i];
		else
			release(&all[i]);
	}
	count = kept;
}

uint64_t ct_perf_lost(void)
{
	return lost;
}

uint64_t ct_perf_unwatched(void)
{
	return unwatched;
}

void ct_perf_close(void)
{
	for (size_t i = 0; i < count; i++)
		release(&all[i]);
	free(all);
	all = NULL;
	count = watched_count = 0;
}

void ct_perf_forget(void)
{
	for (size_t i = 0; i < count; i++)
		all[i].ring = NULL;
	ct_perf_close();
}
