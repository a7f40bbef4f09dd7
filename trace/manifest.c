/* SPDX-License-Identifier: Apache-2.0 */
/* Load a trace's manifest, and compare what it says was written with what is there. */
#include "reader_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANIFEST_BYTES_MAX (64u << 20)

static int read_text(int fd, char *text, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = read(fd, text + done, bytes - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	text[done] = '\0';
	return 0;
}

/* The quote that ends the string which begins at text, or the end of all. */
static const char *end_of_string(const char *text)
{
	while (*text && *text != '"')
		text += text[0] == '\\' && text[1] ? 2 : 1;
	return text;
}

static bool is_key(const char *text, const char *end, const char *key)
{
	return (size_t)(end - text) == strlen(key) && strncmp(text, key, strlen(key)) == 0;
}

/* The number json[object][key], or 0. json need not be valid. */
static uint64_t find_number(const char *json, const char *object, const char *key)
{
	bool is_in_object = false;
	int depth = 0;

	for (const char *at = json; *at; at++) {
		const char *text = at + 1;

		depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
		if (*at != '"')
			continue;
		at = end_of_string(text);
		if (!*at)
			break;
		if (at[1 + strspn(at + 1, " \t\r\n")] != ':')
			continue; /* no key but a value */
		if (depth == 1)
			is_in_object = is_key(text, at, object);
		else if (depth == 2 && is_in_object && is_key(text, at, key))
			return strtoull(at + 1 + strcspn(at + 1, "0123456789-,}"), NULL, 10);
	}
	return 0;
}

/* A file that is missing, or was cut between two chunks, leaves no other trace. */
static void check_bytes(struct ct_trace *trace, const struct ct_trace_file *manifest)
{
	uint64_t written = find_number(trace->manifest, "totals", "trace_bytes");
	uint64_t present = trace->bytes - manifest->bytes;

	if (written <= INT64_MAX && present < written)
		ct_trace_warn(trace,
			      "%s: %" PRIu64 " bytes were written, of which %" PRIu64
			      " are missing: files are cut or were not copied",
			      manifest->name, written, written - present);
}

int ct_trace_load_manifest(struct ct_trace *trace, const struct ct_trace_file *file)
{
	char *path = ct_trace_path(trace, file->name);
	int fd, err;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	err = fd < 0 ? -errno : file->bytes > MANIFEST_BYTES_MAX ? -EFBIG : 0;
	free(path);
	if (err == 0) {
		trace->manifest = malloc(file->bytes + 1);
		err = trace->manifest ? read_text(fd, trace->manifest, file->bytes) : -ENOMEM;
	}
	if (err == 0)
		check_bytes(trace, file);
	if (err < 0) {
		ct_trace_warn(trace, "%s: cannot be read: %s", file->name, ct_strerror(err));
		free(trace->manifest);
		trace->manifest = NULL;
	}
	if (fd >= 0)
		close(fd);
	return 0;
}
