/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that handle faults themselves, fork, block signals, give system calls memory whose page
 * is watched, or fault for real, while pages are protected. faults.sh runs each by its name.
 */
#include "uses.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

__global__ void fill(int *data)
{
	data[threadIdx.x] = 7;
}

static int *device, *memory;
static sigjmp_buf back;
static volatile int sum, handled;

static void fetch(void)
{
	fill<<<1, 32>>>(device);
	cudaMemcpyAsync(memory, device, 128, cudaMemcpyDeviceToHost);
	cudaDeviceSynchronize();
}

static void on_fault(int number, siginfo_t *info, void *)
{
	handled += number == SIGSEGV && info->si_addr == (void *)16;
	siglongjmp(back, 1);
}

CASE own_handler()
{
	struct sigaction action = {}, old;

	fetch();
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGSEGV, NULL, &old);
	if (old.sa_sigaction != on_fault)
		abort();
	sum = memory[40]; // a neighbour
	if (!sigsetjmp(back, 1))
		*(volatile int *)16 = 1; // the program's own fault
	sum += memory[1];
	printf("handled %d, %d\n", handled, sum);
}

static void on_trap(int)
{
	handled++;
}

CASE own_trap()
{
	fetch();
	signal(SIGTRAP, on_trap);
	sum = memory[40];
	raise(SIGTRAP);
	sum += memory[1];
	printf("handled %d, %d\n", handled, sum);
}

CASE real_fault()
{
	fetch();
	sum = memory[40];
	puts("before");
	fflush(stdout);
	*(volatile int *)16 = 1;
}

CASE forked()
{
	int status = 0;

	fetch();
	fflush(stdout);
	if (!fork()) {
		memory[0] += 1;
		_exit(memory[0] == 8 ? 3 : 4);
	}
	wait(&status);
	printf("child %d, %d\n", WEXITSTATUS(status), memory[2]);
}

CASE blocked()
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	fetch();
	sum = memory[50] + memory[3];
	printf("%d\n", sum);
}

CASE system_calls()
{
	int pipes[2], more[32];
	struct iovec list[2] = {{memory, 64}, {memory + 16, 64}};

	if (pipe(pipes))
		abort();
	fetch();
	if (writev(pipes[1], list, 2) != 128)
		abort();
	fetch();
	if (read(pipes[0], memory, 128) != 128) // into a target
		abort();
	fetch();
	if (write(pipes[1], memory + 1000, 4) != 4) // a neighbour
		abort();
	if (read(pipes[0], more, 4) != 4)
		abort();
	sum = memory[4];
	FILE *file = tmpfile();
	fetch();
	if (!file || fwrite(memory, 4, 32, file) != 32 || fclose(file))
		abort();
	printf("%d\n", sum);
}

CASE unmapped()
{
	int *mapped =
	    (int *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cudaMemcpy(mapped, device, 4096, cudaMemcpyDeviceToHost);
	munmap(mapped, 8192); // use unmapped
	puts("unmapped");
}

static void *neighbour(void *)
{
	for (int i = 0; i < 200; i++)
		memory[1024 - 8 + i % 8]++;
	return NULL;
}

CASE racing()
{
	pthread_t threads[4];

	fetch();
	for (pthread_t &thread : threads)
		pthread_create(&thread, NULL, neighbour, NULL);
	for (int i = 0; i < 200; i++)
		sum += memory[512];
	for (pthread_t &thread : threads)
		pthread_join(thread, NULL);
	printf("%d\n", memory[5]);
}

static int waiting_pipe[2];
static volatile pid_t reader; // once it is about to read

static void *read_in_vain(void *with_list)
{
	char byte;
	struct iovec list = {&byte, 1};

	reader = gettid();
	if ((with_list ? readv(waiting_pipe[0], &list, 1) : read(waiting_pipe[0], &byte, 1)) != 1)
		abort();
	return NULL;
}

/* Read, or readv. Where the system does not tell, after a while. */
static bool is_in_call()
{
	char path[64];
	int call = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)reader);
	file = reader ? fopen(path, "r") : NULL;
	if (reader && !file)
		return usleep(300000) == 0;
	if (file && fscanf(file, "%d", &call) != 1)
		call = -1;
	if (file)
		fclose(file);
	return call == SYS_read || call == SYS_readv;
}

/* A thread is in the system all the time; before it, something is protected already. */
static void beside_reader(void *with_list)
{
	int *other;
	pthread_t thread;

	cudaMallocHost(&other, 4096);
	if (pipe(waiting_pipe))
		abort();
	fill<<<1, 32>>>(device);
	cudaMemcpyAsync(other, device, 128, cudaMemcpyDeviceToHost);
	cudaDeviceSynchronize();
	pthread_create(&thread, NULL, read_in_vain, with_list);
	while (!is_in_call())
		usleep(1000);
	fetch();
	sum = memory[1];
	if (write(waiting_pipe[1], "", 1) != 1)
		abort();
	pthread_join(thread, NULL);
	printf("%d\n", sum);
}

CASE beside_read()
{
	beside_reader(NULL);
}

CASE beside_readv()
{
	beside_reader(&waiting_pipe);
}

/* Two ranges of one page: when one has been accessed the other is still protected. */
CASE neighbours()
{
	fill<<<1, 32>>>(device);
	cudaMemcpyAsync(memory, device, 64, cudaMemcpyDeviceToHost);
	cudaMemcpyAsync(memory + 256, device, 64, cudaMemcpyDeviceToHost);
	cudaDeviceSynchronize();
	sum = memory[1];
	sum += memory[258];
	printf("%d\n", sum);
}

int main(int, char **argv)
{
	static const struct {
		const char *name;
		void (*run)();
	} cases[] = {{"own_handler", own_handler}, {"own_trap", own_trap},
		     {"real_fault", real_fault},   {"forked", forked},
		     {"blocked", blocked},         {"system_calls", system_calls},
		     {"unmapped", unmapped},       {"racing", racing},
		     {"beside_read", beside_read}, {"beside_readv", beside_readv},
		     {"neighbours", neighbours}};

	cudaMalloc(&device, 4096);
	cudaMemset(device, 0, 4096);
	cudaMallocHost(&memory, 4096);
	memset(memory, 0, 4096);
	for (const auto &known : cases)
		if (strcmp(argv[1], known.name) == 0)
			known.run();
	return 0;
}
