/* SPDX-License-Identifier: Apache-2.0 */
/* Load a trace's manifests, and compare what they say was written with what is there. */
#include "trace/read/reader_state.h"

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

static bool is_of(const struct ct_trace_file *manifest, const struct ct_trace_file *file)
{
	if (file->what.kind != CT_FILE_EVENTS && file->what.kind != CT_FILE_TABLES &&
	    file->what.kind != CT_FILE_DEVICE)
		return false;
	return manifest->what.kind == CT_FILE_MANIFEST_OLD ||
	       manifest->what.part == file->what.part;
}

/* A file that is missing, or was cut between two chunks, leaves no other trace. */
static uint64_t check_bytes(struct ct_trace *trace, const struct ct_trace_file *manifest,
			    const char *text)
{
	const struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files);
	uint64_t written = find_number(text, "totals", "trace_bytes"), present = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++)
		if (is_of(manifest, &files[i]))
			present += files[i].bytes;
	if (written > INT64_MAX || present >= written)
		return 0;
	ct_trace_warn(trace,
		      "%s: %" PRIu64 " bytes were written, of which %" PRIu64
		      " are missing: files are cut or were not copied",
		      manifest->name, written, written - present);
	return written - present;
}

/* malloced; NULL with *err set. */
static char *load_text(const char *path, uint64_t bytes, int *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = NULL;

	*err = fd < 0 ? -errno : bytes > MANIFEST_BYTES_MAX ? -EFBIG : 0;
	if (*err == 0) {
		text = malloc(bytes + 1);
		*err = text ? read_text(fd, text, bytes) : -ENOMEM;
	}
	if (fd >= 0)
		close(fd);
	if (*err == 0)
		return text;
	free(text);
	return NULL;
}

int ct_trace_load_manifest(struct ct_trace *trace, const struct ct_trace_file *file)
{
	struct ct_manifest_text manifest = {.part = file->what.part,
					    .is_old = file->what.kind == CT_FILE_MANIFEST_OLD};
	char *path = ct_trace_path(trace, file->name);
	char *text;
	int err;

	if (!path)
		return -ENOMEM;
	text = load_text(path, file->bytes, &err);
	free(path);
	if (!text) {
		ct_trace_warn(trace, "%s: cannot be read: %s", file->name, ct_strerror(err));
		return 0;
	}
	manifest.missing = check_bytes(trace, file, text);
	err = ct_trace_own(trace, text);
	if (err < 0)
		return err;
	manifest.text = text;
	return ct_buffer_append(&trace->manifests, &manifest, sizeof(manifest)) ? 0 : -ENOMEM;
}

const char *ct_trace_part_manifest(const struct ct_trace *trace, uint32_t part, uint64_t *missing)
{
	const struct ct_manifest_text *manifests =
	    CT_ARRAY(struct ct_manifest_text, &trace->manifests);
	const struct ct_manifest_text *found = NULL;

	for (size_t i = 0; i < CT_COUNT(struct ct_manifest_text, &trace->manifests); i++)
		if (manifests[i].part == part && (!found || !manifests[i].is_old))
			found = &manifests[i];
	*missing = found ? found->missing : 0;
	return found ? found->text : "";
}

const char *ct_trace_manifest(const struct ct_trace *trace)
{
	const struct ct_manifest_text *manifests =
	    CT_ARRAY(struct ct_manifest_text, &trace->manifests);
	size_t count = CT_COUNT(struct ct_manifest_text, &trace->manifests);

	return count ? manifests[0].text : "";
}
