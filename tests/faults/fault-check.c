/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault-check FULL.json FAULTY.json [--complete|--incomplete|--shorter] [MORE]: whether the second
 * (`ctpost info --json`) may be said of a run that the first says in full
 * (compare.h), but for MORE launches after those; --shorter: the program
 * may have ended earlier. Prints how many launches are whole.
 */
#include "tests/faults/compare.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *load(const char *path)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);

	if (!root)
		fprintf(stderr, "fault-check: %s: %s\n", path, error.text);
	return root;
}

int main(int argc, char **argv)
{
	struct ct_fault_verdict verdict;
	json_t *full, *faulty;
	bool shorter = argc > 3 && !strcmp(argv[3], "--shorter");

	if (argc < 3 || argc > 5) {
		fprintf(
		    stderr,
		    "usage: fault-check FULL FAULTY [--complete|--incomplete|--shorter] [MORE]\n");
		return 2;
	}
	full = load(argv[1]);
	faulty = load(argv[2]);
	if (!full || !faulty)
		return 2;
	ct_fault_compare(full, faulty, argc > 4 ? strtoul(argv[4], NULL, 10) : 0, shorter,
			 &verdict);
	if (!*verdict.wrong && argc > 3 && !shorter &&
	    verdict.complete != !strcmp(argv[3], "--complete"))
		snprintf(verdict.wrong, sizeof(verdict.wrong), "the trace is %s",
			 verdict.complete ? "complete" : "not complete");
	printf("%zu launches, %zu whole%s%s\n", verdict.launches, verdict.whole,
	       *verdict.wrong ? ": " : "", verdict.wrong);
	json_decref(full);
	json_decref(faulty);
	return *verdict.wrong ? 1 : 0;
}
