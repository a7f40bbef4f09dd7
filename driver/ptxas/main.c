/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ct-ptxas: what clang and cuda-trace-nvcc run as ptxas. It is ptxas, but for units whose clones
 * share the device runtime (llvm-pass/clone/placement.h):
 *
 *   x.s -- ptxas -c --device-function-maxrregcount=N --> relocatable -- nvlink --> x.cubin
 *
 * ptxas compiles what a kernel calls once for each kernel, and relocatable code once. Where a step
 * of this does not succeed it is ptxas alone that has the last word.
 *
 * --ct-bin=DIR is where ptxas and nvlink are; all else is ptxas' command line.
 */
#include "driver/base/process.h"
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

/* The two steps, with that many registers for what clones share. */
static bool make_shared(const struct request *request, const struct ct_args *ptxas, int registers)
{
	struct ct_args compile = {0}, link = {0};
	char part[PATH_MAX];
	FILE *messages = tmpfile();
	bool made = false;

	if (!messages ||
	    snprintf(part, sizeof(part), "%s.part.cubin", request->output) >= (int)sizeof(part))
		goto out;
	ct_args_push_words(&compile, ptxas->words, ptxas->count);
	ct_args_push(&compile, "-c");
	ct_args_pushf(&compile, "--device-function-maxrregcount=%d", registers);
	ct_args_push(&compile, "-o");
	ct_args_push(&compile, part);
	ct_args_pushf(&link, "%s/nvlink", request->bin);
	ct_args_pushf(&link, "-arch=%s", request->arch);
	if (request->debug)
		ct_args_push(&link, "-g");
	ct_args_push(&link, part);
	ct_args_push(&link, "-o");
	ct_args_push(&link, request->output);
	made = succeeds(&compile, messages) && succeeds(&link, messages);
	unlink(part);
	if (made)
		show(messages);
out:
	if (messages)
		fclose(messages);
	ct_args_fini(&compile);
	ct_args_fini(&link);
	return made;
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
	int registers, err;

	(void)argc;
	ct_args_push(&ptxas, "ptxas");
	read_line(&request, argv + 1, &ptxas);
	if (!request.bin) {
		fprintf(stderr, "ct-ptxas: --ct-bin=DIR is missing; cuda-trace-clang gives it\n");
		return 1;
	}
	if (!ptxas.failed) {
		free(ptxas.words[0]);
		ptxas.words[0] = NULL;
		if (asprintf(&ptxas.words[0], "%s/ptxas", request.bin) < 0)
			return 1;
	}
	registers = can_share(&request) ? ct_ptx_shared_registers(request.input) : 0;
	if (registers > 0 && make_shared(&request, &ptxas, registers))
		return 0;
	if (request.output) {
		ct_args_push(&ptxas, "-o");
		ct_args_push(&ptxas, request.output);
	}
	err = ct_process_exec(&ptxas);
	fprintf(stderr, "ct-ptxas: cannot run %s/ptxas: %s\n", request.bin, strerror(-err));
	return 1;
}
