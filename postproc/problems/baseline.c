/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines as JSON. */
#include "postproc/problems/baseline.h"

#include "base/error.h"
#include "base/json.h"
#include "postproc/problems/gate.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KEY "cudatrace-baseline"
#define VERSION 1
#define PROBLEMS_MAX 20000u
#define BYTES_MAX (64 << 20)

static int by_place(const void *a, const void *b)
{
	const struct ct_identity *x = *(const struct ct_identity *const *)a;
	const struct ct_identity *y = *(const struct ct_identity *const *)b;
	int order = strcmp(x->file, y->file);

	if (!order)
		order = strcmp(x->function, y->function);
	if (!order && x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (!order)
		order = strcmp(x->text, y->text);
	if (!order)
		order = strcmp(ct_finding_id_text(x->id), ct_finding_id_text(y->id));
	return order ? order : strcmp(x->objects, y->objects);
}

/* Fields that are not known are left out. */
static void write_one(struct ct_json *json, const struct ct_identity *identity)
{
	const char *const text[][2] = {{"file", identity->file},
				       {"function", identity->function},
				       {"text", identity->text},
				       {"objects", identity->objects}};

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "id", ct_finding_id_text(identity->id));
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (*text[i][1])
			ct_json_put_text(json, text[i][0], text[i][1]);
	if (identity->offset != CT_OFFSET_NONE)
		ct_json_put_signed(json, "offset", identity->offset);
	ct_json_close(json);
}

int ct_baseline_write(FILE *out, const struct ct_identities *identities)
{
	const struct ct_identity **sorted = calloc(identities->count + 1, sizeof(*sorted));
	struct ct_json json;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < identities->count; i++)
		sorted[i] = &identities->list[i];
	qsort(sorted, identities->count, sizeof(*sorted), by_place);
	ct_json_init(&json, out, 1, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_number(&json, KEY, VERSION);
	ct_json_open_array(&json, "problems", CT_JSON_LINES);
	for (size_t i = 0; i < identities->count; i++)
		write_one(&json, sorted[i]);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	free(sorted);
	return ct_json_error(&json);
}

/* "" of a field that is missing; NULL: it is no text. */
static const char *text_of(const json_t *problem, const char *name)
{
	const json_t *value = json_object_get(problem, name);

	return value ? json_string_value(value) : "";
}

static int read_one(struct ct_identities *to, const json_t *problem, char *why)
{
	const char *id = text_of(problem, "id"), *file = text_of(problem, "file");
	const char *function = text_of(problem, "function"), *text = text_of(problem, "text");
	const char *objects = text_of(problem, "objects");
	const json_t *offset = json_object_get(problem, "offset");
	struct ct_identity identity = {.file = (char *)file,
				       .function = (char *)function,
				       .text = (char *)text,
				       .objects = (char *)objects,
				       .offset = CT_OFFSET_NONE,
				       .seconds = NAN,
				       .bound = NAN,
				       .share = NAN};

	if (!json_is_object(problem) || !id || !*id) {
		snprintf(why, CT_GATE_WHY_BYTES, "it has no id");
		return -EINVAL;
	}
	identity.id = ct_gate_id(id, why);
	if (identity.id == CT_IDS)
		return -EINVAL;
	if (!file || !function || !text || !objects || (offset && !json_is_integer(offset))) {
		snprintf(why, CT_GATE_WHY_BYTES,
			 "file, function, text and objects are texts, offset is a number");
		return -EINVAL;
	}
	if (offset)
		identity.offset = json_integer_value(offset);
	return ct_identities_add(to, &identity);
}

static int read_problems(struct ct_identities *identities, const json_t *all, char *why)
{
	const json_t *version = json_object_get(all, KEY), *list = json_object_get(all, "problems");
	char reason[CT_GATE_WHY_BYTES] = "";
	int err = 0;

	if (!json_is_integer(version) || !json_is_array(list)) {
		snprintf(why, CT_BASELINE_WHY_BYTES,
			 "it is no baseline of ctpost findings --write-baseline");
		return -EINVAL;
	}
	if (json_integer_value(version) != VERSION) {
		snprintf(why, CT_BASELINE_WHY_BYTES,
			 "it is a baseline of version %lld, and version %d is known",
			 (long long)json_integer_value(version), VERSION);
		return -EINVAL;
	}
	if (json_array_size(list) > PROBLEMS_MAX) {
		snprintf(why, CT_BASELINE_WHY_BYTES, "it has more than %u problems", PROBLEMS_MAX);
		return -E2BIG;
	}
	for (size_t i = 0; i < json_array_size(list) && err == 0; i++) {
		err = read_one(identities, json_array_get(list, i), reason);
		if (err < 0)
			snprintf(why, CT_BASELINE_WHY_BYTES, "problem %zu: %s", i + 1,
				 *reason ? reason : ct_strerror(err));
	}
	return err;
}

int ct_baseline_read(struct ct_identities *identities, const char *path,
		     char why[CT_BASELINE_WHY_BYTES])
{
	FILE *file = fopen(path, "re");
	struct stat status;
	json_error_t error;
	json_t *all;
	int err;

	if (!file || fstat(fileno(file), &status) != 0 || status.st_size > BYTES_MAX) {
		err = file && status.st_size > BYTES_MAX ? -EFBIG : -errno;
		snprintf(why, CT_BASELINE_WHY_BYTES, "%s", ct_strerror(err));
		if (file)
			fclose(file);
		return err;
	}
	all = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
	fclose(file);
	if (!all) {
		snprintf(why, CT_BASELINE_WHY_BYTES, "line %d: it is no JSON: %.160s", error.line,
			 error.text);
		return -EINVAL;
	}
	err = read_problems(identities, all, why);
	json_decref(all);
	return err;
}
