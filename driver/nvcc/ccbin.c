/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -ccbin: clang compiles for the host, whatever it names. Of MPI's wrappers of compilers, by which
 * builds say that they want MPI, the words are taken that they add: Open MPI and MPICH both print
 * them with -show.
 */
#include "driver/base/process.h"
#include "driver/nvcc/job.h"
#include "driver/nvcc/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *ask(const char *compiler)
{
	struct ct_args words = {0};
	char *line;

	ct_args_push(&words, compiler);
	ct_args_push(&words, "-show");
	line = ct_process_read(&words);
	ct_args_fini(&words);
	if (line)
		line[strcspn(line, "\n")] = '\0';
	return line;
}

static bool begins(const char *word, const char *prefix)
{
	return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* A compiler, by name or path, or a folder with one, as nvcc takes them. */
static bool is_there(const char *compiler)
{
	struct stat status;

	if (stat(compiler, &status) == 0 && S_ISDIR(status.st_mode))
		return true;
	return ct_process_can_run(compiler);
}

int ct_nvcc_ask_host_compiler(struct ct_nvcc_job *job)
{
	const char *compiler = job->request->host_compiler;
	const char *slash;
	struct ct_args words = {0};
	char *line;

	if (!compiler)
		compiler = getenv("NVCC_CCBIN");
	if (!compiler)
		return 0;
	if (!is_there(compiler))
		return ct_nvcc_error(job->request, "host compiler '%s' not found", compiler);
	slash = strrchr(compiler, '/');
	if (!begins(slash ? slash + 1 : compiler, "mpi"))
		return 0;
	line = ask(compiler);
	if (!line) {
		ct_nvcc_warn(job->request,
			     "-ccbin %s: does not say its options with -show; its "
			     "headers and libraries are not used",
			     compiler);
		return 0;
	}
	ct_nvcc_words_of_shell(&words, line);
	for (size_t i = 1; i < words.count; i++) {
		if (begins(words.words[i], "-I") || begins(words.words[i], "-D"))
			ct_args_push(&job->host_compile, words.words[i]);
		else
			ct_args_push(&job->host_link, words.words[i]);
	}
	ct_args_fini(&words);
	free(line);
	return 0;
}
