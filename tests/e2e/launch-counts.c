/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boil `ctpost info --json` (standard input) down to lines that scripts compare.
 *
 *   launch-counts             per launch, in the form of expect.sh: kernel, then
 *                             count and bytes of loads, stores, atomics
 *   launch-counts --sites     per site that was executed: kernel, class (or reduction),
 *                             executions by warps, accesses by threads
 *   --reasons                 why a launch was not traced, in place of its counts
 *   --complete                also fail if a launch was not traced, anything was
 *                             lost, or no launch that was traced has an access
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *const classes[] = {"load", "store", "atomic"};

/* `step(int*, int)` and `void scale<float>(float*)` are step and scale. */
static void print_kernel(const char *name)
{
	static const char unnamed[] = "(anonymous namespace)::";
	size_t bytes, start;

	if (!strncmp(name, unnamed, sizeof(unnamed) - 1))
		name += sizeof(unnamed) - 1;
	start = bytes = strcspn(name, "(<");

	while (start > 0 && name[start - 1] != ' ' && name[start - 1] != ':')
		start--;
	printf("%.*s", (int)(bytes - start), name + start);
}

static int print_launch(json_t *launch, int reasons)
{
	const char *kernel = json_string_value(json_object_get(launch, "kernel"));

	if (!kernel)
		return -1;
	print_kernel(kernel);
	if (reasons && !json_is_true(json_object_get(launch, "traced"))) {
		printf(": %s\n", json_string_value(json_object_get(launch, "reason")));
		return 0;
	}
	for (size_t i = 0; i < 3; i++) {
		json_t *count = json_object_get(json_object_get(launch, "accesses"), classes[i]);
		json_t *bytes = json_object_get(json_object_get(launch, "bytes"), classes[i]);

		if (!json_is_integer(count) || !json_is_integer(bytes))
			return -1;
		printf(" %s %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT, classes[i],
		       json_integer_value(count), json_integer_value(bytes));
	}
	putchar('\n');
	return 0;
}

static int print_launches(json_t *root, int reasons)
{
	json_t *launches = json_object_get(root, "launches");
	json_t *launch;
	size_t i;

	if (!json_is_array(launches))
		return -1;
	json_array_foreach(launches, i, launch)
	{
		if (print_launch(launch, reasons) < 0)
			return -1;
	}
	return 0;
}

static int print_sites(json_t *root)
{
	json_t *sites = json_object_get(root, "sites");
	json_t *site;
	size_t i;

	if (!json_is_array(sites))
		return -1;
	json_array_foreach(sites, i, site)
	{
		const char *kernel = json_string_value(json_object_get(site, "kernel"));
		const char *class = json_string_value(json_object_get(site, "class"));
		json_t *executions = json_object_get(site, "executions");
		json_t *accesses = json_object_get(site, "accesses");

		if (!class || !json_is_integer(executions) || !json_is_integer(accesses))
			return -1;
		if (!json_integer_value(executions))
			continue;
		if (json_is_true(json_object_get(site, "reduction")))
			class = "reduction";
		print_kernel(kernel ? kernel : "device-function");
		printf(" %s %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT "\n", class,
		       json_integer_value(executions), json_integer_value(accesses));
	}
	return 0;
}

static json_int_t accesses_of(json_t *launch)
{
	json_int_t sum = 0;

	for (size_t i = 0; i < 3; i++)
		sum += json_integer_value(
		    json_object_get(json_object_get(launch, "accesses"), classes[i]));
	return sum;
}

/* Says on stderr what is missing. */
static int is_complete(json_t *root, int reasons)
{
	json_t *warnings = json_object_get(root, "warnings");
	json_t *losses = json_object_get(root, "losses");
	json_t *launch, *warning;
	int complete = json_is_true(json_object_get(root, "complete"));
	json_int_t accesses = 0;
	size_t i;

	json_array_foreach(warnings, i, warning)
	    fprintf(stderr, "launch-counts: warning: %s\n", json_string_value(warning));
	if (!json_is_array(losses) || json_array_size(losses) > 0) {
		fprintf(stderr, "launch-counts: something was lost\n");
		complete = 0;
	}
	json_array_foreach(json_object_get(root, "launches"), i, launch)
	{
		accesses += accesses_of(launch);
		if (reasons || json_is_true(json_object_get(launch, "traced")))
			continue;
		fprintf(stderr, "launch-counts: a launch of %s was not traced: %s\n",
			json_string_value(json_object_get(launch, "kernel")),
			json_string_value(json_object_get(launch, "reason")));
		complete = 0;
	}
	if (!accesses) {
		fprintf(stderr, "launch-counts: no access was recorded\n");
		complete = 0;
	}
	if (!complete)
		fprintf(stderr, "launch-counts: the trace is not complete\n");
	return complete;
}

int main(int argc, char **argv)
{
	json_error_t error = {.text = ""};
	json_t *root = json_loadf(stdin, 0, &error);
	int sites = 0, complete = 0, reasons = 0, err;

	for (int i = 1; i < argc; i++) {
		sites |= !strcmp(argv[i], "--sites");
		complete |= !strcmp(argv[i], "--complete");
		reasons |= !strcmp(argv[i], "--reasons");
	}
	err = sites ? print_sites(root) : print_launches(root, reasons);
	if (err < 0)
		fprintf(stderr, "launch-counts: not what ctpost info --json writes: %s\n",
			error.text);
	else if (complete && !is_complete(root, reasons))
		err = -1;
	json_decref(root);
	return err < 0;
}
