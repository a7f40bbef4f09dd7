/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of ptxas and nvlink. */
#include "driver/ptxas/run.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool ct_ptxas_run(const struct ct_args *args, FILE *messages)
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

bool ct_ptxas_compile(const struct ct_ptxas_request *request, const char *source, const char *cubin,
		      int registers, FILE *messages)
{
	const struct ct_args *ptxas = &request->ptxas;
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
	made = ct_ptxas_run(&compile, messages);
	ct_args_fini(&compile);
	return made;
}

bool ct_ptxas_link(const struct ct_ptxas_request *request, const struct ct_args *cubins,
		   FILE *messages)
{
	struct ct_args link = {0};
	bool made;

	ct_args_pushf(&link, "%s/nvlink", request->bin);
	ct_args_pushf(&link, "-arch=%s", request->arch);
	if (request->debug)
		ct_args_push(&link, "-g");
	ct_args_push_words(&link, cubins->words, cubins->count);
	ct_args_push(&link, "-o");
	ct_args_push(&link, request->output);
	made = !cubins->failed && ct_ptxas_run(&link, messages);
	ct_args_fini(&link);
	return made;
}
