// SPDX-License-Identifier: Apache-2.0
// Does what programs do with processes, threads and signals around CUDA; one case a run.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAUNCHES 50

extern char **environ;

__global__ void count(int *p)
{
	p[threadIdx.x] += 1;
}

__global__ void hold(volatile int *flag)
{
	while (!*flag)
		;
}

static int *counts, *flag;

static void tell_of_exit()
{
	puts("exit");
	fflush(stdout);
}

static int begin()
{
	cudaMalloc(&counts, 32 * sizeof(int));
	cudaMemset(counts, 0, 32 * sizeof(int));
	cudaMallocHost(&flag, sizeof(int));
	*flag = 0;
	count<<<1, 32>>>(counts);
	return cudaDeviceSynchronize();
}

// Every call of a child fails, and returns.
static void use_in_child()
{
	int *p = counts, value = -1;

	cudaError_t allocates = cudaMalloc(&p, 4);
	count<<<1, 1>>>(counts);
	cudaError_t launches = cudaGetLastError();
	cudaError_t copies = cudaMemcpy(&value, counts, 4, cudaMemcpyDeviceToHost);
	int device = -1;
	cudaError_t asks = cudaGetDevice(&device), waits = cudaDeviceSynchronize();
	cudaStream_t stream;
	cudaError_t streams = cudaStreamCreate(&stream);
	printf("child %d %d %d %d %d %d, %d %d %d\n", allocates, launches, copies, asks, waits,
	       streams, p == counts, value, device);
	fflush(stdout);
}

static int wait_for(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1) < 0;
}

static void *use(void *)
{
	usleep(50000);
	count<<<1, 32>>>(counts);
	printf("thread %d\n", cudaDeviceSynchronize());
	return NULL;
}

static void *wait_for_kernel(void *)
{
	hold<<<1, 1>>>(flag);
	cudaDeviceSynchronize();
	pthread_testcancel();
	puts("not cancelled");
	return NULL;
}

static void *leave(void *)
{
	count<<<1, 32>>>(counts);
	exit(7);
}

static void *use_own_stream(void *)
{
	count<<<1, 32, 0, cudaStreamPerThread>>>(counts);
	return NULL;
}

static int run_threads()
{
	int value = 0;

	for (int i = 0; i < LAUNCHES; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, use_own_stream, NULL);
		pthread_join(thread, NULL);
	}
	cudaDeviceSynchronize();
	cudaMemcpy(&value, counts, sizeof(value), cudaMemcpyDeviceToHost);
	return printf("count %d\n", value) < 0;
}

static int cancel()
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, wait_for_kernel, NULL);
	usleep(100000);
	pthread_cancel(thread);
	usleep(50000);
	*flag = 1;
	pthread_join(thread, &result);
	count<<<1, 32>>>(counts);
	return printf("cancelled %d, then %d\n", result == PTHREAD_CANCELED,
		      cudaDeviceSynchronize()) < 0;
}

// Threads of the runtime take none of the program's signals.
static int take_signals()
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < LAUNCHES; i++) {
		int number = 0;

		kill(getpid(), SIGUSR1);
		sigwait(&set, &number);
		count<<<1, 32>>>(counts);
	}
	return printf("signals %d\n", cudaDeviceSynchronize()) < 0;
}

static int make_child(const char *how, char *name)
{
	char *const words[] = {name, (char *)"threads", NULL};
	bool raw = !strcmp(how, "raw");
	pid_t child = 0;

	if (!strcmp(how, "spawn")) {
		posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ);
		return wait_for(child);
	}
	if (!strcmp(how, "running"))
		hold<<<1, 1>>>(flag);
	child = raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	if (child == 0) {
		use_in_child();
		if (raw)
			_exit(3);
		exit(3);
	}
	wait_for(child);
	*flag = 1;
	count<<<1, 32>>>(counts);
	return printf("parent %d\n", cudaDeviceSynchronize()) < 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;

	atexit(tell_of_exit);
	if (!strcmp(how, "before")) {
		pid_t child = fork();

		printf("%s %d\n", child ? "parent" : "child", begin());
		return child ? wait_for(child) : 0;
	}
	begin();
	if (!strcmp(how, "threads"))
		return run_threads();
	if (!strcmp(how, "cancel"))
		return cancel();
	if (!strcmp(how, "signals"))
		return take_signals();
	if (!strcmp(how, "main") || !strcmp(how, "alone")) {
		if (*how == 'm')
			pthread_create(&thread, NULL, use, NULL);
		pthread_exit(NULL);
	}
	if (!strcmp(how, "exit")) {
		pthread_create(&thread, NULL, leave, NULL);
		for (;;)
			pause();
	}
	return make_child(how, argv[0]);
}
