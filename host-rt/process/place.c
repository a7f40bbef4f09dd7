/* SPDX-License-Identifier: Apache-2.0 */
/* Where this process writes its trace: the directory, and which parts of it. */
#include "host-rt/process/place.h"
#include "host-rt/events/events.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMAND_BYTES_MAX (64u << 10)

static struct stat root_at_load; /* all 0: not known */

__attribute__((constructor)) static void remember_root(void)
{
	if (stat("/", &root_at_load) < 0)
		memset(&root_at_load, 0, sizeof(root_at_load));
}

bool ct_process_place_has_moved(void)
{
	struct stat now;

	return root_at_load.st_ino && stat("/", &now) == 0 &&
	       (now.st_ino != root_at_load.st_ino || now.st_dev != root_at_load.st_dev);
}

static const char *environment(const char *name)
{
	return secure_getenv(name);
}

/* Without ctrun a forked child cannot know whether its parent empties the directory: it writes
 * beside it. Hosts may share a working directory and have the same process ids, ranks are apart. */
static void name_directory(struct ct_process_place *place, const char *output, bool ready,
			   bool forked)
{
	char *name = place->directory;
	long pid = getpid();

	if (!*output && place->rank.rank != CT_NO_RANK)
		snprintf(name, CT_PLACE_BYTES, "%s.%u.%ld.ctrace", program_invocation_short_name,
			 place->rank.rank, pid);
	else if (!*output)
		snprintf(name, CT_PLACE_BYTES, "%s.%ld.ctrace", program_invocation_short_name, pid);
	else if (ready || !forked)
		snprintf(name, CT_PLACE_BYTES, "%s", output);
	else
		snprintf(name, CT_PLACE_BYTES, "%s.%ld", output, pid);
}

/* CUDATRACE_RUN is "<run>:<directory>". Returns true if it is about output. */
static bool read_run(struct ct_process_place *place, const char *output)
{
	const char *text = secure_getenv("CUDATRACE_RUN");
	size_t bytes = text ? strcspn(text, ":") : 0;

	if (!text || text[bytes] != ':' || bytes >= CT_JOB_BYTES ||
	    strcmp(text + bytes + 1, output) != 0)
		return false;
	memcpy(place->run, text, bytes);
	place->run[bytes] = '\0';
	return true;
}

/* A directory that cannot be opened or emptied is reported by whoever opens the trace. */
static void empty_directory(const struct ct_process_place *place)
{
	int fd = ct_directory_open(place->directory);

	if (fd < 0)
		return;
	ct_directory_clear_rank(fd, &place->rank);
	close(fd);
}

void ct_process_place_find(struct ct_process_place *place, const char *output, bool forked)
{
	bool ready;

	memset(place, 0, sizeof(*place));
	place->rank = ct_rank_find(environment);
	ready = *output && read_run(place, output);
	name_directory(place, output, ready, forked);
	place->numbers = ct_directory_numbers(&place->rank);
	if (ready)
		return;
	snprintf(place->run, sizeof(place->run), "%s", place->rank.job);
	empty_directory(place);
}

/* Words of the command line with spaces between them. */
static uint32_t command_line(void)
{
	char *words = calloc(1, COMMAND_BYTES_MAX);
	FILE *file = words ? fopen("/proc/self/cmdline", "re") : NULL;
	size_t bytes = file ? fread(words, 1, COMMAND_BYTES_MAX - 1, file) : 0;
	uint32_t id = 0;

	while (bytes && !words[bytes - 1])
		bytes--;
	for (size_t i = 0; i < bytes; i++)
		if (!words[i])
			words[i] = ' ';
	if (words)
		id = ct_events_string(words);
	if (file)
		fclose(file);
	free(words);
	return id;
}

void ct_process_place_announce(const struct ct_process_place *place)
{
	struct ct_event_process event = {
	    .pid = (uint64_t)getpid(),
	    .parent = (uint64_t)getppid(),
	    .rank = place->rank.rank,
	    .ranks = place->rank.ranks,
	};
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	event.host = ct_events_string(host);
	event.program = command_line();
	ct_events_write(ct_event_process_header(&event));
}
