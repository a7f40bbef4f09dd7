/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over memory of which a few bytes are armed: for each loop and each place of these the
 * program prints the offset of the first one that is accessed, by going through the same loop
 * with numbers in place of memory; 1 where it is none, and the byte there is read afterwards.
 *
 *	loops alone|between	between: some bytes before and behind all of it are armed, too, and
 *				never accessed
 */
#include "uses.h"

__global__ void fill(int *data)
{
	data[threadIdx.x] = 0;
}

#define COUNT 3001
#define ARMED 32 /* ints */

static int *memory, *other, *device, *next;
static cudaStream_t stream;
static volatile int sum;
static volatile long fifty = 50;

/* A loop does this with each place: reads or writes it, or looks whether it is the first. */
struct Load {
	int result;
	bool operator()(const int *array, long i)
	{
		result += array[i];
		return array[i] == 12345;
	}
};

struct Store {
	int result;
	bool operator()(int *array, long i)
	{
		array[i] = (int)i;
		return false;
	}
};

struct Look {
	long armed, result; /* -1: none */
	bool operator()(const int *array, long i)
	{
		if (result < 0 && array == memory && i >= armed && i < armed + ARMED)
			result = (i - armed) * 4;
		return false;
	}
};

template <typename Touch> static void forward(Touch &touch, long from, long to)
{
	for (long i = from; i < to; i++)
		touch(memory, i);
}

template <typename Touch> static void backward(Touch &touch, long from, long to)
{
	for (long i = to - 1; i >= from; i--)
		touch(memory, i);
}

template <typename Touch> static void in_steps(Touch &touch, long from, long to)
{
	for (long i = from; i < to; i += 7)
		touch(memory, i);
}

/* A step that compilers do not know. */
static volatile long stride = 11;

template <typename Touch> static void in_any_steps(Touch &touch, long from, long to)
{
	for (long i = from, step = stride; i < to; i += step)
		touch(memory, i);
}

template <typename Touch> static void back_in_any_steps(Touch &touch, long from, long to)
{
	for (long i = to - 1, step = -stride; i >= from; i += step)
		touch(memory, i);
}

template <typename Touch> static void in_rows(Touch &touch, long from, long to)
{
	/* A number that compilers do not know: a row whose loads they order as they like has no
	 * first one. */
	long columns = fifty;

	for (long i = from; i + 60 <= to; i += 60)
		for (long j = 0; j < columns; j++)
			touch(memory, i + j);
}

template <typename Touch> static void in_columns(Touch &touch, long from, long to)
{
	for (long j = 0; j < 3; j++)
		for (long i = from; i + 3 <= to; i += 3)
			touch(memory, i + j);
}

template <typename Touch> static void until(Touch &touch, long from, long to)
{
	for (long i = from; i < to; i++)
		if (touch(memory, i))
			break;
}

template <typename Touch> static void two(Touch &touch, long from, long to)
{
	for (long i = from; i < to; i++) {
		touch(other, i);
		touch(memory, i);
	}
}

template <typename Touch> static void neighbours(Touch &touch, long from, long to)
{
	for (long i = from + 2; i < to - 2; i++) {
		touch(memory, i - 2);
		touch(memory, i + 2);
		touch(memory, i);
	}
}

template <typename Touch> static void chained(Touch &touch, long from, long to)
{
	for (long i = from, n = 0; n < to - from; i = from + next[i - from] % (to - from), n++)
		touch(memory, i);
}

template <typename Touch> static void shrinking(Touch &touch, long from, long to)
{
	for (long i = from; i < from + 20; i++)
		for (long j = i; j < to; j += 3)
			touch(memory, j);
}

template <typename Touch> static void alternating(Touch &touch, long from, long to)
{
	for (long i = from; i < to; i++)
		if (i & 4)
			touch(memory, i);
}

template <typename Touch>
static __attribute__((noinline)) long run(int loop, Touch touch, long from, long to)
{
	switch (loop) {
#define LOOP(number, name)                                                                         \
	case number:                                                                               \
		name(touch, from, to);                                                             \
		break;
		LOOP(0, forward)
		LOOP(1, backward)
		LOOP(2, in_steps)
		LOOP(3, in_rows)
		LOOP(4, in_columns)
		LOOP(5, until)
		LOOP(6, two)
		LOOP(7, neighbours)
		LOOP(8, chained)
		LOOP(9, shrinking)
		LOOP(10, alternating)
		LOOP(11, in_any_steps)
		LOOP(12, back_in_any_steps)
	}
	return touch.result;
}

static __attribute__((noinline)) void check(int loop, bool stores, long armed, long from, long to)
{
	long first = run(loop, Look{armed, -1}, from, to);

	printf("%d %s armed %ld from %ld to %ld: %ld\n", loop, stores ? "store" : "load", armed,
	       from, to, first < 0 ? 1 : first);
	cudaMemcpyAsync(memory + armed, device, 4 * ARMED, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	sum += (int)(stores ? run(loop, Store{0}, from, to) : run(loop, Load{0}, from, to));
	sum += ((volatile char *)(memory + armed))[1];
}

#define AWAY 4096 /* ints: in other pages */

/* Uses a stream of its own, so that no later wait covers them. */
static void arm_around()
{
	cudaStream_t alone;

	cudaStreamCreate(&alone);
	cudaMemcpyAsync(memory - AWAY, device, 4, cudaMemcpyDeviceToHost, alone);
	cudaMemcpyAsync(memory + COUNT + AWAY, device, 4, cudaMemcpyDeviceToHost, alone);
	cudaStreamSynchronize(alone);
}

int main(int argc, char **argv)
{
	static const long places[] = {0, 5, 997, 1023, COUNT - ARMED};

	cudaMallocHost(&memory, (COUNT + 3 * AWAY) * 4);
	memory += AWAY;
	other = (int *)calloc(COUNT, 4);
	next = (int *)calloc(COUNT, 4);
	for (int i = 0; i < COUNT; i++)
		next[i] = (i * 29 + 7) % COUNT;
	memset(memory, 0, COUNT * 4);
	cudaMalloc(&device, 4096);
	fill<<<1, ARMED>>>(device);
	cudaDeviceSynchronize();
	cudaStreamCreate(&stream);
	if (argc > 1 && strcmp(argv[1], "between") == 0)
		arm_around();
	for (int loop = 0; loop < 13; loop++)
		for (long armed : places)
			for (int stores = 0; stores < 2; stores++) {
				check(loop, stores, armed, 0, COUNT);
				check(loop, stores, armed, 0, armed);             /* up to it */
				check(loop, stores, armed, armed + ARMED, COUNT); /* behind it */
				check(loop, stores, armed, armed + ARMED - 1,
				      COUNT);                             /* the last one */
				check(loop, stores, armed, 0, armed + 1); /* the first one */
			}
	return 0;
}
