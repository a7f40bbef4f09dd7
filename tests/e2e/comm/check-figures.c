/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check-figures [--partial] EXPECTED <ACTUAL: is every member of the JSON object in the file
 * EXPECTED in that on stdin, with the same value? Objects may have more members,
 * arrays may not have more elements. Integers are equal exactly, other numbers
 * to 1e-9 relative. Members whose names begin with # are remarks. --partial: members
 * that are missing there do not matter. Prints each difference.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int differences, is_partial;

static void differ(const char *path, const char *what, const json_t *expected, const json_t *actual)
{
	char *left = expected ? json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char *right = actual ? json_dumps(actual, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	printf("%s: %s: expected %.400s, got %.400s\n", path, what, left ? left : "nothing",
	       right ? right : "nothing");
	free(left);
	free(right);
	differences++;
}

static void compare(const char *path, const json_t *expected, const json_t *actual);

static void compare_objects(const char *path, const json_t *expected, const json_t *actual)
{
	char below[512];
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)expected, key, value)
	{
		const json_t *other = json_object_get(actual, key);

		if (key[0] == '#')
			continue;
		snprintf(below, sizeof(below), "%s.%s", path, key);
		if (other)
			compare(below, value, other);
		else if (!is_partial)
			differ(below, "missing", value, NULL);
	}
}

static void compare_arrays(const char *path, const json_t *expected, const json_t *actual)
{
	char below[512];

	if (json_array_size(expected) != json_array_size(actual)) {
		differ(path, "number of elements", expected, actual);
		return;
	}
	for (size_t i = 0; i < json_array_size(expected); i++) {
		snprintf(below, sizeof(below), "%s[%zu]", path, i);
		compare(below, json_array_get(expected, i), json_array_get(actual, i));
	}
}

/* An integer that is expected where a real number stands is that number. */
static int same_number(const json_t *expected, const json_t *actual)
{
	double a, b;

	if (json_is_integer(expected) && json_is_integer(actual))
		return json_integer_value(expected) == json_integer_value(actual);
	a = json_number_value(expected);
	b = json_number_value(actual);
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void compare(const char *path, const json_t *expected, const json_t *actual)
{
	if (json_is_number(expected) && json_is_number(actual)) {
		if (!same_number(expected, actual))
			differ(path, "number", expected, actual);
	} else if (json_typeof(expected) != json_typeof(actual)) {
		differ(path, "type", expected, actual);
	} else if (json_is_object(expected)) {
		compare_objects(path, expected, actual);
	} else if (json_is_array(expected)) {
		compare_arrays(path, expected, actual);
	} else if (!json_equal(expected, actual)) {
		differ(path, "value", expected, actual);
	}
}

int main(int argc, char **argv)
{
	json_t *expected, *actual;
	json_error_t error;

	is_partial = argc == 3 && strcmp(argv[1], "--partial") == 0;
	if (argc != 2 + is_partial) {
		fprintf(stderr, "usage: check-figures [--partial] EXPECTED <ACTUAL\n");
		return 2;
	}
	expected = json_load_file(argv[1 + is_partial], JSON_REJECT_DUPLICATES, &error);
	if (!expected || !json_is_object(expected)) {
		fprintf(stderr, "%s:%d: %s\n", argv[1 + is_partial], error.line, error.text);
		return 2;
	}
	actual = json_loadf(stdin, 0, &error);
	if (!actual) {
		fprintf(stderr, "stdin:%d: %s\n", error.line, error.text);
		return 2;
	}
	compare("", expected, actual);
	json_decref(expected);
	json_decref(actual);
	return differences ? 1 : 0;
}
