/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose pages are special: huge ones, and such as they fill themselves when they are
 * accessed first (userfaultfd). ffm-faults.sh runs each by its name. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES (4u << 20)
#define PAGE 4096u

__global__ void fill(int *data, int rounds)
{
	int value = 0;

	for (int i = 0; i < rounds; i++)
		value = value * 3 + i;
	data[blockIdx.x * blockDim.x + threadIdx.x] = value + (int)threadIdx.x;
}

static int *device;

static void fetch(int *host)
{
	fill<<<BYTES / 4 / 256, 256>>>(device, 100);
	cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost);
	cudaDeviceSynchronize();
}

static void *map()
{
	void *memory =
	    mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	return (void *)(((uintptr_t)memory + BYTES - 1) & ~(uintptr_t)(BYTES - 1));
}

static void huge_pages()
{
	int *host = (int *)map();

	madvise(host, BYTES, MADV_HUGEPAGE);
	memset(host, 0, BYTES);
	for (int i = 0; i < 3; i++) {
		fetch(host);
		printf("%d %d\n", host[3], host[BYTES / 4 - 1]);
	}
}

/* Fills a page with its number when it is missing. */
static void *serve(void *given)
{
	int fd = *(int *)given;
	struct uffd_msg message;
	static char page[PAGE] __attribute__((aligned(PAGE)));

	while (read(fd, &message, sizeof(message)) == sizeof(message)) {
		uint64_t at = message.arg.pagefault.address & ~(uint64_t)(PAGE - 1);
		struct uffdio_copy copy = {.dst = at, .src = (uint64_t)page, .len = PAGE};

		memset(page, 7, PAGE);
		ioctl(fd, UFFDIO_COPY, &copy);
	}
	return NULL;
}

/* Where it is not allowed, the memory is filled at once. */
static bool serve_pages(char *memory)
{
	static int fd;
	struct uffdio_api api = {.api = UFFD_API, .features = 0};
	struct uffdio_register range = {.range = {(uint64_t)memory, BYTES},
					.mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t thread;

	fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0 &&
	       ioctl(fd, UFFDIO_REGISTER, &range) == 0 &&
	       pthread_create(&thread, NULL, serve, &fd) == 0;
}

static void by_userfaultfd()
{
	char *memory = (char *)map();
	int *host;

	if (!serve_pages(memory))
		memset(memory, 7, BYTES);
	cudaMallocHost(&host, BYTES);
	for (int i = 0; i < 3; i++) {
		fetch(host);
		printf("%d %d\n", host[3], memory[i * PAGE]);
	}
}

int main(int, char **argv)
{
	cudaMalloc(&device, BYTES);
	if (strcmp(argv[1], "huge_pages") == 0)
		huge_pages();
	else
		by_userfaultfd();
	return 0;
}
