/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm-agree TRACE: does the analysis agree with the naive one on this
 * trace? Under mpirun, too.
 * comm-agree --seeds=FIRST-LAST [--calls=N] [--directory=DIR]: on random traces.
 * --variants=REGEX: not all of the variants below.
 * --only=REGEX, --except=REGEX: differences in those figures count, or do not.
 * What fails is made as small as it gets and is left in DIR.
 */
#include "tests/comm/agree.h"
#include "tests/comm/random_trace.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_id_span spans[] = {{3, 12}, {1, 1}, {2, 5}, {7, 7}};
static char *objects[] = {"left", "random.cu:21", "2"};
static struct ct_cta_choice ctas[] = {{.linear = {1, 3}}, {.linear = {6, 6}}};
static struct ct_site_choice sites[] = {{.number = 0}, {.number = 3}, {.number = 5}};

static const struct ct_selection by_kernel = {.kernels = "alpha|gamma"};
static const struct ct_selection by_launch = {.launch = spans, .launches = 1};
static const struct ct_selection by_launches = {.launch = spans + 2, .launches = 2};
static const struct ct_selection by_stream = {.stream = spans + 1, .streams = 1};
static const struct ct_selection by_name = {.object = objects, .objects = 1};
static const struct ct_selection by_place = {.object = objects + 1, .objects = 1};
static const struct ct_selection by_id = {.object = objects + 2, .objects = 1};
static const struct ct_selection by_objects = {.object = objects, .objects = 2};
static const struct ct_selection by_cta = {.cta = ctas, .ctas = 2};
static const struct ct_selection by_site = {.site = sites, .sites = 3};

#define TINY (1u << 20) /* far less than is asked for: as little as it can do with */

/* The question that is asked. The naive analysis knows nothing of threads and memory. */
static const struct {
	const char *name;
	struct ct_comm_options options;
} variant[] = {
    {"plain", {.threads = 1}},
    {"threads=2", {.threads = 2}},
    {"threads=16", {.threads = 16, .views = true}},
    {"memory", {.threads = 2, .memory_bytes = TINY}},
    {"products", {.threads = 2, .many_ctas = 1, .views = true}},
    {"products-self", {.threads = 1, .many_ctas = 1, .self = true}},
    {"self", {.threads = 1, .self = true}},
    {"kernels", {.threads = 1, .views = true, .selection = &by_kernel}},
    {"launches", {.threads = 1, .selection = &by_launch}},
    {"launches-listed", {.threads = 1, .selection = &by_launches}},
    {"stream", {.threads = 1, .selection = &by_stream}},
    {"object-name", {.threads = 1, .selection = &by_name}},
    {"object-site", {.threads = 1, .selection = &by_place}},
    {"object-id", {.threads = 1, .selection = &by_id}},
    {"objects-listed", {.threads = 1, .selection = &by_objects}},
    {"ctas", {.threads = 2, .selection = &by_cta}},
    {"sites", {.threads = 1, .selection = &by_site}},
    {"density",
     {.threads = 1, .views = true, .density_first = 2, .density_last = 14, .density_bins = 4}},
};
#define VARIANTS (sizeof(variant) / sizeof(*variant))

/* A filter that nothing matches is refused. */
static bool nothing_passes(const struct reference *reference)
{
	const struct ct_selection *s = reference->options.selection;

	if (!s)
		return false;
	if ((s->kernels || s->streams || s->launches) && !reference->figures.launches)
		return true;
	for (size_t i = 0; i < s->objects; i++)
		if (!reference_has_object(reference, s->object[i]))
			return true;
	return false;
}

static regex_t chosen;
static bool has_chosen;

static bool is_chosen(size_t v)
{
	return !has_chosen || !regexec(&chosen, variant[v].name, 0, NULL, 0);
}

static struct reference reference; /* of the trace at hand */
static bool is_referred;

static void forget_reference(void)
{
	if (is_referred)
		reference_close(&reference);
	is_referred = false;
}

/* The result of the naive analysis does not depend on more than these. */
static bool is_same_to_reference(const struct ct_comm_options *a, const struct ct_comm_options *b)
{
	return a->selection == b->selection && a->self == b->self &&
	       a->density_first == b->density_first && a->density_last == b->density_last &&
	       a->density_bins == b->density_bins;
}

static int refer(const char *trace, const struct ct_comm_options *options)
{
	char why[512] = "";
	int err;

	if (is_referred && is_same_to_reference(&reference.options, options)) {
		reference.options = *options;
		return 0;
	}
	forget_reference();
	err = reference_open(&reference, trace, options, why, sizeof(why));
	if (err < 0)
		fprintf(stderr, "%s\n", why);
	is_referred = err >= 0;
	return err;
}

static int compare(const char *trace, size_t v, struct ct_ranks *ranks, struct disagreement *found)
{
	struct ct_comm_options options = variant[v].options;
	struct ct_comm *comm = NULL;
	char why[CT_WHY_BYTES];
	int err;

	memset(found, 0, sizeof(*found));
	if (!is_chosen(v))
		return 0;
	options.ranks = ranks;
	options.transfers = !options.many_ctas;
	options.deliveries = true;
	err = refer(trace, &options);
	if (err < 0)
		return err;
	err = ct_comm_open(&comm, trace, &options, why);
	if ((err == -EINVAL && nothing_passes(&reference)) ||
	    (options.selection && options.selection->objects && reference.is_open)) {
		ct_comm_close(comm);
		return 0;
	}
	if (err < 0) {
		fprintf(stderr, "%s: %s\n", variant[v].name, why);
		disagree(found, "ct_comm_open", 0, err);
	} else if (ranks->rank == 0) {
		agree_figures(&reference, ct_comm_figures(comm), found);
		agree_views(&reference, ct_comm_figures(comm), found);
		agree_relations(&reference, ct_comm_figures(comm), found);
		agree_order(&reference, ct_comm_order(comm), found);
	}
	if (err >= 0 && !options.memory_bytes)
		agree_scaling(&reference, comm, ranks, found);
	if (err >= 0 && ranks->size == 1 && options.transfers)
		agree_lists(&reference, comm, found);
	ct_comm_close(comm);
	return 0;
}

static bool fails(const char *directory, struct random_plan *plan, size_t v, struct ct_ranks *ranks,
		  struct disagreement *found)
{
	forget_reference();
	random_trace(directory, plan);
	if (compare(directory, v, ranks, found) < 0)
		abort();
	return found->count > 0;
}

/* Leave out what is not needed for it to fail, halves first. */
static void drop(const char *directory, struct random_plan *plan, size_t v, struct ct_ranks *ranks,
		 bool *dropped, size_t count)
{
	struct disagreement found;
	bool *before = must_have(count, sizeof(*before));

	for (size_t step = (count + 1) / 2; step; step = step > 1 ? (step + 1) / 2 : 0) {
		for (size_t i = 0; i < count; i += step) {
			size_t n = count - i < step ? count - i : step;

			memcpy(before, dropped, count * sizeof(*before));
			memset(dropped + i, true, n * sizeof(*dropped));
			if (memcmp(before, dropped, count * sizeof(*before)) != 0 &&
			    !fails(directory, plan, v, ranks, &found))
				memcpy(dropped, before, count * sizeof(*before));
		}
	}
	free(before);
}

static void minimise(const char *directory, struct random_plan *plan, size_t v,
		     struct ct_ranks *ranks)
{
	struct disagreement found;

	plan->drop_call = must_have(plan->calls, sizeof(bool));
	drop(directory, plan, v, ranks, plan->drop_call, plan->calls);
	fails(directory, plan, v, ranks, &found); /* counts the accesses that are left */
	if (plan->accesses) {
		plan->drop_access = must_have(plan->accesses, sizeof(bool));
		drop(directory, plan, v, ranks, plan->drop_access, plan->accesses);
	}
	fails(directory, plan, v, ranks, &found);
	printf("at its smallest, in %s:\n%s", directory, found.text);
	free(plan->drop_call);
	free(plan->drop_access);
}

static int check_seeds(uint64_t first, uint64_t last, size_t calls, const char *directory,
		       struct ct_ranks *ranks)
{
	int failures = 0;

	for (uint64_t seed = first; seed <= last && failures < 3; seed++) {
		struct random_plan plan = {.seed = seed, .calls = calls};
		struct disagreement found;
		char path[512];
		size_t v = 0;

		snprintf(path, sizeof(path), "%s/seed-%llu.ctrace", directory,
			 (unsigned long long)seed);
		forget_reference();
		random_trace(path, &plan);
		for (v = 0; v < VARIANTS; v++)
			if (compare(path, v, ranks, &found) < 0 || found.count)
				break;
		if (v == VARIANTS)
			continue;
		failures++;
		printf("seed %llu, %s: %u differences\n%s", (unsigned long long)seed,
		       variant[v].name, found.count, found.text);
		minimise(path, &plan, v, ranks);
		fflush(stdout);
	}
	printf("seeds %llu to %llu, %zu calls, %zu variants: %d disagree\n",
	       (unsigned long long)first, (unsigned long long)last, calls, VARIANTS, failures);
	return failures;
}

/* Every rank compares what it knows. */
static int check_trace(const char *trace, struct ct_ranks *ranks)
{
	int failures = 0;

	for (size_t v = 0; v < VARIANTS; v++) {
		struct disagreement found;

		if (compare(trace, v, ranks, &found) < 0)
			return 1;
		failures += found.count > 0;
		if (found.count)
			printf("%s, %s: %u differences\n%s", trace, variant[v].name, found.count,
			       found.text);
	}
	return failures;
}

int main(int argc, char **argv)
{
	unsigned long long first = 0, last = 0, calls = 40;
	const char *directory = "/tmp", *only = NULL, *except = NULL;
	const char *trace = NULL;
	struct ct_ranks *ranks;
	int failures;
	char why[256];

	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "--seeds=%llu-%llu", &first, &last) == 2 ||
		    sscanf(argv[i], "--calls=%llu", &calls) == 1)
			continue;
		if (strncmp(argv[i], "--directory=", 12) == 0)
			directory = argv[i] + 12;
		else if (strncmp(argv[i], "--variants=", 11) == 0)
			has_chosen = !regcomp(&chosen, argv[i] + 11, REG_EXTENDED | REG_NOSUB);
		else if (strncmp(argv[i], "--only=", 7) == 0)
			only = argv[i] + 7;
		else if (strncmp(argv[i], "--except=", 9) == 0)
			except = argv[i] + 9;
		else
			trace = argv[i];
	}
	if (!trace && !last) {
		fprintf(stderr, "usage: comm-agree TRACE\n"
				"       comm-agree --seeds=FIRST-LAST [--calls=N] "
				"[--directory=DIR]\n");
		return 2;
	}
	agree_about(only, except);
	if (ct_ranks_open(&ranks, why, sizeof(why)) < 0) {
		fprintf(stderr, "comm-agree: %s\n", why);
		return 2;
	}
	failures =
	    trace ? check_trace(trace, ranks) : check_seeds(first, last, calls, directory, ranks);
	forget_reference();
	ct_ranks_close(ranks);
	return failures ? 1 : 0;
}
