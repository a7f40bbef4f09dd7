/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ct-ptxas: what clang and cuda-trace-nvcc run as ptxas. It is ptxas, but for units of several
 * clones (llvm-pass/clone/placement.h) and those with calls through pointers. Either the runtime
 * has names by which its functions are compiled apart:
 *
 *   x.s --+-- ptxas -ewp --------------------------------> kernels ---+-- nvlink --> x.cubin
 *         +-- ptxas -c --device-function-maxrregcount=N --> functions -+
 *             or, where they have been compiled before, the cache (apart.h)
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
#include "driver/ptxas/apart.h"
#include "driver/ptxas/run.h"
#include "driver/ptxas/split.h"
#include "driver/ptxas/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run of ptxas makes this, beside the output. */
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

/* Reads what matters here of the command line; all but what is ours and the output goes to ptxas.
 */
static void read_line(struct ct_ptxas_request *request, char **words)
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
		else if ((value = value_of(words, &i, "--maxrregcount")) ||
			 (value = value_of(words, &i, "-maxrregcount")))
			request->bounds_registers = true, request->registers = value;
		else if (strstr(words[i], "maxrregcount"))
			request->bounds_registers = true;
		else if (words[i][0] != '-' &&
			 (ends_with(words[i], ".s") || ends_with(words[i], ".ptx")))
			request->input = words[i];
		ct_args_push_words(&request->ptxas, words + first, (size_t)(i - first + 1));
	}
}

static void show(FILE *messages)
{
	int c;

	rewind(messages);
	while ((c = getc(messages)) != EOF)
		putc(c, stderr);
}

static bool name_part(struct part *part, const struct ct_ptxas_request *request, const char *name)
{
	return snprintf(part->source, PATH_MAX, "%s.%s.ptx", request->output, name) < PATH_MAX &&
	       snprintf(part->cubin, PATH_MAX, "%s.%s.cubin", request->output, name) < PATH_MAX;
}

static void remove_part(const struct part *part)
{
	unlink(part->source);
	unlink(part->cubin);
}

static bool make_shared(const struct ct_ptxas_request *request, int registers, FILE *messages)
{
	struct ct_args cubins = {0};
	struct part part;
	bool made;

	if (!name_part(&part, request, "part"))
		return false;
	ct_args_push(&cubins, part.cubin);
	made = ct_ptxas_compile(request, request->input, part.cubin, registers, messages) &&
	       ct_ptxas_link(request, &cubins, messages);
	remove_part(&part);
	ct_args_fini(&cubins);
	return made;
}

/* nvlink warns of whatever is linked with code made by -ewp but CUDA's own library, for what ptxas
 * knows of the program then is not all of it. Functions apart use no variables and no barriers, and
 * their registers are bounded; so its messages are not shown. */
static bool link_apart(const struct ct_ptxas_request *request,
		       const struct ct_ptx_functions *functions, int registers, const char *rest,
		       bool kept)
{
	struct ct_args cubins = {0};
	struct part apart;
	FILE *unseen;
	bool made;

	if (!name_part(&apart, request, "apart"))
		return false;
	unseen = tmpfile();
	made = unseen != NULL;
	ct_args_push(&cubins, rest);
	if (made && kept) {
		made = ct_apart_find(request, functions, registers, &cubins);
	} else if (made) {
		made = ct_apart_compile(request, functions, registers, apart.source, apart.cubin);
		ct_args_push(&cubins, apart.cubin);
	}
	made = made && ct_ptxas_link(request, &cubins, unseen);
	for (size_t i = 1; kept && !made && i < cubins.count; i++)
		unlink(cubins.words[i]); /* what is spoilt is made again next time */
	if (unseen)
		fclose(unseen);
	remove_part(&apart);
	ct_args_fini(&cubins);
	return made;
}

static bool make_apart(const struct ct_ptxas_request *request, int registers, FILE *messages)
{
	struct ct_ptx_functions functions = {0};
	struct part rest;
	bool made = false;

	if (!name_part(&rest, request, "rest"))
		return false;
	made = ct_ptx_split(request->input, rest.source, &functions) == 0 && functions.apart > 0 &&
	       ct_ptxas_compile(request, rest.source, rest.cubin, 0, messages) &&
	       (link_apart(request, &functions, registers, rest.cubin, true) ||
		link_apart(request, &functions, registers, rest.cubin, false));
	remove_part(&rest);
	ct_ptx_functions_fini(&functions);
	return made;
}

/* Calls through pointers: kernels have the registers of whatever function may be meant, clones
 * among them, and pristine ones would be launched with fewer threads than the program asks for. */
static bool make(const struct ct_ptxas_request *request)
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
		made = make_shared(request, sharing.registers_of_all, messages);
	else if (sharing.kind == CT_PTX_APART)
		made = !request->debug && make_apart(request, sharing.registers, messages);
	else
		made = make_shared(request, sharing.registers, messages);
	if (made)
		show(messages);
	fclose(messages);
	return made;
}

/* ptxas as the user calls it; true if it succeeded. */
static bool compile_alone(const struct ct_ptxas_request *request)
{
	struct ct_args compile = {0};
	FILE *messages = tmpfile();
	bool made;

	ct_args_push_words(&compile, request->ptxas.words, request->ptxas.count);
	ct_args_push(&compile, "-o");
	ct_args_push(&compile, request->output);
	made = messages && ct_ptxas_run(&compile, messages);
	if (made)
		show(messages);
	if (messages)
		fclose(messages);
	ct_args_fini(&compile);
	return made;
}

/* Relocatable functions of a user's unit keep the registers that ptxas gives them, but in three
 * cases. What is called through a pointer may be any function whose address is taken, be it in
 * another unit than the call, and nvlink gives each kernel that calls so the registers of the
 * largest, clones of functions and all; blocks of 1024 threads, which the program may launch,
 * have to stay possible. (That only another unit takes the address of a function of this one is
 * not seen.) And ptxas refuses clones, which have to run with that many, if they call a function
 * that needs more registers. The bound that the user gives is of kernels alone, and functions
 * that clones call may need more than it: they get it where ptxas refuses the unit without. True
 * if the unit is compiled; else ptxas has what is to be said to it. */
static bool make_relocatable(struct ct_ptxas_request *request)
{
	struct ct_ptx_sharing sharing;

	if (!request->relocatable || !request->input || !request->output ||
	    ct_ptx_sharing(request->input, &sharing) < 0)
		return false;
	if (request->bounds_registers) {
		int registers = request->registers ? atoi(request->registers) : 0;

		if (!sharing.clones || registers <= 0)
			return false;
		if (compile_alone(request))
			return true;
		ct_args_pushf(&request->ptxas, "--device-function-maxrregcount=%d",
			      registers < sharing.registers ? registers : sharing.registers);
		return false;
	}
	if (!sharing.points && ct_ptx_takes_addresses(request->input) <= 0 &&
	    compile_alone(request))
		return true;
	ct_args_pushf(&request->ptxas, "--device-function-maxrregcount=%d",
		      sharing.clones ? sharing.registers_of_all : sharing.registers);
	return false;
}

static bool can_share(const struct ct_ptxas_request *request)
{
	char nvlink[PATH_MAX];

	return request->input && request->output && request->arch && !request->relocatable &&
	       !request->bounds_registers &&
	       snprintf(nvlink, sizeof(nvlink), "%s/nvlink", request->bin) < (int)sizeof(nvlink) &&
	       access(nvlink, X_OK) == 0;
}

int main(int argc, char **argv)
{
	struct ct_ptxas_request request = {0};
	int err;

	(void)argc;
	ct_args_push(&request.ptxas, "ptxas");
	read_line(&request, argv + 1);
	if (!request.bin)
		request.bin = getenv("CT_PTXAS_BIN");
	if (!request.bin) {
		fprintf(stderr, "ct-ptxas: --ct-bin=DIR is missing; cuda-trace-clang gives it\n");
		ct_args_fini(&request.ptxas);
		return 1;
	}
	if (!request.ptxas.failed) {
		free(request.ptxas.words[0]);
		request.ptxas.words[0] = NULL;
		if (asprintf(&request.ptxas.words[0], "%s/ptxas", request.bin) < 0)
			return 1;
	}
	if ((can_share(&request) && make(&request)) || make_relocatable(&request)) {
		ct_args_fini(&request.ptxas);
		return 0;
	}
	if (request.output) {
		ct_args_push(&request.ptxas, "-o");
		ct_args_push(&request.ptxas, request.output);
	}
	err = ct_process_exec(&request.ptxas);
	fprintf(stderr, "ct-ptxas: cannot run %s/ptxas: %s\n", request.bin, strerror(-err));
	return 1;
}
