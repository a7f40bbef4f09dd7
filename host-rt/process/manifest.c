/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a manifest: who ran, with which options, how it ended. */
#include "host-rt/process/manifest.h"
#include <cudatrace/format.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND_BYTES_MAX (64u << 10)

/* Bytes that are not ASCII pass as they are: names are UTF-8 where they matter. */
static void put_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void put_field(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": ", name);
	put_string(out, text);
	fputs(",\n", out);
}

static void put_program(FILE *out)
{
	char path[4096] = "";
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	put_field(out, "program", path);
}

static void put_command(FILE *out)
{
	char *words = malloc(COMMAND_BYTES_MAX);
	FILE *file = words ? fopen("/proc/self/cmdline", "re") : NULL;
	size_t length = file ? fread(words, 1, COMMAND_BYTES_MAX - 1, file) : 0;

	fputs("  \"command\": [", out);
	for (size_t at = 0; at < length; at += strlen(words + at) + 1) {
		words[length] = '\0';
		if (at)
			fputs(", ", out);
		put_string(out, words + at);
	}
	fputs("],\n", out);
	if (file)
		fclose(file);
	free(words);
}

static void put_host(FILE *out)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	put_field(out, "host", host);
}

/* Ahead of what can be long: readers look for "run" at the beginning. */
static void put_place(FILE *out, const struct ct_manifest *manifest)
{
	const struct ct_place *place = manifest->place;

	put_field(out, "run", place->run);
	fprintf(out, "  \"part\": %u,\n", manifest->part);
	if (place->rank.rank != CT_NO_RANK)
		fprintf(out, "  \"rank\": %u,\n", place->rank.rank);
	if (place->rank.ranks)
		fprintf(out, "  \"ranks\": %u,\n", place->rank.ranks);
}

static void put_STRING(FILE *out, const char *value)
{
	put_string(out, value);
}

static void put_SIZE(FILE *out, uint64_t value)
{
	fprintf(out, "%" PRIu64, value);
}

static void put_COUNT(FILE *out, uint64_t value)
{
	fprintf(out, "%" PRIu64, value);
}

static void put_PERIOD(FILE *out, uint64_t value)
{
	put_COUNT(out, value);
}

static void put_SECONDS(FILE *out, uint64_t value)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64, value / 1000000000, value % 1000000000);
}

static void put_SWITCH(FILE *out, bool value)
{
	fputs(value ? "true" : "false", out);
}

static void put_options(FILE *out, const struct ct_options *options)
{
	const char *separator = "";

	fputs("  \"options\": {", out);
#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	fprintf(out, "%s\"%s\": ", separator, #field);                                             \
	put_##type(out, options->field);                                                           \
	separator = ", ";
#include <cudatrace/options.def>
#undef CT_OPTION
	fputs("},\n", out);
}

/* Other threads add to them meanwhile. */
static uint64_t now(const uint64_t *total)
{
	return __atomic_load_n(total, __ATOMIC_RELAXED);
}

static void put_totals(FILE *out, const struct ct_manifest *manifest)
{
	const struct ct_session_totals *totals = manifest->totals;

	fprintf(out,
		"  \"totals\": {\"launches\": %" PRIu64 ", \"traced_launches\": %" PRIu64
		", \"kernels\": %" PRIu64 ", \"record_bytes\": %" PRIu64
		", \"trace_bytes\": %" PRIu64 ", \"lost_chunks\": %" PRIu64
		", \"ring_waits\": %" PRIu64 ", \"hurried_chunks\": %" PRIu64 "},\n",
		now(&totals->launches), now(&totals->traced_launches), now(&totals->kernels),
		now(&totals->record_bytes), manifest->trace_bytes, now(&totals->lost_chunks),
		now(&totals->ring_waits), now(&totals->hurried_chunks));
}

char *ct_manifest_text(const struct ct_manifest *manifest)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	fprintf(out, "{\n  \"format\": %u,\n", CT_FORMAT_VERSION);
	put_place(out, manifest);
	put_program(out);
	put_command(out);
	put_host(out);
	fprintf(out, "  \"pid\": %ld,\n", (long)getpid());
	put_field(out, "target", manifest->target);
	fprintf(out, "  \"start_ns\": %" PRIu64 ",\n", manifest->start_ns);
	if (manifest->end_ns)
		fprintf(out, "  \"end_ns\": %" PRIu64 ",\n", manifest->end_ns);
	put_options(out, manifest->options);
	put_totals(out, manifest);
	put_field(out, "error", manifest->error);
	fprintf(out, "  \"complete\": %s\n}\n", manifest->complete ? "true" : "false");
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
