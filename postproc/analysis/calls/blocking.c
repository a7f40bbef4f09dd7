/* SPDX-License-Identifier: Apache-2.0 */
/* From the answers for each variant of a call to what such a call waits for. */
#include "postproc/analysis/calls/blocking.h"
#include "base/array.h"
#include "base/study.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "cudatrace-calibration-1"

static struct ct_blocking_call *call_of(struct ct_blocking *blocking, const char *name)
{
	struct ct_blocking_call *call;

	for (size_t i = 0; i < blocking->calls; i++)
		if (strcmp(blocking->call[i].name, name) == 0)
			return &blocking->call[i];
	if (ct_array_grow(&blocking->call, blocking->calls, sizeof(*blocking->call)) < 0)
		return NULL;
	call = &blocking->call[blocking->calls];
	*call = (struct ct_blocking_call){.name = strdup(name)};
	if (!call->name)
		return NULL;
	blocking->calls++;
	return call;
}

static bool is_true(const json_t *row, const char *key)
{
	return json_is_true(json_object_get(row, key));
}

/* Work of streams that have nothing to do with the call's is that of the whole device. */
static enum ct_wait what_of(const json_t *row)
{
	if (is_true(row, "non_blocking"))
		return CT_WAIT_FOR_DEVICE;
	return is_true(row, "legacy") || is_true(row, "blocking") || is_true(row, "own")
		   ? CT_WAIT_FOR_STREAM
		   : CT_WAIT_FOR_NONE;
}

static int add_row(struct ct_blocking *blocking, const json_t *row)
{
	const char *name = json_string_value(json_object_get(row, "call"));
	enum ct_wait what = what_of(row);
	struct ct_blocking_call *call;

	/* A call that failed tells nothing. */
	if (!name || !json_is_boolean(json_object_get(row, "legacy")))
		return 0;
	call = call_of(blocking, name);
	if (!call)
		return -ENOMEM;
	call->asked++;
	call->waiting += what != CT_WAIT_FOR_NONE;
	if (what == CT_WAIT_FOR_DEVICE || call->what == CT_WAIT_FOR_NONE)
		call->what = what;
	return 0;
}

int ct_blocking_of(struct ct_blocking *blocking, const struct ct_trace *trace)
{
	const char *directory = ct_trace_directory(trace);
	json_t *root = NULL;
	const json_t *rows;
	const char *schema;
	char *path;
	int err = 0;

	*blocking = (struct ct_blocking){.calls = 0};
	if (asprintf(&path, "%s/../" CT_STUDY_DRIVER, directory) < 0)
		return -ENOMEM;
	root = json_load_file(path, 0, NULL);
	free(path);
	schema = json_string_value(json_object_get(root, "schema"));
	rows = schema && strcmp(schema, SCHEMA) == 0 ? json_object_get(root, "waits") : NULL;
	for (size_t i = 0; i < json_array_size(rows) && err == 0; i++)
		err = add_row(blocking, json_array_get(rows, i));
	json_decref(root);
	return err;
}

void ct_blocking_fini(struct ct_blocking *blocking)
{
	for (size_t i = 0; i < blocking->calls; i++)
		free(blocking->call[i].name);
	free(blocking->call);
	*blocking = (struct ct_blocking){.calls = 0};
}

bool ct_blocking_find(const struct ct_blocking *blocking, const char *name, size_t bytes,
		      enum ct_wait *what)
{
	for (size_t i = 0; blocking && i < blocking->calls; i++) {
		const struct ct_blocking_call *call = &blocking->call[i];

		if (strlen(call->name) != bytes || memcmp(call->name, name, bytes) != 0)
			continue;
		/* Whether it waits hangs on its arguments, which rows do not have all of. */
		*what = call->what == CT_WAIT_FOR_STREAM && call->waiting < call->asked
			    ? CT_WAIT_FOR_OWN
			    : call->what;
		return true;
	}
	return false;
}
