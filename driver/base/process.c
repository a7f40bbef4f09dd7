/* SPDX-License-Identifier: Apache-2.0 */
/* Run child processes: signals, exit status, captured diagnostics. */
#include "driver/base/process.h"
#include "base/descriptor.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
#define CAUGHT_COUNT (sizeof(caught) / sizeof(caught[0]))

#define INTERPRETERS_MAX                                                                           \
	4u /* of scripts that are interpreters themselves, as the kernel has it                    \
	    */

static volatile sig_atomic_t received;
static volatile sig_atomic_t child;

static void pass_on(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	received = number;
	if (child > 0 && info->si_code != SI_KERNEL)
		kill(child, number);
	errno = saved;
}

void ct_process_init(void)
{
	struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
	struct sigaction old;

	ct_descriptor_fill_standard();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
}

int ct_process_signal(void)
{
	return received;
}

static void block_caught(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < CAUGHT_COUNT; i++)
		sigaddset(&set, caught[i]);
	sigprocmask(how, &set, NULL);
}

/* Descriptors that stand for the child's own; -1: it has ours. */
struct streams {
	int out, error;
};

/* In the child: what we catch goes back to its default on exec by itself. A
 * failed exec is reported through failure_fd, which a successful one closes. */
static void start(const struct ct_args *args, const struct streams *streams, int failure_fd)
{
	int err;

	if (streams->out >= 0)
		dup2(streams->out, STDOUT_FILENO);
	if (streams->error >= 0)
		dup2(streams->error, STDERR_FILENO);
	block_caught(SIG_UNBLOCK);
	execvp(args->words[0], args->words);
	err = errno;
	while (write(failure_fd, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	_exit(127);
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
		if (!capture->held)
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

static void close_pipe(int pipe[2])
{
	for (int i = 0; i < 2; i++)
		if (pipe[i] >= 0)
			close(pipe[i]);
	pipe[0] = pipe[1] = -1;
}

/* Fork and exec. Returns the child's pid or -errno. */
static pid_t spawn(const struct ct_args *args, const struct streams *streams, int failure[2])
{
	pid_t pid;

	fflush(NULL);
	block_caught(SIG_BLOCK); /* none may arrive between fork and the note of its pid */
	pid = received ? -EINTR : fork();
	if (pid == 0)
		start(args, streams, failure[1]);
	if (pid == -1)
		pid = -errno;
	child = pid > 0 ? pid : 0;
	block_caught(SIG_UNBLOCK);
	return pid;
}

/* Returns what start() reported: -errno, or 0 after a successful exec. */
static int start_failure(int fd)
{
	ssize_t bytes;
	int err = 0;

	do
		bytes = read(fd, &err, sizeof(err));
	while (bytes < 0 && errno == EINTR);
	return bytes == sizeof(err) ? -err : 0;
}

static int run(const struct ct_args *args, struct ct_capture *capture, int stdout_fd)
{
	int messages[2] = {-1, -1}, failure[2] = {-1, -1};
	int status = 0, err;
	pid_t pid;

	if (args->failed)
		return -ENOMEM;
	if (pipe2(failure, O_CLOEXEC) < 0 || (capture && pipe2(messages, O_CLOEXEC) < 0)) {
		status = -errno;
		goto close_pipes;
	}
	pid = spawn(args, &(struct streams){stdout_fd, messages[1]}, failure);
	if (pid < 0) {
		status = pid;
		goto close_pipes;
	}
	close(failure[1]);
	failure[1] = -1;
	err = start_failure(failure[0]);
	if (capture) {
		close(messages[1]);
		messages[1] = -1;
		pass_through(messages[0], capture);
	}
	status = wait_for(pid);
	child = 0;
	if (err < 0)
		status = err;

close_pipes:
	close_pipe(failure);
	close_pipe(messages);
	return status;
}

int ct_process_run(const struct ct_args *args, struct ct_capture *capture)
{
	return run(args, capture, -1);
}

int ct_process_run_anyway(const struct ct_args *args)
{
	int before = received, status;

	received = 0;
	status = ct_process_run(args, NULL);
	if (!received)
		received = before;
	return status;
}

int ct_process_run_to(const struct ct_args *args, int stdout_fd)
{
	return run(args, NULL, stdout_fd);
}

char *ct_process_read(const struct ct_args *args)
{
	char *quoted = args->failed ? NULL : ct_args_quote(args);
	char *command = NULL, *text = NULL;
	FILE *pipe = NULL;
	size_t bytes = 0;

	if (quoted && asprintf(&command, "%s 2>/dev/null", quoted) >= 0)
		pipe = popen(command, "r");
	if (pipe && getdelim(&text, &bytes, '\0', pipe) <= 0) {
		free(text);
		text = NULL;
	}
	if (pipe)
		pclose(pipe);
	free(command);
	free(quoted);
	return text;
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

/* The interpreter that the first line of a script names; "" if it names none. */
static void find_interpreter(const char *path, char interpreter[PATH_MAX])
{
	char line[PATH_MAX + 2] = "", *name = line + 2;
	FILE *file = fopen(path, "re");

	*interpreter = '\0';
	if (file && fgets(line, sizeof(line), file) && line[0] == '#' && line[1] == '!') {
		name += strspn(name, " \t");
		name[strcspn(name, " \t\n")] = '\0';
		snprintf(interpreter, PATH_MAX, "%s", name);
	}
	if (file)
		fclose(file);
}

/* The interpreter that an ELF file names; "" if it is none, or names none. */
static void find_loader(const char *path, char interpreter[PATH_MAX])
{
	FILE *file = fopen(path, "re");
	Elf64_Ehdr header = {.e_phnum = 0};
	Elf64_Phdr part;

	*interpreter = '\0';
	if (!file || fread(&header, sizeof(header), 1, file) != 1 ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(part))
		header.e_phnum = 0;
	for (unsigned i = 0; i < header.e_phnum && !*interpreter; i++) {
		if (fseek(file, (long)(header.e_phoff + i * sizeof(part)), SEEK_SET) != 0 ||
		    fread(&part, sizeof(part), 1, file) != 1)
			break;
		if (part.p_type == PT_INTERP && part.p_filesz < PATH_MAX &&
		    (fseek(file, (long)part.p_offset, SEEK_SET) != 0 ||
		     fread(interpreter, 1, part.p_filesz, file) != part.p_filesz))
			*interpreter = '\0';
	}
	if (file)
		fclose(file);
}

/* A file that may be executed, and whose interpreters are there. */
static bool is_program(const char *path, unsigned depth)
{
	char interpreter[PATH_MAX];
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode) || access(path, X_OK) < 0)
		return false;
	find_interpreter(path, interpreter);
	if (!*interpreter)
		find_loader(path, interpreter);
	return !*interpreter || depth == 0 || is_program(interpreter, depth - 1);
}

int ct_process_find(const char *name, char file[PATH_MAX])
{
	const char *path = getenv("PATH");
	char *list, *directory, *rest;
	bool found = false;

	if (strchr(name, '/'))
		return snprintf(file, PATH_MAX, "%s", name) < PATH_MAX &&
			       is_program(file, INTERPRETERS_MAX)
			   ? 0
			   : -ENOENT;
	list = strdup(path ? path : "/bin:/usr/bin");
	for (rest = list; list && !found && (directory = strsep(&rest, ":"));)
		found = snprintf(file, PATH_MAX, "%s/%s", *directory ? directory : ".", name) <
			    PATH_MAX &&
			is_program(file, INTERPRETERS_MAX);
	free(list);
	return found ? 0 : -ENOENT;
}

bool ct_process_can_run(const char *name)
{
	char file[PATH_MAX];

	return ct_process_find(name, file) == 0;
}
