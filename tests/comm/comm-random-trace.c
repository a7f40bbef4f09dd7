/* SPDX-License-Identifier: Apache-2.0 */
/* comm-random-trace DIR SEED [CALLS]: a random trace, to look at. */
#include "tests/comm/random_trace.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct random_plan plan = {.calls = 30};

	if (argc < 3) {
		fprintf(stderr, "usage: comm-random-trace DIR SEED [CALLS]\n");
		return 2;
	}
	plan.seed = strtoull(argv[2], NULL, 10);
	if (argc > 3)
		plan.calls = strtoull(argv[3], NULL, 10);
	random_trace(argv[1], &plan);
	return 0;
}
