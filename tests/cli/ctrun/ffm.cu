/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for ctrun ffm: a wait that nothing needs, one that is needed later, an allocation that
 * is freed while work is pending. Its first argument says what else it does:
 *
 *	reads		copies its standard input to its output
 *	ends STATUS	ends with this status
 *	aborts, waits	in stage 3 it aborts; tells so by the file "waiting" and waits for its end
 *	differs		makes a call more in each run, which it counts in the file "runs"
 *	nothing		makes no call of CUDA
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void spin(int *data, int rounds)
{
	int value = data[threadIdx.x];

	for (int i = 0; i < rounds; i++)
		value = value * 3 + i;
	data[threadIdx.x] = value;
}

static volatile long sink;

static void work()
{
	for (int i = 0; i < 3000000; i++)
		sink += i;
}

static void read_input()
{
	char text[256];

	while (fgets(text, sizeof(text), stdin))
		fputs(text, stdout);
}

/* Stage 3 is the one that looks at contents. */
static bool is_in_stage_3()
{
	const char *contents = getenv("CUDATRACE_CONTENTS");

	return contents && strcmp(contents, "on") == 0;
}

static void wait_in_stage_3()
{
	FILE *waiting = is_in_stage_3() && access("go", F_OK) < 0 ? fopen("waiting", "w") : NULL;

	if (!waiting)
		return;
	fclose(waiting);
	for (;;)
		pause();
}

static int count_run()
{
	FILE *file = fopen("runs", "a+");
	int run = 0;

	if (!file)
		abort();
	while (getc(file) != EOF)
		run++;
	putc('.', file);
	fclose(file);
	return run;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int *device, *host, *temporary;
	int more = strcmp(what, "differs") == 0 ? count_run() : 0;

	if (strcmp(what, "reads") == 0)
		read_input();
	if (strcmp(what, "nothing") == 0)
		return 0;
	cudaMalloc(&device, 4096);
	cudaMallocHost(&host, 4096);
	cudaMemset(device, 1, 4096);
	for (int i = 0; i < 4; i++) {
		spin<<<1, 32>>>(device, 200000);
		cudaDeviceSynchronize();
		spin<<<1, 32>>>(device, 200000);
		cudaMemcpyAsync(host, device, 4096, cudaMemcpyDeviceToHost);
		cudaStreamSynchronize(0);
		work();
		sink += host[7];
		cudaMalloc(&temporary, 4096);
		spin<<<1, 32>>>(device, 200000);
		cudaFree(temporary);
	}
	for (int i = 0; i < more; i++)
		cudaMemset(device, 0, 4096);
	if (strcmp(what, "waits") == 0)
		wait_in_stage_3();
	if (strcmp(what, "aborts") == 0 && is_in_stage_3())
		abort();
	printf("%d\n", host[7]);
	return strcmp(what, "ends") == 0 ? atoi(argv[2]) : 0;
}
