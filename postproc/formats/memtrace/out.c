/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write the files of the thesis' trace format. Launches overlap in a trace but
 * not in this format, so each section's place is computed beforehand and its
 * records are written there through a small buffer per launch.
 */
#include "postproc/formats/memtrace/out.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_RECORDS 2048u
#define BUFFERS_MAX 512u

struct buffer {
	uint8_t *bytes; /* NULL: none */
	uint32_t used;  /* records */
	uint64_t done;  /* records already in the file */
};

struct ct_memtrace_out {
	const char *directory;
	const struct ct_pipes *pipes;
	struct buffer *buffer; /* by launch */
	size_t buffers;        /* allocated */
	int error;
};

static int write_at(const struct ct_memtrace_out *out, uint32_t pipe, const void *bytes,
		    size_t count, uint64_t offset)
{
	char path[PATH_MAX];
	const char *at = bytes;
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/MemTrace-pipe-%llu", out->directory,
		 (unsigned long long)out->pipes->pipe[pipe].number);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	while (count && !err) {
		ssize_t n = pwrite(fd, at, count, (off_t)offset);

		if (n < 0) {
			err = errno == EINTR ? 0 : -errno;
			continue;
		}
		at += n;
		count -= (size_t)n;
		offset += (uint64_t)n;
	}
	if (close(fd) < 0 && !err)
		err = -errno;
	return err;
}

static int flush_buffer(struct ct_memtrace_out *out, size_t launch)
{
	const struct ct_pipe_section *section = &out->pipes->section[launch];
	struct buffer *buffer = &out->buffer[launch];
	int err;

	if (!buffer->used)
		return 0;
	err = write_at(out, section->pipe, buffer->bytes, buffer->used * CT_MEMTRACE_BYTES,
		       section->start + buffer->done * CT_MEMTRACE_BYTES);
	buffer->done += buffer->used;
	buffer->used = 0;
	return err;
}

static int flush_all(struct ct_memtrace_out *out)
{
	int err = 0;

	for (size_t i = 0; i < out->pipes->launch_count; i++) {
		int this_err = out->buffer[i].bytes ? flush_buffer(out, i) : 0;

		err = err ? err : this_err;
		free(out->buffer[i].bytes);
		out->buffer[i].bytes = NULL;
	}
	out->buffers = 0;
	return err;
}

/* Size byte, kernel names and end records; the records in between are holes. */
static int write_frames(struct ct_memtrace_out *out, const struct ct_trace *trace)
{
	static const uint8_t head[2] = {CT_MEMTRACE_BYTES, '\n'};
	static const uint8_t end[CT_MEMTRACE_BYTES];
	const struct ct_launch_info *launches;
	int err = 0;

	ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < out->pipes->pipe_count && !err; i++)
		err = write_at(out, (uint32_t)i, head, sizeof(head), 0);
	for (size_t i = 0; i < out->pipes->launch_count && !err; i++) {
		const struct ct_pipe_section *section = &out->pipes->section[i];
		char *name;

		if (section->pipe == CT_NONE)
			continue;
		name = strdup(launches[i].kernel);
		if (!name)
			return -ENOMEM;
		for (char *c = name; *c; c++)
			if (*c == '\n')
				*c = ' ';
		err = write_at(out, section->pipe, name, strlen(name), section->header);
		free(name);
		if (!err)
			err = write_at(out, section->pipe, "\n", 1, section->start - 1);
		if (!err)
			err = write_at(out, section->pipe, end, sizeof(end),
				       section->start + section->records * CT_MEMTRACE_BYTES);
	}
	return err;
}

static int make_directory(const char *path)
{
	const struct dirent *entry;
	DIR *directory;
	int err = 0;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return -errno;
	directory = opendir(path);
	if (!directory)
		return -errno;
	while ((entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = -ENOTEMPTY;
	closedir(directory);
	return err;
}

int ct_memtrace_out_open(struct ct_memtrace_out **result, const char *directory,
			 const struct ct_trace *trace, const struct ct_pipes *pipes, char *why,
			 size_t why_bytes)
{
	struct ct_memtrace_out *out = calloc(1, sizeof(*out));
	int err = -ENOMEM;

	*result = NULL;
	if (!out)
		goto fail;
	out->directory = directory;
	out->pipes = pipes;
	out->buffer = calloc(pipes->launch_count + 1, sizeof(*out->buffer));
	if (!out->buffer)
		goto free_out;
	err = make_directory(directory);
	if (err < 0)
		goto free_out;
	err = write_frames(out, trace);
	if (err < 0)
		goto free_out;
	*result = out;
	return 0;

free_out:
	free(out->buffer);
	free(out);
fail:
	if (err == -ENOTEMPTY)
		snprintf(why, why_bytes, "%s: not empty; name a new directory", directory);
	else
		snprintf(why, why_bytes, "%s: %s", directory, strerror(-err));
	return err;
}

int ct_memtrace_out_add(struct ct_memtrace_out *out, size_t launch,
			const struct ct_memtrace_record *record)
{
	struct buffer *buffer = &out->buffer[launch];

	if (buffer->done + buffer->used >= out->pipes->section[launch].records)
		return -ERANGE;
	if (!buffer->bytes) {
		if (out->buffers == BUFFERS_MAX)
			out->error = flush_all(out);
		buffer->bytes = malloc(BUFFER_RECORDS * CT_MEMTRACE_BYTES);
		if (!buffer->bytes)
			out->error = -ENOMEM;
		out->buffers++;
	}
	if (out->error)
		return out->error;
	ct_memtrace_pack(record, buffer->bytes + buffer->used * CT_MEMTRACE_BYTES);
	if (++buffer->used == BUFFER_RECORDS)
		out->error = flush_buffer(out, launch);
	return out->error;
}

int ct_memtrace_out_close(struct ct_memtrace_out *out)
{
	int err, flushed;

	if (!out)
		return 0;
	err = out->error;
	flushed = flush_all(out);
	free(out->buffer);
	free(out);
	return err ? err : flushed;
}
