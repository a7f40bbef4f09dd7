/* SPDX-License-Identifier: Apache-2.0 */
/* Which call allocated, freed and copied what, by hand. */
#include "postproc/analysis/ffm/memory.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>
#include <string.h>

#define START_NS 1750000000000000000ull
#define US 1000u
#define A 0x7f0000100000ull
#define B 0x7f0000200000ull
#define HOST 0x550000001000ull

static struct ct_row_call call(struct build *b, uint32_t thread, const char *name, uint64_t from,
			       uint64_t to, uint64_t bytes)
{
	return (struct ct_row_call){.begin_ns = START_NS + from * US,
				    .duration_ns = (to - from) * US,
				    .name = build_string(b, name),
				    .thread = thread,
				    .kind = CT_SPAN_RUNTIME,
				    .bytes = bytes,
				    .copy = strstr(name, "Memcpy") ? CT_COPY_TO_DEVICE : 0};
}

/* Thread 1 has the steps 0 to 6, thread 2 the steps 7 and 8. */
static void add_calls(struct build *b)
{
	const struct ct_row_call calls[] = {
	    call(b, 1, "cudaMalloc", 0, 10, 4096),     /* A */
	    call(b, 1, "cudaMemcpy", 20, 30, 4096),    /* to A */
	    call(b, 1, "cudaFree", 40, 50, 0),         /* of A */
	    call(b, 1, "cudaMallocAsync", 60, 70, 64), /* A once more */
	    call(b, 1, "cudaMemcpy2D", 80, 90, 32),    call(b, 1, "cudaFreeAsync", 100, 110, 0),
	    call(b, 1, "cudaMemcpy", 120, 130, 4096), /* to what is gone */
	    call(b, 2, "cudaMalloc", 1, 11, 8192),    /* B */
	    call(b, 2, "cudaLaunchKernel", 41, 42, 0),
	};

	ct_writer_rows(b->writer, CT_TABLE_CALL, calls, sizeof(calls) / sizeof(*calls), NULL);
}

#define AT(us) .header.time_ns = START_NS + (us)*US

/* A is reported when thread 2 has allocated B already. */
static void add_events(struct build *b)
{
	const struct ct_row_content contents[] = {{.transfer = 1,
						   .bytes = 4096,
						   .same_bytes = 1024,
						   .hash_low = 7,
						   .copy = CT_COPY_TO_DEVICE}};

	BUILD_EVENT(b, alloc, AT(12), .address = A, .bytes = 4096, .object = 1,
		    .kind = CT_OBJECT_DEVICE, .site = build_descriptor(b, "A|x.cu|1|1|main|a|n"));
	BUILD_EVENT(b, alloc, AT(13), .address = B, .bytes = 8192, .object = 2,
		    .kind = CT_OBJECT_DEVICE);
	BUILD_EVENT(b, transfer, AT(31), .transfer = 1, .target = A, .source = HOST, .width = 4096,
		    .height = 1, .depth = 1, .kind = CT_TRANSFER_COPY, .thread = 1);
	BUILD_EVENT(b, free, AT(39), .address = A, .object = 1);
	BUILD_EVENT(b, alloc, AT(71), .address = A, .bytes = 64, .object = 3,
		    .kind = CT_OBJECT_DEVICE);
	BUILD_EVENT(b, transfer, AT(91), .transfer = 2, .target = A + 8, .source = B, .width = 4,
		    .height = 4, .depth = 2, .target_row = 8, .target_slice = 32, .source_row = 4,
		    .source_slice = 16, .kind = CT_TRANSFER_COPY, .thread = 1);
	BUILD_EVENT(b, free, AT(99), .address = A, .object = 3);
	BUILD_EVENT(b, transfer, AT(131), .transfer = 3, .target = A, .source = HOST, .width = 4096,
		    .height = 1, .depth = 1, .kind = CT_TRANSFER_COPY, .thread = 1);
	ct_writer_rows(b->writer, CT_TABLE_CONTENT, contents, 1, NULL);
}

static void check_objects(const struct ct_ffm_memory *memory)
{
	const struct ct_ffm_object *object = memory->object;

	cr_assert_eq(memory->objects, 3);
	cr_expect_eq(object[0].allocated, 0);
	cr_expect_eq(object[0].freed, 2);
	cr_expect(strstr(object[0].site, "x.cu"));
	cr_expect_eq(object[0].end, A + 4096);
	cr_expect_eq(object[1].allocated, 7);
	cr_expect_eq(object[1].freed, CT_FFM_NONE);
	cr_expect_eq(object[1].freed_at, UINT64_MAX);
	cr_expect_eq(object[2].allocated, 3);
	cr_expect_eq(object[2].freed, 5);
	cr_expect(object[2].is_ordered && !object[0].is_ordered && !object[1].is_ordered);
}

static void check_copies(const struct ct_ffm_memory *memory)
{
	const struct ct_ffm_copy *copy = memory->copy;

	cr_assert_eq(memory->copies, 3);
	cr_expect_eq(copy[0].step, 1);
	cr_expect_eq(copy[0].target_object, 0);
	cr_expect_eq(copy[0].source_object, CT_FFM_NONE);
	cr_expect(copy[0].is_known && copy[0].same_bytes == 1024 && copy[0].hash[0] == 7);
	cr_expect_eq(copy[0].way, CT_COPY_TO_DEVICE);
	/* 2 slices of 4 rows: the last byte is 3 rows and a slice behind the first. */
	cr_expect_eq(copy[1].step, 4);
	cr_expect_eq(copy[1].target_end, A + 8 + 32 + 3 * 8 + 4);
	cr_expect_eq(copy[1].target_object, 2);
	cr_expect_eq(copy[1].source_object, 1);
	cr_expect_not(copy[1].is_known);
	cr_expect_eq(copy[2].target_object, CT_FFM_NONE, "it has been freed");
}

Test(ffm_memory, is_joined_with_the_calls_that_did_it)
{
	char *directory = fixture_directory(), why[512];
	struct build *b = build_part(directory, NULL);
	struct ct_ffm_program program;
	struct ct_ffm_memory memory;
	struct ct_trace *trace;

	add_calls(b);
	add_events(b);
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_ffm_program_init(&program, trace, 0), 0);
	cr_assert_eq(ct_ffm_memory_init(&memory, &program, trace, 0), 0);
	check_objects(&memory);
	check_copies(&memory);
	ct_ffm_memory_fini(&memory);
	ct_ffm_program_fini(&program);
	ct_trace_close(trace);
	fixture_remove(directory);
}
