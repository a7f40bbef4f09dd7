/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that move what is there already, and such as only look so (truth.h). All but the last of
 * them are of pinned memory and do not wait. */
#include "truth.h"

#define BLOCKS 4
#define BYTES (BLOCKS * BLOCK)

static cudaStream_t stream;
static int *result; /* on the device */
static volatile int sum;

__global__ void total(const int *data, int *sum, int n, int more)
{
	int all = more;

	for (int i = 0; i < n; i++)
		all += data[i];
	*sum = all;
}

__global__ void add(int *data, int value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

/* No other case has these. */
static void fill(int *memory, int which)
{
	for (size_t i = 0; i < BYTES / sizeof(*memory); i++)
		memory[i] = (int)(i * 7 + (unsigned)which * 1000003);
}

struct buffers {
	int *host, *device, *other;
	int *answer; /* on the host */
};

static struct buffers make(int which)
{
	struct buffers made;

	made.host = pinned(BYTES);
	fill(made.host, which);
	made.answer = pinned(BLOCK);
	cudaMalloc(&made.device, BYTES);
	cudaMalloc(&made.other, BYTES);
	cudaMemset(made.device, 0, BYTES);
	cudaMemset(made.other, 0, BYTES);
	return made;
}

/* Reads what was copied, on the device, and has the host wait for an answer that is new. */
static __attribute__((noinline)) void use(const struct buffers *made, const int *data)
{
	static int uses;

	total<<<1, 1, 0, stream>>>(data, result, BYTES / sizeof(*data), ++uses);
	last<<<1, 1, 0, stream>>>(LONG_MS / 4);
	cudaMemcpyAsync(made->answer, result, sizeof(*result), cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	sum += *made->answer;
}

CASE same_again()
{
	struct buffers made = make(1);

	for (int i = 0; i < 3; i++) {
		// problem: unnecessary-transfer 2 of 3 times
		cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
		use(&made, made.device);
		made.host[0] = made.host[0]; // the same value
	}
}

CASE target_is_written()
{
	struct buffers made = make(2);

	for (int i = 0; i < 3; i++) {
		cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
		add<<<BYTES / 256 / 4, 256, 0, stream>>>(made.device, 1);
		use(&made, made.device);
	}
}

CASE source_is_new()
{
	struct buffers made = make(3);

	for (int i = 0; i < 3; i++) {
		cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
		use(&made, made.device);
		fill(made.host, 31 + i);
	}
}

CASE to_another_place()
{
	struct buffers made = make(4);

	cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.device);
	// problem: reusable-transfer
	cudaMemcpyAsync(made.other, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.other);
}

CASE three_of_four_blocks()
{
	struct buffers made = make(5);

	cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.device);
	made.host[1] = -1;
	// problem: partly-unnecessary-transfer
	cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.device);
}

CASE there_and_back()
{
	struct buffers made = make(6);
	int *back = pinned(BYTES);

	add<<<BYTES / 256 / 4, 256, 0, stream>>>(made.device, 77);
	last<<<1, 1, 0, stream>>>(LONG_MS / 4);
	cudaMemcpyAsync(back, made.device, BYTES, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	sum += back[5];
	// problem: round-trip
	cudaMemcpyAsync(made.other, back, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.other);
}

CASE back_after_a_change()
{
	struct buffers made = make(7);
	int *back = pinned(BYTES);

	add<<<BYTES / 256 / 4, 256, 0, stream>>>(made.device, 78);
	last<<<1, 1, 0, stream>>>(LONG_MS / 4);
	cudaMemcpyAsync(back, made.device, BYTES, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	for (int i = 0; i < BLOCKS; i++)
		back[i * BLOCK / 4] = -2;
	cudaMemcpyAsync(made.other, back, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.other);
}

CASE result_again()
{
	struct buffers made = make(8);
	int *back = pinned(BYTES);

	cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	add<<<BYTES / 256 / 4, 256, 0, stream>>>(made.device, 79);
	for (int i = 0; i < 2; i++) {
		last<<<1, 1, 0, stream>>>(LONG_MS / 4);
		// problem: unnecessary-transfer 1 of 2 times
		cudaMemcpyAsync(back, made.device, BYTES, cudaMemcpyDeviceToHost, stream);
		cudaStreamSynchronize(stream);
		sum += back[5];
	}
}

/* Both a wait and a copy too many: it goes as a whole. */
CASE waits_as_well()
{
	struct buffers made = make(9);

	cudaMemcpyAsync(made.device, made.host, BYTES, cudaMemcpyHostToDevice, stream);
	use(&made, made.device);
	last<<<1, 1, 0, stream>>>(LONG_MS);
	// problem: unnecessary-transfer
	cudaMemcpy(made.device, made.host, BYTES, cudaMemcpyHostToDevice);
	work(LONG_MS);
	use(&made, made.device);
}

int main()
{
	cudaStreamCreate(&stream);
	cudaMalloc(&result, BLOCK);
	same_again();
	target_is_written();
	source_is_new();
	to_another_place();
	three_of_four_blocks();
	there_and_back();
	back_after_a_change();
	result_again();
	waits_as_well();
	printf("%d\n", sum);
	return 0;
}
