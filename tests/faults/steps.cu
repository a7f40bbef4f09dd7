/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps LAUNCHES [ENDING]: launches of three kernels whose counts depend on
 * nothing, in two streams, waited for now and then; then an end:
 *
 *   return (default)
 *   exit, _exit, abort     while a kernel is running
 *   handler                a signal handler that calls exit, while a kernel is running
 *   anywhere               the same, wherever the program is: a timer sends the signal
 *   allocator              the same, in the middle of malloc, which holds its lock
 *   fork                   a child is forked in the middle; both go on, the child without CUDA
 *   trap                   the last kernel fails
 *   endless                exit while a kernel is running that never ends
 *   burst                  5000 launches that are not waited for, then 1000 that are waited for one
 *                          by one, and return
 *   burst-on               the same, but what tells the host that one of the 1000 has ended is a
 *                          host function; no call of CUDA waits
 */
#include "feature.h"
#include <csignal>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CTAS = 8, THREADS = 96, COUNT = CTAS * THREADS };

__global__ void fill(unsigned *data, unsigned value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(const unsigned *from, unsigned *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	for (unsigned k = 0; k < 8; k++)
		to[i] += from[(i * 7 + k * 31) % COUNT];
}

__global__ void spread(const unsigned *from, unsigned *counts)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i % 3)
		atomicAdd(&counts[from[i] % 64], 1);
}

__device__ static unsigned long long now_ns()
{
	unsigned long long now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	return now;
}

/* Some time without an access, or for ever, and another store. */
__global__ void linger(unsigned *data, bool ends)
{
	unsigned long long start = now_ns();

	data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
	while (!ends || now_ns() - start < 50000000)
		__nanosleep(100000);
	data[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}

__global__ void fail(unsigned *data)
{
	data[threadIdx.x] = 1;
	if (threadIdx.x == 5)
		__trap();
}

static void on_signal(int)
{
	exit(0);
}

static void set_timer(int us)
{
	struct itimerval timer = {};

	signal(SIGALRM, on_signal);
	timer.it_value.tv_usec = us;
	setitimer(ITIMER_REAL, &timer, nullptr);
}

static void fork_child()
{
	pid_t child = fork();
	int status = -1;

	if (child == 0)
		exit(7);
	check("the child ends",
	      waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void step(unsigned launch, unsigned *a, unsigned *b, cudaStream_t stream)
{
	if (launch % 3 == 0)
		fill<<<CTAS, THREADS, 0, stream>>>(a, launch);
	else if (launch % 3 == 1)
		add<<<CTAS, THREADS, 0, stream>>>(a, b);
	else
		spread<<<CTAS, THREADS, 0, stream>>>(a, b);
	need(cudaGetLastError(), "launch");
}

/* The heap grows by brk, which sends a signal from here on. A sanitizer's allocator maps memory. */
static void end_in_allocator()
{
	static struct sock_filter rules[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_brk, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(*rules), rules};
	void *volatile memory;

	signal(SIGSYS, on_signal);
	check("the filter is there", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
					 prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	for (int i = 0; i < 4096; i++)
		memory = malloc(60000);
}

/* Ends the program while a kernel runs; the kernel is in a stream of its own. */
static void end_in_flight(const char *how, unsigned *data, cudaStream_t stream)
{
	linger<<<2, 32, 0, stream>>>(data, strcmp(how, "endless") != 0);
	need(cudaGetLastError(), "launch");
	usleep(20000);
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "handler")) {
		set_timer(1);
		need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		pause();
	}
	if (!strcmp(how, "allocator"))
		end_in_allocator();
	exit(0);
}

static void set(void *flag)
{
	__atomic_store_n((int *)flag, 1, __ATOMIC_RELEASE);
}

static void wait_without_a_call(cudaStream_t stream)
{
	int flag = 0;

	need(cudaLaunchHostFunc(stream, set, &flag), "cudaLaunchHostFunc");
	while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
		usleep(10);
}

static void burst(unsigned *a, unsigned *b, cudaStream_t stream, bool waits)
{
	static const char over[] = "burst is over\n"; /* io.c looks for it */

	for (unsigned launch = 0; launch < 6000; launch++) {
		step(launch, a, b, stream);
		if (launch >= 4999 && waits)
			need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		else if (launch >= 4999)
			wait_without_a_call(stream);
		if (launch == 4999 && write(STDERR_FILENO, over, sizeof(over)) < 0)
			exit(1);
	}
}

int main(int argc, char **argv)
{
	unsigned launches = argc > 1 ? (unsigned)atoi(argv[1]) : 12;
	const char *how = argc > 2 ? argv[2] : "return";
	unsigned *a = device_array<unsigned>(COUNT), *b = device_array<unsigned>(COUNT);
	cudaStream_t streams[2];

	for (cudaStream_t &stream : streams)
		need(cudaStreamCreate(&stream), "cudaStreamCreate");
	if (!strcmp(how, "anywhere"))
		set_timer(argc > 3 ? atoi(argv[3]) : 1000);
	for (unsigned launch = 0; launch < launches; launch++) {
		step(launch, a, b, streams[launch / 8 % 2]);
		if (launch % 8 == 7)
			need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		if (launch == launches / 2 && !strcmp(how, "fork"))
			fork_child();
	}
	if (!strncmp(how, "burst", 5)) {
		burst(a, b, streams[0], !strcmp(how, "burst"));
		return finish();
	}
	if (!strcmp(how, "trap")) {
		need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		fail<<<1, 32>>>(a);
		check("the failure is reported", cudaDeviceSynchronize() != cudaSuccess);
		return 3;
	}
	if (strcmp(how, "return") && strcmp(how, "fork") && strcmp(how, "anywhere"))
		end_in_flight(how, a, streams[0]);
	return finish();
}
