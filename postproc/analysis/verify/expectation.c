/* SPDX-License-Identifier: Apache-2.0 */
/* Read expectations: a JSON object per line. */
#include "postproc/analysis/verify/expectation.h"
#include "base/array.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS 256u

/* 64 bits as "0x…" or as a number. */
static int read_bits(json_t *object, const char *name, uint64_t *bits)
{
	json_t *value = json_object_get(object, name);
	char *end;

	if (json_is_integer(value)) {
		*bits = (uint64_t)json_integer_value(value);
		return 0;
	}
	if (!json_is_string(value) || !*json_string_value(value))
		return -1;
	*bits = strtoull(json_string_value(value), &end, 0);
	return *end ? -1 : 0;
}

static int read_operation(json_t *site, uint32_t *operation)
{
	const char *name = json_string_value(json_object_get(site, "operation"));

	for (*operation = 0; name && *operation < OPERATIONS; ++*operation)
		if (!strcmp(ct_operation_text(*operation), name))
			return 0;
	return -1;
}

static const char *read_site(json_t *site, struct ct_tally_line *line)
{
	json_t *number = json_object_get(site, "line");

	if (!json_is_integer(number))
		return "a site has no \"line\"";
	line->line = (uint32_t)json_integer_value(number);
	if (read_operation(site, &line->operation) < 0)
		return "a site has no \"operation\" that is known";
	if (read_bits(site, "count", &line->figures.count) < 0)
		return "a site has no \"count\"";
	if (read_bits(site, "sum", &line->figures.sum) < 0 ||
	    read_bits(site, "squares", &line->figures.squares) < 0)
		return "a site has no \"sum\" or no \"squares\" (\"0x…\")";
	return NULL;
}

static const char *read_order(json_t *order, struct ct_expected_kernel *kernel)
{
	const char *by = json_string_value(json_object_get(order, "by"));

	if (!order)
		return NULL;
	if (by && !strcmp(by, "warp"))
		kernel->by = CT_TALLY_BY_WARP;
	else if (by && !strcmp(by, "lane"))
		kernel->by = CT_TALLY_BY_LANE;
	else
		return "\"order\" is not by \"warp\" or \"lane\"";
	return read_bits(order, "hash", &kernel->order) < 0 ? "\"order\" has no \"hash\"" : NULL;
}

static const char *read_kernel(json_t *object, struct ct_expected_kernel *kernel)
{
	const char *name = json_string_value(json_object_get(object, "kernel"));
	json_t *sites = json_object_get(object, "sites"), *site;
	const char *wrong;
	size_t i;

	if (!name)
		return "no \"kernel\"";
	if (!json_is_array(sites))
		return "no array \"sites\"";
	kernel->kernel = strdup(name);
	kernel->lines = calloc(json_array_size(sites) + 1, sizeof(*kernel->lines));
	if (!kernel->kernel || !kernel->lines)
		return "out of memory";
	if (json_object_get(object, "launch") && read_bits(object, "launch", &kernel->launch) < 0)
		return "\"launch\" is not a number";
	if (json_object_get(object, "launches") &&
	    read_bits(object, "launches", &kernel->launches) < 0)
		return "\"launches\" is not a number";
	json_array_foreach(sites, i, site)
	{
		wrong = read_site(site, &kernel->lines[kernel->line_count++]);
		if (wrong)
			return wrong;
	}
	return read_order(json_object_get(object, "order"), kernel);
}

static const char *read_line(struct ct_expectation *expectation, const char *text)
{
	int err = ct_array_grow(&expectation->list, expectation->count, sizeof(*expectation->list));
	struct ct_expected_kernel *kernel;
	json_t *object;
	const char *wrong;

	if (err < 0)
		return "out of memory";
	object = json_loads(text, 0, NULL);
	if (!json_is_object(object)) {
		json_decref(object);
		return "not a JSON object";
	}
	kernel = &expectation->list[expectation->count++];
	memset(kernel, 0, sizeof(*kernel));
	wrong = read_kernel(object, kernel);
	json_decref(object);
	return wrong;
}

int ct_expectation_read(struct ct_expectation *expectation, FILE *file, size_t *line, char *why,
			size_t why_bytes)
{
	const char *wrong = NULL;
	char *text = NULL;
	size_t room = 0;

	for (*line = 1; !wrong && getline(&text, &room, file) >= 0; ++*line)
		if (text[strspn(text, " \t\r\n")])
			wrong = read_line(expectation, text);
	--*line;
	free(text);
	if (!wrong && ferror(file))
		wrong = "cannot be read";
	if (!wrong && !expectation->count)
		wrong = "nothing is expected";
	if (wrong)
		snprintf(why, why_bytes, "%s", wrong);
	return wrong ? -EINVAL : 0;
}

void ct_expectation_fini(struct ct_expectation *expectation)
{
	for (size_t i = 0; i < expectation->count; i++) {
		free(expectation->list[i].kernel);
		free(expectation->list[i].lines);
	}
	free(expectation->list);
}
