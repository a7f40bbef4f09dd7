/* SPDX-License-Identifier: Apache-2.0 */
/* Ask a process of its own. */
#include "postproc/symbols/process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_BYTES ((rlim_t)8 << 30) /* that it may take besides what it begins with */

static rlim_t memory_now(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long long pages = 0;

	if (file && fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit(int resource, rlim_t most)
{
	const struct rlimit both = {most, most};

	(void)setrlimit(resource, &both);
}

/* The child leaves alone what it inherits of ours: no handler, no file of ours is to be tidied
 * up. */
static void become_answerer(const struct ct_asking *asking)
{
	static const int ours[] = {SIGINT, SIGTERM, SIGHUP};
	rlim_t memory = memory_now();

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		signal(ours[i], SIG_DFL);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, asking->seconds);
	if (memory)
		limit(RLIMIT_AS, memory + MEMORY_BYTES);
}

static void answer(const struct ct_asking *asking, int fd)
{
	FILE *out = fdopen(fd, "w");

	become_answerer(asking);
	_exit(out && ct_answer(asking->question, out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool take(FILE *in, void *to, size_t bytes)
{
	return fread(to, 1, bytes, in) == bytes;
}

static int take_text(struct ct_asking *asking, FILE *in, uint32_t bytes)
{
	char text[UINT16_MAX];

	if (bytes > sizeof(text) || !take(in, text, bytes))
		return 1;
	return asking->text(asking->user, text, bytes);
}

static int take_place(struct ct_asking *asking, FILE *in, uint32_t count)
{
	struct ct_answer_frame frames[CT_ANSWER_FRAMES_MAX];

	if (count > CT_ANSWER_FRAMES_MAX || asking->answered == asking->question->count ||
	    !take(in, frames, count * sizeof(*frames)))
		return 1;
	return asking->place(asking->user, asking->answered++, frames, count);
}

/* Answers of a process that has gone astray do not count. 1: it ended too early. */
static int take_answers(struct ct_asking *asking, FILE *in)
{
	uint32_t words[2];
	int err = 0;

	while (err == 0 && take(in, words, sizeof(words))) {
		if (words[0] == CT_ANSWER_TEXT)
			err = take_text(asking, in, words[1]);
		else if (words[0] == CT_ANSWER_PLACE)
			err = take_place(asking, in, words[1]);
		else if (words[0] == CT_ANSWER_END && asking->answered == asking->question->count) {
			asking->flags = words[1];
			return 0;
		} else
			return 1;
	}
	return err ? err : 1;
}

static void end(pid_t process)
{
	int status;

	kill(process, SIGKILL); /* it has said all, or what it says is not heard */
	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
}

int ct_ask(struct ct_asking *asking)
{
	int pipes[2], result;
	pid_t process;
	FILE *in;

	asking->answered = 0;
	asking->flags = 0;
	if (pipe2(pipes, O_CLOEXEC) != 0)
		return -errno;
	in = fdopen(pipes[0], "r");
	process = in ? fork() : -1;
	if (process == 0) {
		close(pipes[0]);
		answer(asking, pipes[1]);
	}
	result = process < 0 ? -errno : 0;
	close(pipes[1]);
	if (process > 0) {
		result = take_answers(asking, in);
		end(process);
	}
	if (in)
		fclose(in);
	else
		close(pipes[0]);
	return result;
}
