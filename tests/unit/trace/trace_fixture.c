/* SPDX-License-Identifier: Apache-2.0 */
/* A small trace for tests. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void require(bool is_so, const char *what)
{
	if (is_so)
		return;
	perror(what);
	abort();
}

char *fixture_directory(void)
{
	const char *base = getenv("TMPDIR");
	char *path;

	require(asprintf(&path, "%s/ct-test-XXXXXX", base && *base ? base : "/tmp") > 0,
		"asprintf");
	require(mkdtemp(path) != NULL, path);
	return path;
}

void fixture_remove(char *directory)
{
	DIR *handle = opendir(directory);
	struct dirent *entry;

	while (handle && (entry = readdir(handle)))
		unlinkat(dirfd(handle), entry->d_name, 0);
	if (handle)
		closedir(handle);
	rmdir(directory);
	free(directory);
}

bool fixture_has(const char *directory, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

void fixture_delete(const char *directory, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	require(unlink(path) == 0, path);
}

struct fixture_chunks fixture_chunks(const char *directory, const char *name)
{
	struct fixture_chunks found = {0};
	struct ct_chunk_file *file;
	struct ct_chunk chunk;
	char path[512];
	int result;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	require(ct_chunk_file_open(&file, path) == 0, path);
	for (; (result = ct_chunk_file_next(file, &chunk)) == 1; found.chunks++)
		found.tickets += chunk.header.last_sequence - chunk.header.first_sequence + 1;
	require(result == 0, path);
	ct_chunk_file_close(file);
	return found;
}

static FILE *open_file(const char *directory, const char *name, const char *mode)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, mode);
	require(file != NULL, path);
	return file;
}

char *fixture_read(const char *directory, const char *name, size_t *bytes)
{
	FILE *file = open_file(directory, name, "rb");
	char *content;
	long size;

	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	require(size >= 0, name);
	content = malloc((size_t)size + 1);
	*bytes = fread(content, 1, (size_t)size, file);
	content[*bytes] = '\0';
	fclose(file);
	return content;
}

void fixture_write(const char *directory, const char *name, const void *content, size_t bytes)
{
	char path[4096];
	FILE *file;

	/* Made anew: ext4 brings a file that was cut to the disk at once, and tests write
	 * thousands. */
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	remove(path);
	file = open_file(directory, name, "wb");
	require(fwrite(content, 1, bytes, file) == bytes, name);
	require(fclose(file) == 0, name);
}

void *fixture_unit(size_t *bytes)
{
	struct build_unit *unit = build_unit(FIXTURE_UNIT_ID, 90, "demo.cu");
	const char *copy = "_Z4copyPfS_";
	struct ct_unit_site *site;

	unit->kernels[build_kernel(unit, copy, "copy(float*, float*)", 3)].column = 17;
	build_param(unit, "dst", "float *");
	build_param(unit, "src", "float *");
	unit->kernels[build_kernel(unit, "_Z3sumPf", "sum<float>(float*)", 9)].column = 17;
	build_param(unit, "src", "float *");
	build_frame(unit, "_Z4loadPf", "demo.h", 2, 5, 1);
	build_frame(unit, "_Z3sumPf", "demo.cu", 11, 7, CT_NONE);
	build_site(unit, copy, 5, BUILD_LOAD, 4);
	build_site(unit, copy, 5, BUILD_STORE, 4);
	site = build_site(unit, copy, 11, BUILD_ATOMIC_ADD, 8);
	site->verdict = CT_VERDICT_CHECKED;
	site->kernel = CT_NONE;
	site->inlined_at = 0;
	site = build_site(unit, copy, 13, BUILD_LOAD, 16);
	site->verdict = CT_VERDICT_SKIPPED;
	site->reason = build_text(unit, "a local array is private to its thread");
	for (uint32_t i = 0; i < FIXTURE_SITES; i++) {
		unit->sites[i].scalar = CT_SCALAR_FLOAT;
		unit->sites[i].scalar_bits = 32;
		unit->sites[i].vector_length = (uint16_t)(unit->sites[i].bytes / 4);
	}
	return build_blob(unit, bytes);
}

void fixture_add_unit(struct build *b)
{
	size_t bytes;
	void *blob = fixture_unit(&bytes);

	build_add_blob(b, blob, bytes);
	free(blob);
}

static void add_object(struct build *b, uint32_t object, uint64_t address, uint64_t bytes,
		       const char *site)
{
	bool is_variable = address < FIXTURE_X;

	BUILD_EVENT(b, alloc, .address = address, .bytes = bytes, .object = object,
		    .kind = is_variable ? CT_OBJECT_VARIABLE : CT_OBJECT_DEVICE,
		    .site = build_descriptor(b, site));
}

static uint32_t add_launch(struct build *b, const char *kernel, const char *reason)
{
	return BUILD_LAUNCH(b, .kernel_name = build_string(b, kernel), .grid = {2}, .block = {64},
			    .shared_bytes = 128, .thread = 4711,
			    .site = build_descriptor(b, "L|demo.cu|30|2|main|copy|dst|src"),
			    .reason = build_string(b, reason));
}

/* Two segments of three accesses each: affine, uniform under a mask, irregular. */
static void add_records(struct build *b, uint32_t launch, uint64_t ticket)
{
	uint64_t address[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = FIXTURE_Y + 8 * (lane * lane % 37);
	for (uint32_t warp = 0; warp < 2; warp++) {
		BUILD_SEGMENT(b, .sm = warp, .launch = launch, .warp = warp, .cta = 1);
		build_lanes(b, 0, 4, CT_FULL_MASK, FIXTURE_X + 128 * warp, 4);
		build_lanes(b, 1, 4, 0x55555555, FIXTURE_Y, 0);
		build_access(b, 2, 8, 0xfff0ffff, address);
	}
	build_chunk_alone(b, ticket);
}

static void flush(struct build *b, bool flush_often)
{
	if (flush_often)
		ct_writer_flush(b->writer);
}

static void add_content(struct build *b, bool flush_often)
{
	uint32_t launch;

	fixture_add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 2,
		    .memory_bytes = 1u << 30, .is_cpu_target = 1);
	add_object(b, 1, 0x1000, 16, "counter");
	add_object(b, 2, FIXTURE_X, 4096, "A|demo.cu|22|3|main|x|n * 4");
	add_object(b, 3, FIXTURE_Y, 4096, "A|demo.cu|23|3|main|y|n * 4");
	flush(b, flush_often);
	launch = add_launch(b, "_Z4copyPfS_", "");
	add_records(b, launch, 0);
	build_done(b, launch);
	flush(b, flush_often);
	add_launch(b, "_Z3sumPf", "kernel is not selected");
	BUILD_EVENT(b, free, .address = FIXTURE_X, .object = 2);
	add_object(b, 4, FIXTURE_X, 1024, "A|demo.cu|24|3|main|z|n * 4");
	flush(b, flush_often);
	launch = add_launch(b, "_Z4copyPfS_", "");
	add_records(b, launch, 1);
	build_done(b, launch);
	BUILD_EVENT(b, loss, .chunks = 7, .launch = launch,
		    .reason = build_string(b, "the ring was full when the program ended"));
}

int fixture_make(const char *directory, int level, bool flush_often)
{
	const struct ct_writer_options options = {.level = level};
	struct build *b = build_part(directory, &options);

	add_content(b, flush_often);
	return build_close(b, "{\"format\": 1, \"program\": \"demo\", \"complete\": true}\n");
}

static int add_access(void *user, const struct ct_access *access)
{
	struct fixture_sum *sum = user;

	sum->accesses++;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (access->mask >> lane & 1) {
			sum->lanes++;
			sum->addresses += access->address[lane];
		}
	}
	return 0;
}

int fixture_scan(struct ct_trace *trace, struct fixture_sum *sum, uint64_t *damaged)
{
	const struct ct_scan scan = {.access = add_access, .user = sum};

	memset(sum, 0, sizeof(*sum));
	return ct_trace_scan(trace, &scan, damaged);
}
