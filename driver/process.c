/* SPDX-License-Identifier: Apache-2.0 */
/* Run child processes: signals, exit status, captured diagnostics. */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define ENDING_SIGNALS (sizeof(ending_signals) / sizeof(ending_signals[0]))

static volatile sig_atomic_t received;
static volatile sig_atomic_t child;

static void pass_on(int number)
{
	int saved = errno;

	received = number;
	if (child > 0)
		kill(child, number);
	errno = saved;
}

void ct_process_init(void)
{
	struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ENDING_SIGNALS; i++)
		if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &action, NULL);
}

int ct_process_signal(void)
{
	return received;
}

static void block_ending(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ENDING_SIGNALS; i++)
		sigaddset(&set, ending_signals[i]);
	sigprocmask(how, &set, NULL);
}

/* In the child: what we catch goes back to its default on exec by itself. */
static void start(const struct ct_args *args, int stderr_fd)
{
	int err;

	if (stderr_fd >= 0)
		dup2(stderr_fd, STDERR_FILENO);
	block_ending(SIG_UNBLOCK);
	execvp(args->words[0], args->words);
	err = errno;
	fprintf(stderr, "%s: %s\n", args->words[0], strerror(err));
	_exit(err == ENOENT ? 127 : 126);
}

static void keep(struct ct_capture *capture, const char *text, size_t bytes)
{
	char *more;

	if (capture->bytes + bytes > CT_CAPTURE_MAX)
		bytes = CT_CAPTURE_MAX - capture->bytes;
	more = realloc(capture->text, capture->bytes + bytes + 1);
	if (!more)
		return;
	memcpy(more + capture->bytes, text, bytes);
	capture->text = more;
	capture->bytes += bytes;
	capture->text[capture->bytes] = '\0';
}

static void pass_through(int fd, struct ct_capture *capture)
{
	char block[4096];
	ssize_t bytes;

	while ((bytes = read(fd, block, sizeof(block))) > 0 || (bytes < 0 && errno == EINTR)) {
		if (bytes < 0)
			continue;
		fwrite(block, 1, (size_t)bytes, stderr);
		keep(capture, block, (size_t)bytes);
	}
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? CT_STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int ct_process_run(const struct ct_args *args, struct ct_capture *capture)
{
	int pipes[2] = {-1, -1};
	pid_t pid;
	int status;

	if (args->failed)
		return -ENOMEM;
	if (capture && pipe(pipes) < 0)
		return -errno;
	fflush(NULL);
	block_ending(SIG_BLOCK); /* none may arrive between fork and the note of its pid */
	pid = received ? -1 : fork();
	if (pid == 0) {
		if (capture)
			close(pipes[0]);
		start(args, pipes[1]);
	}
	status = pid < 0 ? (received ? -EINTR : -errno) : 0;
	child = pid > 0 ? pid : 0;
	block_ending(SIG_UNBLOCK);
	if (capture) {
		close(pipes[1]);
		if (pid > 0)
			pass_through(pipes[0], capture);
		close(pipes[0]);
	}
	if (pid > 0)
		status = wait_for(pid);
	child = 0;
	return status;
}

int ct_process_exec(const struct ct_args *args)
{
	if (args->failed)
		return -ENOMEM;
	fflush(NULL);
	execvp(args->words[0], args->words);
	return -errno;
}

int ct_process_end(int status)
{
	const struct rlimit no_core = {0, 0};
	int number = received                     ? received
		     : status >= CT_STATUS_SIGNAL ? status - CT_STATUS_SIGNAL
						  : 0;

	if (!number)
		return status;
	setrlimit(RLIMIT_CORE, &no_core); /* the child's is the one of interest */
	signal(number, SIG_DFL);
	raise(number);
	return 128 + number; /* a signal that does not end a process */
}
