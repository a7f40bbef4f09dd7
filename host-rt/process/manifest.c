/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a manifest: who ran, with which options, how it ended. */
#include "host-rt/process/manifest.h"
#include "base/json.h"
#include <cudatrace/format.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND_BYTES_MAX (64u << 10)

static void put_program(struct ct_json *json)
{
	char path[4096] = "";
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	ct_json_put_text(json, "program", path);
}

static void put_command(struct ct_json *json)
{
	char *words = malloc(COMMAND_BYTES_MAX);
	FILE *file = words ? fopen("/proc/self/cmdline", "re") : NULL;
	size_t length = file ? fread(words, 1, COMMAND_BYTES_MAX - 1, file) : 0;

	ct_json_open_array(json, "command", CT_JSON_INLINE);
	for (size_t at = 0; at < length; at += strlen(words + at) + 1) {
		words[length] = '\0';
		ct_json_put_text(json, NULL, words + at);
	}
	ct_json_close(json);
	if (file)
		fclose(file);
	free(words);
}

static void put_host(struct ct_json *json)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	ct_json_put_text(json, "host", host);
}

/* Ahead of what can be long: readers look for "run" at the beginning. */
static void put_place(struct ct_json *json, const struct ct_manifest *manifest)
{
	const struct ct_process_place *place = manifest->place;

	ct_json_put_text(json, "run", place->run);
	ct_json_put_number(json, "part", manifest->part);
	if (place->rank.rank != CT_NO_RANK)
		ct_json_put_number(json, "rank", place->rank.rank);
	if (place->rank.ranks)
		ct_json_put_number(json, "ranks", place->rank.ranks);
}

static void put_seconds(struct ct_json *json, const char *key, uint64_t ns)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* Readers of JSON need not take numbers from 2^63 on. */
static void put_large(struct ct_json *json, const char *key, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	if (number <= INT64_MAX)
		ct_json_put_number(json, key, number);
	else
		ct_json_put_text(json, key, text);
}

#define PUT_STRING ct_json_put_text
#define PUT_SIZE put_large
#define PUT_COUNT put_large
#define PUT_PERIOD put_large
#define PUT_SECONDS put_seconds
#define PUT_SWITCH ct_json_put_bool

static void put_options(struct ct_json *json, const struct ct_options *options)
{
	ct_json_open_object(json, "options", CT_JSON_INLINE);
#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	PUT_##type(json, #field, options->field);
#include <cudatrace/options.def>
#undef CT_OPTION
	ct_json_close(json);
}

/* Other threads add to them meanwhile. */
static uint64_t now(const uint64_t *total)
{
	return __atomic_load_n(total, __ATOMIC_RELAXED);
}

static void put_totals(struct ct_json *json, const struct ct_manifest *manifest)
{
	const struct ct_session_totals *totals = manifest->totals;

	ct_json_open_object(json, "totals", CT_JSON_INLINE);
	ct_json_put_number(json, "launches", now(&totals->launches));
	ct_json_put_number(json, "traced_launches", now(&totals->traced_launches));
	ct_json_put_number(json, "kernels", now(&totals->kernels));
	ct_json_put_number(json, "record_bytes", now(&totals->record_bytes));
	ct_json_put_number(json, "trace_bytes", manifest->trace_bytes);
	ct_json_put_number(json, "lost_chunks", now(&totals->lost_chunks));
	ct_json_put_number(json, "ring_waits", now(&totals->ring_waits));
	ct_json_put_number(json, "hurried_chunks", now(&totals->hurried_chunks));
	ct_json_put_number(json, "calls", now(&totals->calls));
	ct_json_put_number(json, "activities", now(&totals->activities));
	ct_json_close(json);
}

static void put_manifest(struct ct_json *json, const struct ct_manifest *manifest)
{
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_number(json, "format", CT_FORMAT_VERSION);
	put_place(json, manifest);
	put_program(json);
	put_command(json);
	put_host(json);
	ct_json_put_number(json, "pid", (uint64_t)getpid());
	ct_json_put_text(json, "target", manifest->target);
	ct_json_put_bool(json, "injected", manifest->is_injected);
	ct_json_put_number(json, "start_ns", manifest->start_ns);
	if (manifest->end_ns)
		ct_json_put_number(json, "end_ns", manifest->end_ns);
	put_options(json, manifest->options);
	put_totals(json, manifest);
	ct_json_put_text(json, "error", manifest->error);
	ct_json_put_bool(json, "complete", manifest->complete);
	ct_json_close(json);
}

char *ct_manifest_text(const struct ct_manifest *manifest)
{
	char *text = NULL;
	struct ct_json json;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	put_manifest(&json, manifest);
	fputc('\n', out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
