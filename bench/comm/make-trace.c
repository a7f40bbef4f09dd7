/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_comm_trace SHAPE ACCESSES DIR: a large trace. ACCESSES are those of threads, at
 * least; prints how many there are, and the bytes of records. Without arguments: the
 * names of the shapes.
 */
#include "trace.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const struct bench_shape *shape = bench_shapes;
	uint64_t wanted = argc == 4 ? strtoull(argv[2], NULL, 10) : 0, accesses, bytes;

	for (; argc == 1 && shape->name; shape++)
		printf("%s\n", shape->name);
	if (argc == 1)
		return 0;
	while (wanted && shape->name && strcmp(shape->name, argv[1]) != 0)
		shape++;
	if (!wanted || !shape->name) {
		fprintf(stderr, "usage: bench_comm_trace [SHAPE ACCESSES DIR]\n");
		return 2;
	}
	accesses = bench_write(shape, wanted, argv[3], &bytes);
	printf("%" PRIu64 " %" PRIu64 "\n", accesses, bytes);
	return 0;
}
