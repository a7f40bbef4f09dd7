/* SPDX-License-Identifier: Apache-2.0 */
/* From where the host launched, in words. */
#include "postproc/symbols/path_text.h"
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void ct_host_path_write(FILE *out, const struct ct_host_paths *paths, uint32_t path)
{
	const struct ct_code_frame *const *frame;
	size_t count = ct_host_paths_frames(paths, path, &frame);

	if (!count)
		fputs("not known", out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%s%s", i ? " > " : "", frame[i]->function);
		if (*frame[i]->file)
			fprintf(out, " %s:%u", base_name(frame[i]->file), frame[i]->line);
	}
}

char *ct_host_path_text(const struct ct_host_paths *paths, uint32_t path)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	ct_host_path_write(out, paths, path);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
