/* SPDX-License-Identifier: Apache-2.0 */
/* A program that cuda-trace has not built, and the calls that it makes of CUDA. Each `at NAME` is a
 * line that a stack must have. */
#include "tests/cli/inject/fake_cuda.h"
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int *data, launched;

static void step(void)
{
	__atomic_add_fetch(&launched, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) static void launch(int times)
{
	for (int i = 0; i < times; i++)
		play_cudaLaunchKernel(step); /* at launch */
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void recurse(int depth)
{
	if (depth)
		recurse(depth - 1); /* at recursion */
	else
		play_cudaStreamSynchronize(NULL); /* at bottom */
	__asm__ volatile("" ::: "memory");
}

static void *work(void *unused)
{
	launch(5); /* at thread */
	return unused;
}

static int run(void)
{
	pthread_t threads[2];
	int host[4] = {1, 2, 3, 4};
	void *more;

	nvtxRangePushA("solve");
	if (play_cudaMalloc((void **)&data, 64)) /* at malloc */
		return 1;
	launch(10);                                       /* at main */
	play_cudaMemcpy(data, host, sizeof(host), false); /* at copy */
	play_cudaMemcpy(host, data, 8, true);
	nvtxRangePop();
	recurse(12);
	play_cudaStreamSynchronize((void *)1); /* refused */
	play_cudaGetLastError();
	play_cudaStreamBeginCapture();
	if (play_cuMemAlloc_v2(&more, 64)) /* at driver */
		return 1;
	free(more); /* of memory as the host has it */
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return data[3] != 4 || launched != 20;
}

/* The second time that the journal's file grows, all from before is in it. */
static void wait_for_journal(void)
{
	char path[4096];
	struct stat before, now;

	snprintf(path, sizeof(path), "%s/tables-0.ct", getenv("CUDATRACE_OUTPUT"));
	for (int i = 0; i < 2; i++) {
		if (stat(path, &before) != 0)
			before.st_size = 0;
		do {
			play_cudaStreamSynchronize(NULL);
			usleep(10000);
		} while (stat(path, &now) != 0 || now.st_size == before.st_size);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int status = 0;

	if (!strcmp(mode, "none"))
		return 3;
	if (!strcmp(mode, "forked") && fork() != 0) /* only the child uses CUDA */
		return wait(&status) < 0 || WEXITSTATUS(status) != 0;
	if (run())
		return 1;
	if (!strcmp(mode, "fork")) {
		if (fork() == 0) {
			launch(1);
			_exit(7);
		}
		wait(&status);
		launch(1);
		return WEXITSTATUS(status) != 7;
	}
	if (!strcmp(mode, "kill") || !strcmp(mode, "_exit"))
		wait_for_journal();
	if (!strcmp(mode, "kill"))
		raise(SIGKILL);
	if (!strcmp(mode, "_exit"))
		_exit(0);
	printf("%d launches\n", launched);
	return 0;
}
