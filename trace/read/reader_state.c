/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what the files of the reader share: its warnings, and memory that is freed when it is
 * closed. */
#include "trace/read/reader_state.h"
#include "base/large.h"
#include "base/utf8.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARNINGS_MAX 1000u

void ct_trace_warn(struct ct_trace *trace, const char *format, ...)
{
	char **warnings = CT_ARRAY(char *, &trace->warnings);
	size_t count = CT_COUNT(char *, &trace->warnings);
	char *text;
	va_list arguments;
	int length;

	if (count >= WARNINGS_MAX)
		return;
	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	ct_text_make_plain(text, (size_t)length);
	for (size_t i = 0; i < count; i++)
		if (strcmp(warnings[i], text) == 0)
			goto free_text;
	if (count == WARNINGS_MAX - 1) {
		free(text);
		text = strdup("there are further warnings, which are left out");
	}
	if (text && ct_buffer_append(&trace->warned_at, &trace->place, sizeof(trace->place)) &&
	    ct_buffer_append(&trace->warnings, &text, sizeof(text)))
		return;
free_text:
	free(text);
}

int ct_trace_warn_chunk(struct ct_trace *trace, const struct ct_trace_file *file, int result,
			const struct ct_chunk *chunk, uint64_t chunks)
{
	if (chunk->skipped)
		ct_trace_warn(trace,
			      "%s: %" PRIu64 " bytes from byte %" PRIu64 " are damaged; skipped",
			      file->name, chunk->skipped,
			      result == 0 ? chunk->offset : chunk->offset - chunk->skipped);
	if (result == -CT_ETORN)
		ct_trace_warn(trace,
			      "%s: ends inside a chunk at byte %" PRIu64
			      " (cut or still being written); its last %" PRIu64
			      " bytes are lost, %" PRIu64 " chunks before them are complete",
			      file->name, chunk->offset, chunk->torn, chunks);
	if (result == -CT_EVERSION)
		ct_trace_warn(trace, "%s: byte %" PRIu64 ": %s", file->name, chunk->offset,
			      ct_strerror(result));
	return chunk->skipped || result == -CT_ETORN || result == -CT_EVERSION;
}

int ct_trace_own(struct ct_trace *trace, void *memory)
{
	if (ct_buffer_append(&trace->owned, &memory, sizeof(memory)))
		return 0;
	free(memory);
	return -ENOMEM;
}

int ct_trace_own_rows(struct ct_trace *trace, void *rows)
{
	if (ct_buffer_append(&trace->owned_rows, &rows, sizeof(rows)))
		return 0;
	ct_large_free(rows);
	return -ENOMEM;
}

char *ct_trace_path(const struct ct_trace *trace, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", trace->directory, name) < 0 ? NULL : path;
}
