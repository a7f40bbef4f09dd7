/* SPDX-License-Identifier: Apache-2.0 */
/* Samples until the journal takes them: none is lost in silence. */
#include "host-rt/base/thread.h"
#include "host-rt/samples/host.h"
#include "host-rt/samples/samples.h"
#include "unwind/unwind.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct ct_sampled two[] = {
    {.cubin = 7, .pc = 16, .samples = 3, .function = "first", .reason = "wait"},
    {.cubin = 7, .pc = 32, .samples = 4, .function = "second", .reason = "wait"}};

Test(hostrt_samples, are_handed_out_once_with_their_looks_and_texts)
{
	const struct ct_row_look look = {.total = 9};
	struct ct_samples_taken taken;

	ct_samples_look(&look, two, 1);
	ct_samples_look(&look, two, 2);
	ct_samples_take(&taken);
	cr_assert_eq(taken.look_count, 2);
	cr_assert_eq(taken.sample_count, 3);
	cr_assert_eq(taken.samples[0].look, 1);
	cr_assert_eq(taken.samples[2].look, 2);
	cr_assert_eq(taken.samples[2].samples, 4);
	cr_assert_str_eq(ct_samples_text(taken.samples[2].function), "second");
	cr_assert_eq(taken.samples[0].reason, taken.samples[2].reason);
	ct_samples_take(&taken);
	cr_assert_eq(taken.look_count, 0);
	cr_assert_null(ct_samples_refusal());
}

Test(hostrt_samples, that_find_no_room_are_reported)
{
	const struct ct_row_look look = {.total = 9};
	struct ct_samples_taken taken;
	const char *why;

	ct_samples_look(&look, two, (size_t)1 << 40); /* more than may wait: none is looked at */
	why = ct_samples_refusal();
	cr_assert_not_null(why);
	cr_assert_not_null(strstr(why, "lost"));
	cr_assert_null(ct_samples_refusal());
	ct_samples_take(&taken);
	cr_assert_eq(taken.look_count, 0);
	ct_samples_look(&look, two, 2);
	ct_samples_take(&taken);
	cr_assert_eq(taken.sample_count, 2);
}

Test(hostrt_samples, cubins_are_copied_and_handed_out_once)
{
	const struct ct_row_look look = {.total = 9};
	char bytes[] = "device code";
	const void *copy;
	uint64_t id;
	size_t count;

	ct_samples_module(8, bytes, sizeof(bytes));
	ct_samples_module(7, bytes, sizeof(bytes));
	cr_assert_null(ct_samples_cubin(&id, &count));
	ct_samples_look(&look, two, 2);
	memset(bytes, 0, sizeof(bytes));
	copy = ct_samples_cubin(&id, &count);
	cr_assert_not_null(copy);
	cr_assert_eq(id, 7);
	cr_assert_str_eq(copy, "device code");
	cr_assert_null(ct_samples_cubin(&id, &count));
}

#ifdef __x86_64__
/* The bytes there are no stack: nothing beyond them is read. */
Test(hostrt_samples, of_host_threads_with_broken_stacks_end_where_the_copy_does)
{
	unsigned char bytes[256];
	struct ct_stack_copy copy = {
	    .ip = (uintptr_t)ct_stack_of_copy, .sp = 0x7000, .bp = 0x7010, .bytes = bytes};

	for (unsigned fill = 0; fill < 256; fill += 5)
		for (copy.count = 0; copy.count <= sizeof(bytes); copy.count += 37) {
			memset(bytes, (int)fill, sizeof(bytes));
			cr_expect_neq(ct_stack_of_copy(&copy), 0);
		}
	copy.ip = UINTPTR_MAX;
	cr_expect_neq(ct_stack_of_copy(&copy), 0);
}

/* Where the kernel allows it; else why not is known. */
Test(hostrt_samples, of_host_threads_are_of_those_that_spend_processor_time)
{
	const struct ct_row_cpu_sample *rows = NULL;
	volatile double sink = 0;
	size_t count = 0;

	ct_host_samples_begin();
	if (ct_host_samples_missing())
		cr_skip_test("perf events are forbidden here");
	for (unsigned turn = 0; turn < 2000 && !count; turn++) {
		for (unsigned i = 0; i < 10000000; i++)
			sink = sink + i;
		count = ct_host_samples_take(&rows);
	}
	cr_assert_gt(count, 0);
	for (size_t i = 0; i < count; i++) {
		cr_expect_eq(rows[i].thread, ct_thread_id());
		cr_expect_gt(rows[i].samples, 0);
		cr_expect_neq(rows[i].stack, 0);
	}
	ct_host_samples_end();
	cr_expect_null(ct_host_samples_missing());
}

/* Events of the kernel's that are mapped, and where the last of them is. */
static unsigned rings(uintptr_t *begin, uintptr_t *end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	unsigned count = 0;

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[perf_event]") &&
		    sscanf(line, "%" SCNxPTR "-%" SCNxPTR, begin, end) == 2)
			count++;
	if (maps)
		fclose(maps);
	return count;
}

static pthread_barrier_t started, over;

static void *wait_for_the_end(void *unused)
{
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&over);
	return unused;
}

Test(hostrt_samples, of_host_threads_take_no_file_descriptors)
{
	enum { THREADS = 20, FILES = 16 };
	struct rlimit files;
	uintptr_t begin, end;
	pthread_t thread[THREADS];
	int before = dup(STDERR_FILENO), after;

	close(before);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = FILES;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
	pthread_barrier_init(&started, NULL, THREADS + 1);
	pthread_barrier_init(&over, NULL, THREADS + 1);
	for (unsigned i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&thread[i], NULL, wait_for_the_end, NULL), 0);
	pthread_barrier_wait(&started);
	ct_host_samples_begin();
	if (ct_host_samples_missing())
		cr_skip_test("perf events are forbidden here");
	/* The main thread, and such as the framework may have. */
	cr_expect_geq(rings(&begin, &end), THREADS + 1);
	after = dup(STDERR_FILENO);
	close(after);
	cr_expect_eq(after, before);
	pthread_barrier_wait(&over);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	ct_host_samples_end();
	cr_expect_eq(rings(&begin, &end), 0);
	cr_expect_null(ct_host_samples_missing());
}

/* The child of a fork has a ring of its own where its parent has one. */
Test(hostrt_samples, of_host_threads_are_forgotten_in_the_child_of_a_fork)
{
	uintptr_t begin = 0, end = 0;
	int status;
	pid_t child;

	ct_host_samples_begin();
	if (ct_host_samples_missing())
		cr_skip_test("perf events are forbidden here");
	cr_assert_gt(rings(&begin, &end), 0);
	child = fork();
	if (child == 0) {
		volatile char *own = mmap((void *)begin, end - begin, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if ((uintptr_t)own != begin)
			_exit(1);
		*own = 7;
		ct_host_samples_forget();
		_exit(*own == 7 ? 0 : 2);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", status);
	ct_host_samples_end();
	cr_expect_null(ct_host_samples_missing());
}
#endif
