// SPDX-License-Identifier: Apache-2.0
// A program of several processes: what each does to the same device variable.
//
//   many write N        a kernel stores to N words
//   many read N         a kernel loads N words that no kernel of this process has stored
//   many exec N M...    writes M words in a process of its own for each M, then N itself
//   many fork N M...    the same with fork alone, before CUDA is used
//   many killed N       writes N words, then waits to be killed
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 65536

__device__ int board[WORDS];
__device__ int seen;

__global__ void write(int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		board[i] = i;
}

__global__ void read(int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && board[i] == -1)
		seen = 1;
}

static int run(void (*kernel)(int), int n)
{
	kernel<<<(n + 63) / 64, 64>>>(n);
	return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

static int wait_for(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0, failed = 0;
	bool execs = argc > 1 && !strcmp(argv[1], "exec"),
	     forks = argc > 1 && !strcmp(argv[1], "fork");
	pid_t child[16];

	if (n < 1 || n > WORDS || argc > 16)
		return 2;
	if (!strcmp(argv[1], "read"))
		return run(read, n);
	for (int i = 3; (execs || forks) && i < argc; i++) {
		child[i] = fork();
		if (child[i] == 0 && execs)
			return execl("/proc/self/exe", argv[0], "write", argv[i], (char *)NULL);
		if (child[i] == 0)
			exit(run(write, atoi(argv[i])));
	}
	failed = run(write, n);
	for (int i = 3; (execs || forks) && i < argc; i++)
		failed |= wait_for(child[i]);
	if (!strcmp(argv[1], "killed")) {
		alarm(300); // of whoever is forgotten
		for (;;)
			pause();
	}
	return failed;
}
