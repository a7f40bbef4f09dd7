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
#include "tests/e2e/info.h"
#include <stdio.h>
#include <string.h>

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

static const char *reason_of(const struct ct_info_launch *launch)
{
	const char *reason = json_string_value(json_object_get(launch->row, "reason"));

	return reason ? reason : "";
}

static int print_launches(json_t *root, int reasons)
{
	struct ct_info_launches launches;
	int err = ct_info_launches_init(&launches, root);

	for (size_t i = 0; i < launches.count && err == 0; i++) {
		const struct ct_info_launch *launch = &launches.list[i];

		print_kernel(launch->kernel);
		if (reasons && !json_is_true(json_object_get(launch->row, "is_traced"))) {
			printf(": %s\n", reason_of(launch));
			continue;
		}
		for (size_t c = 0; c < CT_INFO_CLASSES; c++)
			printf(" %s %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT,
			       ct_info_class[c], launch->threads[c], launch->bytes[c]);
		putchar('\n');
	}
	ct_info_launches_fini(&launches);
	return err;
}

/* The row of the unit's site; NULL: there is none. Rows are in order. */
static json_t *site_of(json_t *root, json_t *count)
{
	static size_t at;
	json_t *sites = json_object_get(root, "sites"), *site = NULL;

	for (; (site = json_array_get(sites, at)); at++)
		if (json_equal(json_object_get(site, "unit"), json_object_get(count, "unit")) &&
		    json_equal(json_object_get(site, "site"), json_object_get(count, "site")))
			break;
	return site;
}

/* The name of the kernel that holds the site; NULL: a device function. */
static const char *kernel_of(json_t *root, json_t *site)
{
	json_t *number = json_object_get(site, "kernel_number");
	json_t *kernel = json_is_integer(number)
			     ? json_array_get(json_object_get(root, "kernels"),
					      (size_t)json_integer_value(number))
			     : NULL;

	return json_string_value(json_object_get(kernel, "name"));
}

static int print_sites(json_t *root)
{
	json_t *counts = json_object_get(root, "site_counts");
	json_t *count;
	size_t i;

	if (!json_is_array(counts))
		return -1;
	json_array_foreach(counts, i, count)
	{
		json_t *site = site_of(root, count);
		const char *kernel = kernel_of(root, site);
		const char *class = json_string_value(json_object_get(site, "class"));
		json_t *warps = json_object_get(count, "warps");
		json_t *threads = json_object_get(count, "threads");

		if (!class || !json_is_integer(warps) || !json_is_integer(threads))
			return -1;
		if (json_is_true(json_object_get(site, "is_reduction")))
			class = "reduction";
		print_kernel(kernel ? kernel : "device-function");
		printf(" %s %" JSON_INTEGER_FORMAT " %" JSON_INTEGER_FORMAT "\n", class,
		       json_integer_value(warps), json_integer_value(threads));
	}
	return 0;
}

/* Says on stderr what of the launches is missing. */
static int are_complete(json_t *root, int reasons)
{
	struct ct_info_launches launches;
	int complete = ct_info_launches_init(&launches, root) == 0;
	json_int_t accesses = 0;

	for (size_t i = 0; i < launches.count; i++) {
		const struct ct_info_launch *launch = &launches.list[i];

		for (size_t c = 0; c < CT_INFO_CLASSES; c++)
			accesses += launch->threads[c];
		if (reasons || json_is_true(json_object_get(launch->row, "is_traced")))
			continue;
		fprintf(stderr, "launch-counts: a launch of %s was not traced: %s\n",
			launch->kernel, reason_of(launch));
		complete = 0;
	}
	if (!accesses) {
		fprintf(stderr, "launch-counts: no access was recorded\n");
		complete = 0;
	}
	ct_info_launches_fini(&launches);
	return complete;
}

/* Likewise of all. */
static int is_complete(json_t *root, int reasons)
{
	json_t *warnings = json_object_get(root, "warnings");
	json_t *losses = json_object_get(root, "losses");
	json_t *warning;
	int complete = ct_info_is_complete(root);
	size_t i;

	json_array_foreach(warnings, i, warning)
	    fprintf(stderr, "launch-counts: warning: %s\n",
		    json_string_value(json_object_get(warning, "text")));
	if (!json_is_array(losses) || json_array_size(losses) > 0) {
		fprintf(stderr, "launch-counts: something was lost\n");
		complete = 0;
	}
	if (!are_complete(root, reasons))
		complete = 0;
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
