/* SPDX-License-Identifier: Apache-2.0 */
/* A small trace for tests. */
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/one_chunk.h"
#include "trace/codec/chunk.h"

#include <cudatrace/encode.h>
#include <cudatrace/host.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_NS 1700000000000000000u

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

/* Offsets of these in the blob's strings are found by find_string. */
static const char unit_strings[] = "\0demo.cu\0_Z4copyPfS_\0copy(float*, float*)\0_Z3sumPf\0"
				   "sum<float>(float*)\0dst\0src\0float *\0_Z4loadPf\0demo.h\0"
				   "a local array is private to its thread";

static uint32_t find_string(const char *string)
{
	const char *at = memmem(unit_strings, sizeof(unit_strings), string, strlen(string) + 1);

	require(at != NULL, string);
	return (uint32_t)(at - unit_strings);
}

static struct ct_unit_site make_site(uint32_t line, uint8_t operation, uint32_t bytes,
				     uint8_t verdict)
{
	return (struct ct_unit_site){
	    .function = find_string("_Z4copyPfS_"),
	    .kernel = 0,
	    .file = find_string("demo.cu"),
	    .line = line,
	    .column = 9,
	    .inlined_at = CT_NONE,
	    .bytes = bytes,
	    .operation = operation,
	    .space = CT_SPACE_GLOBAL,
	    .verdict = verdict,
	    .scalar = CT_SCALAR_FLOAT,
	    .scalar_bits = 32,
	    .vector_length = (uint16_t)(bytes / 4),
	};
}

void *fixture_unit(size_t *bytes)
{
	struct {
		struct ct_unit_header header;
		struct ct_unit_kernel kernels[2];
		struct ct_unit_param params[3];
		struct ct_unit_site sites[FIXTURE_SITES];
		struct ct_unit_frame frames[2];
	} * blob;
	uint32_t pointer = find_string("float *");

	*bytes = sizeof(*blob) + sizeof(unit_strings);
	blob = calloc(1, *bytes);
	blob->header = (struct ct_unit_header){
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(blob->header),
	    .unit_id = FIXTURE_UNIT_ID,
	    .arch = 90,
	    .kernel_count = 2,
	    .param_count = 3,
	    .site_count = FIXTURE_SITES,
	    .frame_count = 2,
	    .string_bytes = sizeof(unit_strings),
	    .source = find_string("demo.cu"),
	    .spaces = 1u << CT_SPACE_GLOBAL,
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	};
	blob->kernels[0] = (struct ct_unit_kernel){find_string("_Z4copyPfS_"),
						   find_string("copy(float*, float*)"),
						   find_string("demo.cu"),
						   3,
						   17,
						   0,
						   2,
						   0};
	blob->kernels[1] = (struct ct_unit_kernel){find_string("_Z3sumPf"),
						   find_string("sum<float>(float*)"),
						   find_string("demo.cu"),
						   9,
						   17,
						   2,
						   1,
						   0};
	blob->params[0] = (struct ct_unit_param){find_string("dst"), pointer};
	blob->params[1] = (struct ct_unit_param){find_string("src"), pointer};
	blob->params[2] = (struct ct_unit_param){find_string("src"), pointer};
	blob->sites[0] = make_site(5, 1, 4, CT_VERDICT_GLOBAL);
	blob->sites[1] = make_site(5, 2, 4, CT_VERDICT_GLOBAL);
	blob->sites[2] = make_site(11, 3, 8, CT_VERDICT_CHECKED);
	blob->sites[2].kernel = CT_NONE;
	blob->sites[2].inlined_at = 0;
	blob->sites[3] = make_site(13, 1, 16, CT_VERDICT_SKIPPED);
	blob->sites[3].reason = find_string("a local array is private to its thread");
	blob->frames[0] =
	    (struct ct_unit_frame){find_string("_Z4loadPf"), find_string("demo.h"), 2, 5, 1};
	blob->frames[1] =
	    (struct ct_unit_frame){find_string("_Z3sumPf"), find_string("demo.cu"), 11, 7, CT_NONE};
	memcpy(blob + 1, unit_strings, sizeof(unit_strings));
	return blob;
}

static struct ct_event_header event_header(uint16_t kind, uint32_t bytes)
{
	static uint64_t ticks;

	if (kind == CT_EVENT_DEVICE)
		ticks = 0;
	return (struct ct_event_header){kind, 0, bytes, TIME_NS + 1000 * ticks++};
}

#define EVENT(type, kind) event_header(kind, sizeof(struct type))

static uint32_t string_id(struct ct_writer *writer, const char *string)
{
	uint32_t id;

	ct_writer_string(writer, string, &id);
	return id;
}

static void write_device(struct ct_writer *writer)
{
	struct ct_event_device event = {
	    .header = EVENT(ct_event_device, CT_EVENT_DEVICE),
	    .name = string_id(writer, "Demo device"),
	    .arch = 90,
	    .sm_count = 2,
	    .memory_bytes = 1u << 30,
	    .is_cpu_target = 1,
	};

	ct_writer_event(writer, &event.header);
}

static void write_alloc(struct ct_writer *writer, uint32_t object, uint64_t address, uint64_t bytes,
			const char *name)
{
	bool is_variable = address < FIXTURE_X;
	char descriptor[128];
	struct ct_event_alloc event = {
	    .header = EVENT(ct_event_alloc, CT_EVENT_ALLOC),
	    .address = address,
	    .bytes = bytes,
	    .object = object,
	    .kind = is_variable ? CT_OBJECT_VARIABLE : CT_OBJECT_DEVICE,
	};

	snprintf(descriptor, sizeof(descriptor),
		 "A\x1f"
		 "demo.cu\x1f%u\x1f"
		 "3\x1fmain\x1f%s\x1fn * 4",
		 20 + object, name);
	event.site = string_id(writer, is_variable ? name : descriptor);
	ct_writer_event(writer, &event.header);
}

static void write_free(struct ct_writer *writer, uint32_t object, uint64_t address)
{
	struct ct_event_free event = {
	    .header = EVENT(ct_event_free, CT_EVENT_FREE),
	    .address = address,
	    .object = object,
	};

	ct_writer_event(writer, &event.header);
}

static void write_launch(struct ct_writer *writer, uint32_t launch, const char *kernel,
			 const char *reason)
{
	struct ct_event_launch event = {
	    .header = EVENT(ct_event_launch, CT_EVENT_LAUNCH),
	    .launch = launch,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = string_id(writer, kernel),
	    .grid = {2, 1, 1},
	    .block = {64, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = *reason ? 0 : CT_LAUNCH_TRACED,
	    .shared_bytes = 128,
	    .thread = 4711,
	    .site = string_id(writer, "L\x1f"
				      "demo.cu\x1f"
				      "30\x1f"
				      "2\x1fmain\x1f"
				      "copy\x1f"
				      "dst\x1fsrc"),
	    .reason = string_id(writer, reason),
	};

	ct_writer_event(writer, &event.header);
}

static void write_launch_done(struct ct_writer *writer, uint32_t launch)
{
	struct ct_event_launch_done event = {
	    .header = EVENT(ct_event_launch_done, CT_EVENT_LAUNCH_DONE),
	    .launch = launch,
	};

	ct_writer_event(writer, &event.header);
}

/* Two segments of three accesses each: affine, uniform under a mask, irregular. */
static void write_records(struct ct_writer *writer, uint32_t launch, uint64_t ticket)
{
	uint64_t words[256], address[CT_WARP_LANES];
	uint32_t n = 0;

	for (uint32_t warp = 0; warp < 2; warp++) {
		words[n++] = CT_SEGMENT_WORD0(warp, 0, launch);
		words[n++] = CT_SEGMENT_WORD1(warp, 1);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_X + 128 * warp + 4 * lane;
		n += ct_encode_access(words + n, 0, 4, CT_FULL_MASK, address);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_Y;
		n += ct_encode_access(words + n, 1, 4, 0x55555555, address);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_Y + 8 * (lane * lane % 37);
		n += ct_encode_access(words + n, 2, 8, 0xfff0ffff, address);
	}
	write_one_chunk(writer, 0, ticket, words, 8 * n);
}

static void write_content(struct ct_writer *writer, bool flush_often)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	ct_writer_unit(writer, unit, bytes);
	free(unit);
	write_device(writer);
	write_alloc(writer, 1, 0x1000, 16, "counter");
	write_alloc(writer, 2, FIXTURE_X, 4096, "x");
	write_alloc(writer, 3, FIXTURE_Y, 4096, "y");
	if (flush_often)
		ct_writer_flush(writer);
	write_launch(writer, 1, "_Z4copyPfS_", "");
	write_records(writer, 1, 0);
	write_launch_done(writer, 1);
	if (flush_often)
		ct_writer_flush(writer);
	write_launch(writer, 2, "_Z3sumPf", "kernel is not selected");
	write_free(writer, 2, FIXTURE_X);
	write_alloc(writer, 4, FIXTURE_X, 1024, "z");
	if (flush_often)
		ct_writer_flush(writer);
	write_launch(writer, 3, "_Z4copyPfS_", "");
	write_records(writer, 3, 1);
	write_launch_done(writer, 3);
}

static void write_loss(struct ct_writer *writer)
{
	struct ct_event_loss event = {
	    .header = EVENT(ct_event_loss, CT_EVENT_LOSS),
	    .chunks = 7,
	    .launch = 3,
	    .reason = string_id(writer, "the ring was full when the program ended"),
	};

	ct_writer_event(writer, &event.header);
}

int fixture_make(const char *directory, int level, bool flush_often)
{
	const struct ct_writer_options options = {.level = level};
	struct ct_writer *writer;
	char why[256];
	int err = ct_writer_open(&writer, directory, &options, why, sizeof(why));

	if (err < 0)
		return err;
	write_content(writer, flush_often);
	write_loss(writer);
	ct_writer_manifest(writer, "{\"format\": 1, \"program\": \"demo\", \"complete\": true}\n");
	return ct_writer_close(writer);
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
