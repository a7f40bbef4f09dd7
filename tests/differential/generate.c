/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generate SEED DIRECTORY [SNIPPETS [ONLY...]]
 * A CUDA program (program.cu, of some seeds second.cu and plain.cpp), the options that it is
 * compiled with (options, a word a line), and what it prints (expected). The same seed gives the
 * same; ONLY, numbers of snippets or names of families, leaves out all others.
 */
#include "tests/differential/expression.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char prelude[] = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include "
			      "<string>\n#include <type_traits>\n#include <utility>\n"
			      "#if __cplusplus >= 202002L\n#include <concepts>\n#endif\n";
static const char common[] =
    "typedef unsigned long long u64;\n"
    "#define SHOW_(...) #__VA_ARGS__\n#define SHOW(...) SHOW_(__VA_ARGS__)\n"
    "static __device__ __forceinline__ u64 same(float x)\n{\n\treturn x != x ? 0x7fffffffu : "
    "__float_as_uint(x);\n}\n"
    "static __device__ __forceinline__ u64 same(double x)\n{\n\treturn x != x ? "
    "0x7ff8000000000000ull : (u64)__double_as_longlong(x);\n}\n"
    "struct Pair {\n\tshort s;\n\tu64 l;\n};\n"
    "static __device__ __noinline__ Pair pair_swap(Pair p)\n{\n\treturn Pair{(short)p.l, "
    "(u64)(long long)p.s};\n}\n"
    "static __device__ __forceinline__ u64 pair_sum(Pair p)\n{\n\treturn (u64)(long long)p.s * 7 + "
    "p.l;\n}\n";
static const char ending[] =
    "int main(int argc, char **argv)\n{\n\tu64 *o = nullptr, *in = nullptr;\n"
    "\tfor (const Case &c : cases)\n\t\tif (c.host)\n\t\t\tc.run(o, in);\n"
    "\tif (argc > 1 && !strcmp(argv[1], \"host\"))\n\t\treturn 0;\n"
    "\tcudaMalloc(&o, sizeof(results));\n\tcudaMalloc(&in, sizeof(inputs));\n"
    "\tcudaMemcpy(in, inputs, sizeof(inputs), cudaMemcpyHostToDevice);\n"
    "\tfor (const Case &c : cases) {\n\t\tif (c.host)\n\t\t\tcontinue;\n\t\tcudaMemset(o, 0, "
    "sizeof(results));\n\t\tc.run(o, in);\n"
    "\t\tcudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();\n"
    "\t\tif (launched || ended)\n\t\t\tprintf(\"%d %s error: %s, %s\\n\", c.number, c.family, "
    "cudaGetErrorName(launched), cudaGetErrorName(ended));\n"
    "\t\tcudaMemcpy(results, o, sizeof(results), cudaMemcpyDeviceToHost);\n"
    "\t\tfor (int row = 0; row < c.rows; row++) {\n\t\t\tprintf(\"%d.%d %s\", c.number, row, "
    "c.family);\n"
    "\t\t\tfor (int lane = 0; lane < 32; lane++)\n\t\t\t\tprintf(\" %llx\", results[row * 32 + "
    "lane]);\n\t\t\tprintf(\"\\n\");\n\t\t}\n\t\tfflush(stdout);\n\t}\n}\n";

/* Numbers at the ends of types among others; floats of each kind. */
static void choose_inputs(struct program *program)
{
	static const uint64_t some[] = {0,
					1,
					2,
					31,
					32,
					33,
					63,
					64,
					0x7f,
					0x80,
					0xff,
					0x7fff,
					0x8000,
					0xffff,
					0x7fffffff,
					0x80000000,
					0xffffffff,
					0x7fffffffffffffff,
					0x8000000000000000,
					0xffffffffffffffff,
					0x0123456789abcdef};
	static const uint32_t floats[] = {
	    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000,
	    0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f7fffff, 0xff7fffff,
	    0x4f000000, 0xcf000000, 0x4effffff, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f000000,
	    0x3fc00000, 0xc0200000, 0x477fe000, 0x477ff000, 0x33800000, 0x33000000, 0x387fc000};
	static const uint64_t doubles[] = {0,
					   0x8000000000000000,
					   1,
					   0x000fffffffffffff,
					   0x0010000000000000,
					   0x3ff0000000000000,
					   0xbff0000000000000,
					   0x7ff0000000000000,
					   0xfff0000000000000,
					   0x7ff8000000000000,
					   0x7fefffffffffffff,
					   0x41dfffffffc00000,
					   0x41e0000000000000,
					   0xc1e0000000000000,
					   0x41efffffffe00000,
					   0x43e0000000000000,
					   0xc3e0000000000000,
					   0x43f0000000000000,
					   0x47efffffe0000000,
					   0x47effffff0000000,
					   0x3810000000000000,
					   0x36a0000000000000,
					   0x3690000000000000,
					   0x3fe0000000000000,
					   0xc004000000000000,
					   0x43dfffffffffffff};
	struct random *random = &program->random;

	for (unsigned i = 0; i < INPUTS; i++) {
		uint64_t draw = random_draw(random), narrow = random_draw(random) % 41 - 20;
		unsigned kind = random_below(random, 4);

		program->inputs[i] = kind < 2    ? some[draw % (sizeof(some) / 8)]
				     : kind == 2 ? draw
						 : narrow;
		draw = random_draw(random);
		program->inputs[INPUTS + i] = kind < 2    ? floats[draw % (sizeof(floats) / 4)]
					      : kind == 2 ? draw & 0xffffffff
							  : (draw & 0x83ffffff) | 0x3e000000;
		program->inputs[2 * INPUTS + i] =
		    kind < 2    ? doubles[draw % (sizeof(doubles) / 8)]
		    : kind == 2 ? draw
				: (draw & 0x83ffffffffffffff) | 0x3e00000000000000;
	}
}

static const struct family *choose_family(struct program *program, struct random *random)
{
	unsigned total = 0, drawn;

	for (unsigned i = 0; i < families_count; i++)
		if (program->seed >= families[i].since)
			total += families[i].weight;
	drawn = random_below(random, total);
	for (unsigned i = 0;; i++) {
		if (program->seed < families[i].since)
			continue;
		if (drawn < families[i].weight)
			return &families[i];
		drawn -= families[i].weight;
	}
}

/* A line for each row; ? in lanes whose value is not known. */
static void put_expected(struct snippet *s)
{
	for (int row = 0; row < s->rows; row++) {
		text_print(&s->program->expected, "%d.%d %s", s->number, row, s->family);
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (s->known[row] && !(s->unknown[row] >> lane & 1))
				text_print(&s->program->expected, " %llx",
					   (unsigned long long)s->expected[row][lane]);
			else
				text_print(&s->program->expected, " ?");
		}
		text_print(&s->program->expected, "\n");
	}
}

/* only: NULL, or words of which one must be the snippet's number or its family. */
static bool is_wanted(char **only, int number, const char *family)
{
	if (!*only)
		return true;
	for (; *only; only++)
		if (!strcmp(*only, family) || !strcmp(*only, say("%d", number)))
			return true;
	return false;
}

static void put_snippet(struct program *program, int number, char **only)
{
	struct snippet s = {.program = program, .number = number};
	const struct family *family;

	random_start(&s.random, program->seed, (uint64_t)number + 1);
	family = choose_family(program, &s.random);
	s.family = family->name;
	if (!is_wanted(only, number, s.family))
		return;
	family->make(&s);
	text_print(&program->top, "\n/* %d: %s */\n%s", number, s.family,
		   s.top.data ? s.top.data : "");
	text_print(&program->top, "static void run%d(u64 *o, const u64 *in)\n{\n%s}\n", number,
		   s.run.data);
	text_print(&program->table, "\t{%d, \"%s\", run%d, %d, %s},\n", number, s.family, number,
		   s.rows, s.host ? "true" : "false");
	if (s.second.data)
		text_print(&program->second, "%s", s.second.data);
	if (s.plain.data)
		text_print(&program->plain, "%s", s.plain.data);
	put_expected(&s);
	text_free(&s.top);
	text_free(&s.run);
	text_free(&s.second);
	text_free(&s.plain);
	say_free();
}

static FILE *create(const char *directory, const char *name)
{
	char *path = say("%s/%s", directory, name);
	FILE *file = fopen(path, "w");

	if (!file) {
		fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	return file;
}

static void finish(FILE *file)
{
	if (fclose(file) != 0) {
		fprintf(stderr, "generate: %s\n", strerror(errno));
		exit(2);
	}
}

static void write_includes(const struct text *text, FILE *file)
{
	static const char *const wanted[][2] = {
	    {"half", "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"},
	    {"cuda::atomic", "#include <cuda/atomic>\n"},
	    {"cg::", "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"},
	    {"cg::reduce", "#include <cooperative_groups/reduce.h>\n"},
	    {"cg::inclusive_scan", "#include <cooperative_groups/scan.h>\n"}};

	fputs(prelude, file);
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (strstr(text->data, wanted[i][0]))
			fputs(wanted[i][1], file);
	fputs(common, file);
}

static void write_program(const struct program *program, const char *directory)
{
	FILE *file = create(directory, "program.cu");

	write_includes(&program->top, file);
	fputs(program->top.data, file);
	fprintf(file,
		"\nstruct Case {\n\tint number;\n\tconst char *family;\n\tvoid (*run)(u64 *, const "
		"u64 *);\n\tint rows;\n\tbool host;\n};\n"
		"static const Case cases[] = {\n%s};\nstatic u64 results[%d];\nstatic const u64 "
		"inputs[] = {",
		program->table.data, ROWS * LANES);
	for (unsigned i = 0; i < 3 * INPUTS; i++)
		fprintf(file, "%s0x%llx", i ? i % 8 ? ", " : ",\n\t" : "\n\t",
			(unsigned long long)program->inputs[i]);
	fprintf(file, "};\n%s", ending);
	finish(file);
	if (program->second.data) {
		file = create(directory, "second.cu");
		write_includes(&program->second, file);
		fputs(program->second.data, file);
		finish(file);
	}
	if (program->plain.data) {
		file = create(directory, "plain.cpp");
		fprintf(file, "#include <cuda_runtime.h>\ntypedef unsigned long long u64;\n%s",
			program->plain.data);
		finish(file);
	}
	file = create(directory, "options");
	fputs(program->options.data, file);
	finish(file);
	file = create(directory, "expected");
	fputs(program->expected.data ? program->expected.data : "", file);
	finish(file);
	say_free();
}

int main(int argc, char **argv)
{
	struct program program = {0};
	int count = argc > 3 ? atoi(argv[3]) : 48;

	if (argc < 3 || count < 1) {
		fputs("usage: generate SEED DIRECTORY [SNIPPETS [ONLY...]]\n", stderr);
		return 2;
	}
	program.seed = strtoull(argv[1], NULL, 0);
	random_start(&program.random, program.seed, 0);
	choose_options(&program);
	choose_inputs(&program);
	operation_flushes = program.flush;
	for (int i = 0; i < count; i++)
		put_snippet(&program, i, argv + (argc > 3 ? 4 : 3));
	if (mkdir(argv[2], 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "generate: %s: %s\n", argv[2], strerror(errno));
		return 2;
	}
	write_program(&program, argv[2]);
	return 0;
}
