/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a source file as they are shown. */
#include "postproc/sources/text.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/utf8.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define TAB 8u
#define WHOLE_MAX 3000u /* lines */

/* With its end, if it has one. NULL: memory is short. */
static char *read_all(FILE *file, size_t bytes, size_t *read)
{
	char *all = malloc(bytes + 1);

	*read = all ? fread(all, 1, bytes, file) : 0;
	if (all)
		all[*read] = '\0';
	return all;
}

/* Room is for CT_SOURCE_LINE_BYTES and a NUL. Returns the bytes used. */
static size_t put_line(char *to, const char *from, size_t bytes)
{
	size_t used = 0, column = 0;

	while (bytes && (from[bytes - 1] == '\r'))
		bytes--;
	for (size_t i = 0; i < bytes && used < CT_SOURCE_LINE_BYTES; i++) {
		size_t blanks = from[i] == '\t' ? TAB - column % TAB : 0;

		for (; blanks > 0 && used < CT_SOURCE_LINE_BYTES; blanks--, column++)
			to[used++] = ' ';
		if (from[i] == '\t')
			continue;
		column += (from[i] & 0xc0) != 0x80;
		to[used++] = from[i] ? from[i] : '?';
	}
	/* Not in the middle of a character. */
	if (used == CT_SOURCE_LINE_BYTES) {
		while (used > 1 && (to[used - 1] & 0xc0) == 0x80)
			used--;
		used -= (to[used - 1] & 0x80) != 0;
	}
	to[used] = '\0';
	ct_text_make_plain(to, used);
	return used + 1;
}

static int make_lines(struct ct_source_text *text, const char *all, size_t bytes)
{
	struct ct_buffer lines = {0}, starts = {0};
	int err = 0;

	for (size_t at = 0, end; at < bytes && err == 0; at = end + 1) {
		const char *newline = memchr(all + at, '\n', bytes - at);
		size_t start = lines.size;
		char *place = ct_buffer_append(&lines, NULL, CT_SOURCE_LINE_BYTES + 1);

		end = newline ? (size_t)(newline - all) : bytes;
		if (!place || !ct_buffer_append(&starts, &start, sizeof(start)))
			err = -ENOMEM;
		else
			lines.size = start + put_line(place, all + at, end - at);
	}
	text->lines = starts.size / sizeof(size_t);
	text->line = calloc(text->lines + 1, sizeof(*text->line));
	text->bytes = lines.bytes;
	for (size_t i = 0; text->line && i < text->lines; i++)
		text->line[i] = lines.bytes + ((const size_t *)(const void *)starts.bytes)[i];
	ct_buffer_fini(&starts);
	return text->line ? err : -ENOMEM;
}

int ct_source_text_read(struct ct_source_text *text, FILE *file)
{
	struct stat status;
	size_t bytes = 0;
	char *all = NULL;
	int err = fstat(fileno(file), &status) == 0 ? 0 : -errno;

	*text = (struct ct_source_text){.lines = 0};
	if (err == 0 && status.st_size > (off_t)CT_SOURCE_BYTES_MAX)
		err = -EFBIG;
	if (err == 0)
		all = read_all(file, (size_t)status.st_size, &bytes);
	if (err == 0 && !all)
		err = -ENOMEM;
	if (err == 0) {
		text->mark = (struct ct_source_mark){bytes, XXH3_64bits(all, bytes),
						     ct_clock_of(&status.st_mtim)};
		err = make_lines(text, all, bytes);
	}
	free(all);
	fclose(file);
	if (err < 0)
		ct_source_text_fini(text);
	return err;
}

void ct_source_text_fini(struct ct_source_text *text)
{
	free(text->bytes);
	free(text->line);
	*text = (struct ct_source_text){.lines = 0};
}

bool ct_source_is_whole(const char *path, size_t lines)
{
	return lines && lines <= WHOLE_MAX && strncmp(path, "/usr/", 5) != 0;
}
