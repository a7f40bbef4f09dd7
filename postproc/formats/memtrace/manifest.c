/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest of a trace that was made from files of memtrace. */
#include "postproc/formats/memtrace/manifest.h"
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_manifest(struct ct_json *json, const char *const *file, int files)
{
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_number(json, "version", CT_FORMAT_VERSION);
	ct_json_put_text(json, "program", "unknown");
	ct_json_put_text(json, "imported_from", "memtrace");
	ct_json_open_array(json, "sources", CT_JSON_LINES);
	for (int i = 0; i < files; i++) {
		const char *slash = strrchr(file[i], '/');

		ct_json_put_text(json, NULL, slash ? slash + 1 : file[i]);
	}
	ct_json_close(json);
	ct_json_put_bool(json, "complete", true);
	ct_json_close(json);
}

int ct_memtrace_write_manifest(struct ct_writer *writer, const char *const *file, int files)
{
	struct ct_json json;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int err;

	if (!out)
		return -ENOMEM;
	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	put_manifest(&json, file, files);
	err = fclose(out) == 0 ? ct_writer_manifest(writer, text) : -ENOMEM;
	free(text);
	return err;
}
