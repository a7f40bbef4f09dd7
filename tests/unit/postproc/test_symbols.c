/* SPDX-License-Identifier: Apache-2.0 */
/* Names of return addresses of a library that is built for this (symbols/sample.cpp): whole,
 * stripped, apart from its debug information, another one, damaged. */
#include "base/clock.h"
#include "postproc/symbols/process.h"
#include "postproc/symbols/symbols.h"
#include "tests/unit/postproc/symbols/sample.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES 4u

/* Rows of STACK: what the library noted. */
enum { OWN = 1, RUN, HERE, INNER };

static char *directory, *library;
static char build_id[65];
static uint64_t offset[PLACES + 1];
static uintptr_t base;
static unsigned notes;
static struct ct_trace *trace;
static struct ct_stack_tree stacks;
static struct ct_symbols *symbols;

static void note(void *returns_to)
{
	offset[notes ? HERE : OWN] = (uintptr_t)__builtin_return_address(0) - base;
	offset[notes++ ? INNER : RUN] = (uintptr_t)returns_to - base;
}

static void run(const char *format, const char *first, const char *second)
{
	char *command;

	cr_assert_gt(asprintf(&command, format, first, second), 0);
	cr_assert_eq(system(command), 0, "%s", command);
	free(command);
}

static void read_build_id(void)
{
	int fd = open(library, O_RDONLY);
	const void *bits;
	ssize_t bytes;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	bytes = dwelf_elf_gnu_build_id(elf, &bits);
	cr_assert(bytes > 0 && bytes <= 32);
	for (ssize_t i = 0; i < bytes; i++)
		sprintf(build_id + 2 * i, "%02x", ((const unsigned char *)bits)[i]);
	elf_end(elf);
	close(fd);
}

/* Call the library's functions, in a copy of it. */
static void begin(void)
{
	int (*sample)(sample_note *);
	struct link_map *map;
	void *handle;

	directory = fixture_directory();
	cr_assert_gt(asprintf(&library, "%s/libsample.so", directory), 0);
	run("cp '%s' '%s'", CT_SAMPLE, library);
	handle = dlopen(CT_SAMPLE, RTLD_NOW);
	cr_assert(handle, "%s", dlerror());
	cr_assert_eq(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
	base = map->l_addr;
	*(void **)&sample = dlsym(handle, "sample_run");
	sample(note);
	cr_assert_eq(notes, 2);
	read_build_id();
}

static void end(void)
{
	ct_symbols_close(symbols);
	ct_stacks_fini(&stacks);
	ct_trace_close(trace);
	run("rm -r '%s'%s", directory, "");
	free(directory);
	free(library);
}

static void open_trace(const char *path)
{
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, path, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_stacks_init(&stacks, trace), 0);
}

/* A trace of one process that has these stacks: a frame each, and none of them known but this. */
static bool is_early;

static void make_trace(const char *id)
{
	struct ct_row_stack row[PLACES] = {0};
	struct build *b;
	char *path;

	cr_assert_gt(asprintf(&path, "%s/t.ctrace", directory), 0);
	b = build_part(path, NULL);
	/* The file is there by then, or in the past it was not. */
	if (!is_early)
		b->time_ns = ct_clock_real_ns();
	BUILD_EVENT(b, module, .module = 1, .path = build_string(b, library),
		    .build_id = build_string(b, id));
	for (unsigned i = 0; i < PLACES; i++)
		row[i] = (struct ct_row_stack){.offset = offset[i + 1], .module = 1};
	cr_assert_eq(ct_writer_rows(b->writer, CT_TABLE_STACK, row, PLACES, NULL), 0);
	cr_assert_eq(build_close(b, NULL), 0);
	open_trace(path);
	free(path);
}

static void look_up(const char *debug_path)
{
	const struct ct_symbols_options options = {.debug_path = debug_path, .seconds = 5};

	ct_symbols_close(symbols);
	cr_assert_eq(ct_symbols_open(&symbols, &stacks, &options), 0);
}

static uint32_t node_of(unsigned row)
{
	size_t rows;
	const uint32_t *nodes = ct_stacks_part(&stacks, 0, &rows);

	cr_assert_leq(row, rows);
	return nodes[row];
}

static size_t frames_of(unsigned row, const uint32_t **numbers)
{
	uint32_t node = node_of(row);

	cr_assert_gt(node, 0);
	return ct_symbols_frames(symbols, stacks.node[node].place, numbers);
}

/* The line of the sample that says "line: NAME". */
static unsigned line_of(const char *name)
{
	FILE *file = fopen(CT_SAMPLE_SOURCE, "r");
	char text[256], mark[64];
	unsigned line = 0, found = 0;

	cr_assert(file);
	snprintf(mark, sizeof(mark), "// line: %s\n", name);
	while (fgets(text, sizeof(text), file)) {
		line++;
		if (strstr(text, mark))
			found = line;
	}
	fclose(file);
	cr_assert(found, "no line is marked %s", name);
	return found;
}

static void expect_frame(unsigned row, unsigned at, const char *function, const char *mark,
			 bool is_inlined)
{
	const uint32_t *numbers;
	size_t count = frames_of(row, &numbers);
	const struct ct_code_frame *frame;

	cr_assert_gt(count, at);
	frame = ct_symbols_frame(symbols, numbers[at]);
	cr_expect_str_eq(frame->function, function);
	cr_expect_str_eq(frame->module, library);
	cr_expect(frame->is_named);
	cr_expect_eq(frame->is_inlined, is_inlined, "%s", function);
	cr_expect_eq(frame->line, mark ? line_of(mark) : 0, "%s: line %u", function, frame->line);
	cr_expect_str_eq(frame->file, mark ? CT_SAMPLE_SOURCE : "");
}

static void expect_all(void)
{
	const uint32_t *numbers;

	cr_assert_eq(frames_of(OWN, &numbers), 3);
	expect_frame(OWN, 0, "demo::inner(void (*)(void*))", "own", true);
	cr_assert_eq(frames_of(INNER, &numbers), 3);
	expect_frame(INNER, 0, "demo::inner(void (*)(void*))", "inner", true);
	expect_frame(INNER, 1, "demo::middle(void (*)(void*))", "middle", true);
	expect_frame(INNER, 2, "int demo::outer<int>(void (*)(void*), int)", "outer", false);
	cr_assert_eq(frames_of(RUN, &numbers), 1);
	expect_frame(RUN, 0, "demo::machine::run(void (*)(void*))", "run", false);
}

static void expect_nameless(unsigned row)
{
	const uint32_t *numbers;
	char expected[64];

	cr_assert_eq(frames_of(row, &numbers), 1);
	snprintf(expected, sizeof(expected), "libsample.so+0x%lx", (unsigned long)offset[row]);
	cr_expect_str_eq(ct_symbols_frame(symbols, *numbers)->function, expected);
	cr_expect_not(ct_symbols_frame(symbols, *numbers)->is_named);
	cr_expect_eq(ct_symbols_frame(symbols, *numbers)->line, 0);
}

static void expect_warning(const char *text)
{
	const char *const *lines;

	cr_assert_eq(ct_symbols_warnings(symbols, &lines), 1);
	cr_expect(strstr(lines[0], text), "%s", lines[0]);
	cr_expect_eq(strncmp(lines[0], library, strlen(library)), 0);
}

static void expect_no_warning(void)
{
	const char *const *lines;

	cr_expect_eq(ct_symbols_warnings(symbols, &lines), 0);
}

Test(symbols, inlined_frames_have_their_lines, .init = begin, .fini = end)
{
	make_trace(build_id);
	look_up(NULL);
	expect_all();
	expect_frame(HERE, 0, "sample_here", NULL, false);
	expect_no_warning();
	cr_expect_eq(ct_symbols_count(symbols), 6); /* middle and outer are the same in two */
}

Test(symbols, without_debug_information_come_from_the_symbol_table, .init = begin, .fini = end)
{
	run("strip -g '%s'%s", library, "");
	make_trace(build_id);
	look_up(NULL);
	expect_frame(INNER, 0, "int demo::outer<int>(void (*)(void*), int)", NULL, false);
	expect_frame(RUN, 0, "demo::machine::run(void (*)(void*))", NULL, false);
	expect_no_warning();
}

Test(symbols, of_stripped_files_are_offsets, .init = begin, .fini = end)
{
	run("strip -s '%s'%s", library, "");
	make_trace(build_id);
	look_up(NULL);
	for (unsigned row = 1; row <= PLACES; row++)
		expect_nameless(row);
}

/* DIRECTORY/.build-id/ab/cd….debug: beside the stripped file, and in its place. */
Test(symbols, separate_debug_files_are_found_by_build_id, .init = begin, .fini = end)
{
	char *debug;

	cr_assert_gt(asprintf(&debug, "%s/.build-id/%.2s", directory, build_id), 0);
	run("mkdir -p '%s'%s", debug, "");
	free(debug);
	cr_assert_gt(
	    asprintf(&debug, "%s/.build-id/%.2s/%s.debug", directory, build_id, build_id + 2), 0);
	run("objcopy --only-keep-debug '%s' '%s'", library, debug);
	run("strip -s '%s'%s", library, "");
	make_trace(build_id);
	look_up(directory);
	expect_all();
	expect_no_warning();
	run("rm '%s'%s", library, "");
	look_up(directory);
	expect_all();
	expect_no_warning();
	run("rm '%s'%s", debug, "");
	look_up(directory);
	expect_nameless(RUN);
	expect_warning("not there");
	free(debug);
}

Test(symbols, of_another_build_are_not_believed, .init = begin, .fini = end)
{
	build_id[0] = build_id[0] == 'f' ? '0' : 'f';
	make_trace(build_id);
	look_up(NULL);
	for (unsigned row = 1; row <= PLACES; row++)
		expect_nameless(row);
	expect_warning("build id");
}

Test(symbols, without_a_build_id_the_file_is_taken, .init = begin, .fini = end)
{
	make_trace("");
	look_up(NULL);
	expect_all();
	expect_no_warning();
}

Test(symbols, without_a_build_id_a_later_file_is_not, .init = begin, .fini = end)
{
	is_early = true;
	make_trace("");
	look_up(NULL);
	for (unsigned row = 1; row <= PLACES; row++)
		expect_nameless(row);
}

/* No caller that is not there yet, no module that no event reports, lost rows. */
Test(symbols, stacks_that_make_no_sense, .init = begin, .fini = end)
{
	const struct ct_row_stack senseless[] = {
	    {.offset = 16, .caller = 1},
	    {.offset = 32, .caller = 77},
	    {.offset = 48, .module = 9, .caller = 2},
	    {.caller = 0},
	    {.offset = UINT64_MAX, .module = 1},
	};
	struct build *b;
	const uint32_t *numbers;
	size_t rows;
	char *path;

	cr_assert_gt(asprintf(&path, "%s/t.ctrace", directory), 0);
	b = build_part(path, NULL);
	BUILD_EVENT(b, module, .module = 1, .path = build_string(b, library),
		    .build_id = build_string(b, "no digits"));
	cr_assert_eq(ct_writer_rows(b->writer, CT_TABLE_STACK, senseless, 5, NULL), 0);
	cr_assert_eq(build_close(b, NULL), 0);
	open_trace(path);
	free(path);
	look_up(NULL);
	for (unsigned row = 1; row <= 5; row++) {
		uint32_t node = node_of(row);

		cr_expect_lt(stacks.node[node].caller, node);
		cr_expect_eq(frames_of(row, &numbers), 1);
	}
	cr_expect_null(ct_stacks_part(&stacks, 1, &rows), "no such part");
	cr_expect_not_null(ct_stacks_part(&stacks, 0, &rows));
	cr_expect_eq(rows, 5);
	frames_of(1, &numbers);
	cr_expect_str_eq(ct_symbols_frame(symbols, *numbers)->function, "0x10");
	frames_of(3, &numbers);
	cr_expect_str_eq(ct_symbols_frame(symbols, *numbers)->function, "[unknown]");
}

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Each time other bytes of the file are others, a few or many; or it ends early. */
Test(symbols, damaged_files_name_nothing_or_something, .init = begin, .fini = end)
{
	char *slash = strrchr(library, '/');
	size_t bytes, damaged = 0;
	char *whole = fixture_read(directory, slash + 1, &bytes);
	char *copy = malloc(bytes);

	make_trace("");
	for (unsigned seed = 0; seed < 300; seed++) {
		size_t cut = seed % 8 ? bytes : draw(bytes);
		const char *const *lines;
		const uint32_t *numbers;

		memcpy(copy, whole, bytes);
		for (uint64_t i = 0, flips = (uint64_t)1 << draw(12); i < flips; i++)
			copy[draw(seed % 4 ? bytes : 1024)] ^= (char)(1u << draw(8));
		fixture_write(directory, slash + 1, copy, cut);
		look_up(NULL);
		for (unsigned row = 1; row <= PLACES; row++)
			cr_expect_gt(frames_of(row, &numbers), 0);
		if (ct_symbols_warnings(symbols, &lines) && strstr(lines[0], "is damaged"))
			damaged++;
	}
	cr_log_info("the reader of debug information ended %zu times", damaged);
	free(copy);
	free(whole);
}

static int hear_nothing(void *user, const char *text, size_t bytes)
{
	(void)user, (void)text, (void)bytes;
	return 0;
}

static int count_place(void *user, size_t index, const struct ct_answer_frame *frames,
		       uint32_t count)
{
	(void)index, (void)frames, (void)count;
	++*(size_t *)user;
	return 0;
}

/* Its questions lie in memory that it may not read. */
Test(symbols, a_process_that_crashes_is_outlived, .init = begin, .fini = end)
{
	const struct ct_code_file file = {.path = library, .build_id = ""};
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct ct_question question = {
	    .file = &file, .offset = hole, .count = 3, .debug_path = ""};
	size_t places = 0;
	struct ct_asking asking = {
	    .question = &question,
	    .seconds = 5,
	    .text = hear_nothing,
	    .place = count_place,
	    .user = &places,
	};

	make_trace("");
	cr_redirect_stderr(); /* a sanitizer reports it */
	cr_expect_eq(ct_ask(&asking), 1);
	cr_expect_eq(asking.answered, 0);
	cr_expect_eq(places, 0);
	munmap(hole, 4096);
}
