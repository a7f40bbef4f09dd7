/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a generated program, in nvcc's words, one word a line. */
#include "tests/differential/program.h"
#include <string.h>

static void add(struct program *program, const char *word)
{
	text_print(&program->options, "%s\n", word);
}

static void choose_language(struct program *program)
{
	struct random *random = &program->random;

	program->standard = (const int[]){14, 17, 17, 20}[random_below(random, 4)];
	add(program,
	    say(random_chance(random, 50) ? "-std=c++%d" : "--std=c++%d", program->standard));
	if (program->standard < 17)
		add(program, "-DCCCL_IGNORE_DEPRECATED_CPP_DIALECT");
	program->lambdas = random_chance(random, 50);
	if (program->lambdas)
		add(program, WORD(random, "--extended-lambda", "-extended-lambda",
				  "--expt-extended-lambda"));
	if (random_chance(random, 30))
		add(program, "--expt-relaxed-constexpr");
	program->separate = random_chance(random, 30);
	if (program->separate)
		add(program, WORD(random, "-rdc=true", "--relocatable-device-code=true"));
	if (random_chance(random, 25)) {
		add(program, "-default-stream");
		add(program, WORD(random, "legacy", "per-thread"));
	}
}

static void choose_code(struct program *program)
{
	struct random *random = &program->random;
	const char *word;
	bool debugs;

	add(program, WORD(random, "-arch=sm_90", "-gencode=arch=compute_90,code=sm_90",
			  "-arch=compute_90\n-code=sm_90,compute_90"));
	if (random_chance(random, 80))
		add(program, WORD(random, "-O0", "-O1", "-O2", "-O3", "-O3"));
	debugs = random_chance(random, 12);
	if (debugs)
		add(program, "-G");
	if (random_chance(random, 20))
		add(program, WORD(random, "-lineinfo", "-g", "--generate-line-info"));
	switch (random_below(random, 8)) {
	case 0:
		add(program, WORD(random, "-use_fast_math", "--use_fast_math"));
		program->fast = program->flush = true;
		break;
	case 1:
		add(program, "-ftz=true");
		program->flush = true;
		break;
	case 2:
		add(program, WORD(random, "-fmad=false", "--fmad=false"));
		break;
	case 3:
		add(program, WORD(random, "-prec-div=false", "-prec-sqrt=false", "-prec-div=true"));
		break;
	default:
		break;
	}
	if (random_chance(random, 15))
		add(program,
		    WORD(random, "-maxrregcount=32", "-maxrregcount=64", "--maxrregcount\n40"));
	if (random_chance(random, 20)) {
		word = WORD(random, "-Xptxas\n-v", "-res-usage", "-Xptxas=-O2",
			    "-extra-device-vectorization", "-restrict", "-Xptxas\n-dlcm=ca", "-w",
			    "-diag-suppress=177", "-Wno-deprecated-gpu-targets", "-t2");
		/* ptxas refuses both. */
		if (!debugs || strcmp(word, "-Xptxas=-O2") != 0)
			add(program, word);
	}
	if (random_chance(random, 20))
		add(program,
		    WORD(random, "-Xcompiler\n-Wall", "-Xcompiler=-fno-strict-aliasing,-Wextra",
			 "-Xcompiler\n-ffast-math", "-Xcompiler\n-fPIC,-O1",
			 "-Xcompiler\n\"-Wno-unused -fwrapv\""));
}

/* Values of the command line's macros; those who read them show them as strings. */
static const struct {
	const char *word, *show;
} macros[] = {
    {"-DTEXT=\"3\"", "TEXT"},
    {"-DTEXT=\\\"1.0\\\"", "TEXT"},
    {"-DTEXT=\"a b, c\"", "TEXT"},
    {"-DTEXT=\"\"", "TEXT"},
    {"-DTEXT=\\\"\\\"", "TEXT"},
    {"-DTEXT=\"it's\"", "TEXT"},
    {"-DTEXT=\"a;b=c\"", "TEXT"},
    {"-DTEXT=\"$HOME\"", "TEXT"},
    {"-DTEXT=\"100%\"", "TEXT"},
    {"-DTEXT=R\"(a)\"", "TEXT"},
    {"-DTEXT=\"a\\tb\"", "TEXT"},
    {"-DTEXT=\"<a>&|\"", "TEXT"},
    {"-DTEXT=u8\"a\"", "(const char *)TEXT"},
    {"-DTEXT=\"x\" \"y\"", "TEXT"},
    {"-D\nTEXT=\"apart\"", "TEXT"},
    {"--define-macro=TEXT=\"long\"", "TEXT"},
    {"-DCHAR='c'", "std::string(1, CHAR).c_str()"},
    {"-DCHAR='\"'", "std::string(1, CHAR).c_str()"},
    {"-DCHAR=' '", "std::string(1, CHAR).c_str()"},
    {"-DLIST=1+2", "std::to_string(LIST).c_str()"},
    {"-DTWICE(q)=((q)*2)", "std::to_string(TWICE(4)).c_str()"},
    {"-DNONE=", "std::to_string(NONE 1).c_str()"},
    {"-DONE", "std::to_string(ONE).c_str()"},
    {"-DTYPE=unsigned long long", "std::to_string(sizeof(TYPE)).c_str()"},
    {"-DPATH_=/a/b.h", "SHOW(PATH_)"},
    {"-DINCLUDED=<cstdint>", "SHOW(INCLUDED)"},
    {"-DHEX=0x10u", "std::to_string(HEX).c_str()"},
    {"-DSUFFIX=3.0f", "std::to_string(SUFFIX).c_str()"},
};

static void choose_macros(struct program *program)
{
	struct random *random = &program->random;
	unsigned which = random_below(random, sizeof(macros) / sizeof(*macros));

	for (unsigned count = random_below(random, 4); count > 0; count--)
		add(program, WORD(random, "-DX=", "-DY=3", "-DZ=", "-DW=w", "-DM=17", "-DK=(1)",
				  "-Dseed=", "-DP=int", "-DQ=", "-DNDEBUG", "-DDEBUG=1",
				  "-DEPS=1e-6", "-DBLOCK=256", "-DV=", "-Dx1=", "-Dsize_=4",
				  "-DPI=3.14", "-DDIM=3", "-DI=", "-DJ=", "-DE="));
	text_print(&program->options, "%s\n", macros[which].word);
	text_print(&program->macros, "\tprintf(\"macro %%s\\n\", %s);\n", macros[which].show);
}

void choose_options(struct program *program)
{
	choose_language(program);
	choose_code(program);
	choose_macros(program);
}

void make_macro(struct snippet *s)
{
	s->host = true;
	text_print(&s->run, "%s", s->program->macros.data);
	RUN(s, "\tprintf(\"$ macro %ld %d\\n\", (long)__cplusplus, (int)sizeof(long double));\n"
	       "#ifdef NDEBUG\n\tprintf(\"$ NDEBUG\\n\");\n#endif\n#ifdef "
	       "__CUDACC_RDC__\n\tprintf(\"$ rdc\\n\");\n#endif\n"
	       "#ifdef __CUDACC_EXTENDED_LAMBDA__\n\tprintf(\"$ lambdas\\n\");\n#endif\n"
	       "#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM\n\tprintf(\"$ per thread\\n\");\n#endif\n"
	       "#ifdef __CUDACC_RELAXED_CONSTEXPR__\n\tprintf(\"$ relaxed\\n\");\n#endif\n");
}
