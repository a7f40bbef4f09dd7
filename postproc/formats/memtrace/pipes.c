/* SPDX-License-Identifier: Apache-2.0 */
/* Where each launch goes in an export of the thesis' format. */
#include "postproc/formats/memtrace/pipes.h"
#include "postproc/formats/memtrace/memtrace.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_HEADER_BYTES 2u

static uint32_t find_pipe(struct ct_pipes *pipes, const struct ct_launch_info *launch)
{
	struct ct_pipe wanted = {
	    .part = launch->part,
	    .device = launch->event->device,
	    .stream = launch->event->stream,
	};
	size_t i;

	for (i = 0; i < pipes->pipe_count; i++)
		if (pipes->pipe[i].part == wanted.part && pipes->pipe[i].device == wanted.device &&
		    pipes->pipe[i].stream == wanted.stream)
			return (uint32_t)i;
	pipes->pipe[pipes->pipe_count++] = wanted;
	return (uint32_t)i;
}

static int number_is_taken(const struct ct_pipes *pipes, size_t before, uint64_t number)
{
	for (size_t i = 0; i < before; i++)
		if (pipes->pipe[i].number == number)
			return 1;
	return 0;
}

/* A pipe is named by its stream, unless another device or process has a
 * stream of that number too. */
static void number_pipes(struct ct_pipes *pipes)
{
	uint64_t next = 0;

	for (size_t i = 0; i < pipes->pipe_count; i++)
		if (pipes->pipe[i].stream >= next)
			next = pipes->pipe[i].stream + 1;
	for (size_t i = 0; i < pipes->pipe_count; i++) {
		struct ct_pipe *pipe = &pipes->pipe[i];

		pipe->number = number_is_taken(pipes, i, pipe->stream) ? next++ : pipe->stream;
	}
}

int ct_pipes_init(struct ct_pipes *pipes, const struct ct_trace *trace, const uint8_t *wanted)
{
	const struct ct_launch_info *launches;

	memset(pipes, 0, sizeof(*pipes));
	pipes->launch_count = ct_trace_launches(trace, &launches);
	pipes->pipe = calloc(pipes->launch_count + 1, sizeof(*pipes->pipe));
	pipes->section = calloc(pipes->launch_count + 1, sizeof(*pipes->section));
	if (!pipes->pipe || !pipes->section) {
		ct_pipes_fini(pipes);
		return -ENOMEM;
	}
	for (size_t i = 0; i < pipes->launch_count; i++)
		pipes->section[i].pipe =
		    launches[i].event->flags & CT_LAUNCH_TRACED && (!wanted || wanted[i])
			? find_pipe(pipes, &launches[i])
			: CT_NONE;
	number_pipes(pipes);
	return 0;
}

void ct_pipes_lay_out(struct ct_pipes *pipes, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;

	ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < pipes->pipe_count; i++)
		pipes->pipe[i].bytes = FILE_HEADER_BYTES;
	for (size_t i = 0; i < pipes->launch_count; i++) {
		struct ct_pipe_section *section = &pipes->section[i];
		struct ct_pipe *pipe;

		if (section->pipe == CT_NONE)
			continue;
		pipe = &pipes->pipe[section->pipe];
		section->header = pipe->bytes;
		section->start = section->header + strlen(launches[i].kernel) + 1;
		pipe->bytes = section->start + (section->records + 1) * CT_MEMTRACE_BYTES;
	}
}

void ct_pipes_fini(struct ct_pipes *pipes)
{
	free(pipes->pipe);
	free(pipes->section);
	memset(pipes, 0, sizeof(*pipes));
}
