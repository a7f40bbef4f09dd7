/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_measure COMMAND...: seconds elapsed, CPU seconds of all its processes,
 * and the most KiB that one of them held, on stderr's last line; the exit status
 * is the command's. bench_measure --memcpy: bytes per second of memcpy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COPY_BYTES (256u << 20)
#define COPIES 8

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int measure_memcpy(void)
{
	char *from = malloc(COPY_BYTES), *to = malloc(COPY_BYTES);
	double best = 0;

	if (!from || !to)
		return 1;
	memset(from, 1, COPY_BYTES);
	for (int i = 0; i < COPIES; i++) {
		double start = now(), speed;

		memcpy(to, from, COPY_BYTES);
		speed = COPY_BYTES / (now() - start);
		from[i] = to[COPY_BYTES - 1 - i];
		best = speed > best ? speed : best;
	}
	printf("%.0f\n", best);
	free(from);
	free(to);
	return 0;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now();
	int status;
	pid_t child;

	if (argc == 2 && !strcmp(argv[1], "--memcpy"))
		return measure_memcpy();
	if (argc < 2) {
		fprintf(stderr, "usage: bench_measure COMMAND...\n");
		return 2;
	}
	child = fork();
	if (child == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("bench_measure");
		return 1;
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(stderr, "\n%.6f %.6f %ld\n", now() - start,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
