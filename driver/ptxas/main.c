/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ct-ptxas: what clang and cuda-trace-nvcc run as ptxas. It is ptxas, but for units of several
 * clones (llvm-pass/clone/placement.h) and those with calls through pointers. Either the runtime
 * has names by which its functions are compiled apart:
 *
 *   x.s --+-- ptxas -ewp ------------------------------> kernels ---+-- nvlink --> x.cubin
 *         +-- ptxas -c --device-function-maxrregcount=N --> apart --+
 *
 * or all of the unit is relocatable:
 *
 *   x.s -- ptxas -c --device-function-maxrregcount=N --> relocatable -- nvlink --> x.cubin
 *
 * ptxas compiles what a kernel calls once for each kernel, and relocatable code once; with -ewp it
 * leaves calls of external functions to the linker, and makes of all else what it does alone. Where
 * a step of this does not succeed it is ptxas alone that has the last word.
 *
 * The latter is done with units that call through pointers, whatever --ct-share is (make).
 *
 * Of units that the user has relocatable, functions get such a bound where they have to
 * (make_relocatable).
 *
 * --ct-bin=DIR, or CT_PTXAS_BIN in the environment, is where ptxas and nvlink are; all else is
 * ptxas' command line.
 */
#include "driver/base/process.h"
#include "driver/ptxas/addresses.h"
#include "driver/ptxas/split.h"
#include "driver/ptxas/text.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct request {
	const char *bin, *input, *output, *arch;
	bool relocatable, debug, bounds_registers;
};

/* What one run of ptxas makes, beside the output. */
struct part {
	char source[PATH_MAX], cubin[PATH_MAX];
};

/* The value of option name at words[*i], which may stand in the next word. */
static const char *value_of(char **words, int *i, const char *name)
{
	size_t bytes = strlen(name);

	if (strncmp(words[*i], name, bytes) != 0)
		return NULL;
	if (words[*i][bytes] == '=')
		return words[*i] + bytes + 1;
	return words[*i][bytes] == '\0' && words[*i + 1] ? words[++*i] : NULL;
}

static bool is_one_of(const char *word, const char *first, const char *second)
{
	return strcmp(word, first) == 0 || strcmp(word, second) == 0;
}

static bool ends_with(const char *word, const char *end)
{
	size_t bytes = strlen(word), tail = strlen(end);

	return bytes > tail && strcmp(word + bytes - tail, end) == 0;
}

/* What of the command line matters here; all but what is ours and the output goes to ptxas. */
static void read_line(struct request *request, char **words, struct ct_args *ptxas)
{
	for (int i = 0; words[i]; i++) {
		int first = i;
		const char *value;

		if ((value = value_of(words, &i, "--ct-bin"))) {
			request->bin = value;
			continue;
		}
		if ((value = value_of(words, &i, "--output-file")) ||
		    (value = value_of(words, &i, "-o"))) {
			request->output = value;
			continue;
		}
		if ((value = value_of(words, &i, "--gpu-name")) ||
		    (value = value_of(words, &i, "-arch")))
			request->arch = value;
		else if (is_one_of(words[i], "-c", "--compile-only"))
			request->relocatable = true;
		else if (is_one_of(words[i], "-g", "--device-debug"))
			request->debug = true;
		else if (strstr(words[i], "maxrregcount"))
			request->bounds_registers = true;
		else if (words[i][0] != '-' &&
			 (ends_with(words[i], ".s") || ends_with(words[i], ".ptx")))
			request->input = words[i];
		ct_args_push_words(ptxas, words + first, (size_t)(i - first + 1));
	}
}

/* Runs a tool whose messages go to this file. */
static bool succeeds(const struct ct_args *args, FILE *messages)
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t child;

	if (args->failed || posix_spawn_file_actions_init(&actions) != 0)
		return false;
	posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO);
	if (posix_spawn(&child, args->words[0], &actions, NULL, args->words, environ) != 0 ||
	    waitpid(child, &status, 0) < 0)
		status = -1;
	posix_spawn_file_actions_destroy(&actions);
	return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void show(FILE *messages)
{
	int c;

	rewind(messages);
	while ((c = getc(messages)) != EOF)
		putc(c, stderr);
}

static bool name_part(struct part *part, const struct request *request, const char *name)
{
	return snprintf(part->source, PATH_MAX, "%s.%s.ptx", request->output, name) < PATH_MAX &&
	       snprintf(part->cubin, PATH_MAX, "%s.%s.cubin", request->output, name) < PATH_MAX;
}

static void remove_part(const struct part *part)
{
	unlink(part->source);
	unlink(part->cubin);
}

/* registers: of functions in relocatable code; 0: with -ewp. */
static bool compile_part(const struct request *request, const struct ct_args *ptxas,
			 const char *source, const char *cubin, int registers, FILE *messages)
{
	struct ct_args compile = {0};
	bool made;

	for (size_t i = 0; i < ptxas->count; i++)
		ct_args_push(&compile, strcmp(ptxas->words[i], request->input) == 0
					   ? source
					   : ptxas->words[i]);
	ct_args_push(&compile, registers ? "-c" : "-ewp");
	if (registers)
		ct_args_pushf(&compile, "--device-function-maxrregcount=%d", registers);
	ct_args_push(&compile, "-o");
	ct_args_push(&compile, cubin);
	made = succeeds(&compile, messages);
	ct_args_fini(&compile);
	return made;
}

static bool link_parts(const struct request *request, const char *first, const char *second,
		       FILE *messages)
{
	struct ct_args link = {0};
	bool made;

	ct_args_pushf(&link, "%s/nvlink", request->bin);
	ct_args_pushf(&link, "-arch=%s", request->arch);
	if (request->debug)
		ct_args_push(&link, "-g");
	ct_args_push(&link, first);
	if (second)
		ct_args_push(&link, second);
	ct_args_push(&link, "-o");
	ct_args_push(&link, request->output);
	made = succeeds(&link, messages);
	ct_args_fini(&link);
	return made;
}

static bool make_shared(const struct request *request, const struct ct_args *ptxas, int registers,
			FILE *messages)
{
	struct part part;
	bool made;

	if (!name_part(&part, request, "part"))
		return false;
	made = compile_part(request, ptxas, request->input, part.cubin, registers, messages) &&
	       link_parts(request, part.cubin, NULL, messages);
	remove_part(&part);
	return made;
}

/* nvlink warns of whatever is linked with code made by -ewp but CUDA's own library, for what ptxas
 * knows of the program then is not all of it. Functions apart use no variables and no barriers, and
 * their registers are bounded; so its messages are not shown. */
static bool make_apart(const struct request *request, const struct ct_args *ptxas, int registers,
		       FILE *messages)
{
	FILE *unseen = tmpfile();
	struct part rest, apart;
	bool made = false;

	if (!unseen || !name_part(&rest, request, "rest") || !name_part(&apart, request, "apart"))
		goto out;
	made = ct_ptx_split(request->input, rest.source, apart.source) > 0 &&
	       compile_part(request, ptxas, rest.source, rest.cubin, 0, messages) &&
	       compile_part(request, ptxas, apart.source, apart.cubin, registers, unseen) &&
	       link_parts(request, rest.cubin, apart.cubin, unseen);
	remove_part(&rest);
	remove_part(&apart);
out:
	if (unseen)
		fclose(unseen);
	return made;
}

/* Calls through pointers: kernels have the registers of whatever function may be meant, clones
 * among them, and pristine ones would be launched with fewer threads than the program asks for. */
static bool make(const struct request *request, const struct ct_args *ptxas)
{
	struct ct_ptx_sharing sharing = {0};
	FILE *messages;
	bool made;

	if (ct_ptx_sharing(request->input, &sharing) < 0 || !sharing.clones ||
	    (sharing.kind == CT_PTX_ALONE && !sharing.points))
		return false;
	messages = tmpfile();
	if (!messages)
		return false;
	if (sharing.points)
		made = make_shared(request, ptxas, sharing.registers_of_all, messages);
	else if (sharing.kind == CT_PTX_APART)
		made = !request->debug && make_apart(request, ptxas, sharing.registers, messages);
	else
		made = make_shared(request, ptxas, sharing.registers, messages);
	if (made)
		show(messages);
	fclose(messages);
	return made;
}

/* ptxas as the user calls it; true if it succeeded. */
static bool compile_alone(const struct request *request, const struct ct_args *ptxas)
{
	struct ct_args compile = {0};
	FILE *messages = tmpfile();
	bool made;

	ct_args_push_words(&compile, ptxas->words, ptxas->count);
	ct_args_push(&compile, "-o");
	ct_args_push(&compile, request->output);
	made = messages && succeeds(&compile, messages);
	if (made)
		show(messages);
	if (messages)
		fclose(messages);
	ct_args_fini(&compile);
	return made;
}

/* Of a unit that the user has relocatable functions keep the registers that ptxas gives them, but
 * in two cases. What is called through a pointer may be any function whose address is taken, be it
 * in another unit than the call, and nvlink gives each kernel that calls so the registers of the
 * largest, clones of functions and all; blocks of 1024 threads, which the program may launch, have
 * to stay possible. (That only another unit takes the address of a function of this one is not
 * seen.) And ptxas refuses clones, which have to run with that many, if they call a function that
 * needs more registers. True if the unit is compiled; else ptxas has what is to be said to it. */
static bool make_relocatable(const struct request *request, struct ct_args *ptxas)
{
	struct ct_ptx_sharing sharing;

	if (!request->relocatable || request->bounds_registers || !request->input ||
	    !request->output || ct_ptx_sharing(request->input, &sharing) < 0)
		return false;
	if (!sharing.points && ct_ptx_takes_addresses(request->input) <= 0 &&
	    compile_alone(request, ptxas))
		return true;
	ct_args_pushf(ptxas, "--device-function-maxrregcount=%d",
		      sharing.clones ? sharing.registers_of_all : sharing.registers);
	return false;
}

static bool can_share(const struct request *request)
{
	char nvlink[PATH_MAX];

	return request->input && request->output && request->arch && !request->relocatable &&
	       !request->bounds_registers &&
	       snprintf(nvlink, sizeof(nvlink), "%s/nvlink", request->bin) < (int)sizeof(nvlink) &&
	       access(nvlink, X_OK) == 0;
}

int main(int argc, char **argv)
{
	struct request request = {0};
	struct ct_args ptxas = {0};
	int err;

	(void)argc;
	ct_args_push(&ptxas, "ptxas");
	read_line(&request, argv + 1, &ptxas);
	if (!request.bin)
		request.bin = getenv("CT_PTXAS_BIN");
	if (!request.bin) {
		fprintf(stderr, "ct-ptxas: --ct-bin=DIR is missing; cuda-trace-clang gives it\n");
		ct_args_fini(&ptxas);
		return 1;
	}
	if (!ptxas.failed) {
		free(ptxas.words[0]);
		ptxas.words[0] = NULL;
		if (asprintf(&ptxas.words[0], "%s/ptxas", request.bin) < 0)
			return 1;
	}
	if ((can_share(&request) && make(&request, &ptxas)) || make_relocatable(&request, &ptxas)) {
		ct_args_fini(&ptxas);
		return 0;
	}
	if (request.output) {
		ct_args_push(&ptxas, "-o");
		ct_args_push(&ptxas, request.output);
	}
	err = ct_process_exec(&ptxas);
	fprintf(stderr, "ct-ptxas: cannot run %s/ptxas: %s\n", request.bin, strerror(-err));
	return 1;
}
