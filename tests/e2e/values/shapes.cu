// SPDX-License-Identifier: Apache-2.0
// Programs in small whose figures can be worked out, each by the name that is its argument. Behind
// a name in its comment stands what ctpost values --json says of it, in the words of jq;
// has(PATTERN) are the objects that have the pattern.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

const int threads = 32, side = 16;

__global__ void product(volatile int *left, volatile int *right, volatile int *out, int count)
{
	for (int i = (int)threadIdx.x; i < count; i += threads)
		out[i] = left[i] * right[i];
}

static void copy_out(const int *from, int count)
{
	static int host[1000];

	cudaMemcpy(host, from, count * sizeof(int), cudaMemcpyDeviceToHost);
}

// Two products of matrices, C = A B and E = C D.
// two-products: has("early allocation") == "d e" and has("late free") == "a b"
// two-products: has("redundant allocation") == "d e" and has("temporary idleness") == ""
// two-products: .value_totals[0] | .peak_bytes == 5 * 1024 and .needed_peak_bytes == 3 * 1024
static void two_products()
{
	int *a, *b, *c, *d, *e;

	cudaMalloc(&a, 1024);
	cudaMalloc(&b, 1024);
	cudaMalloc(&c, 1024);
	cudaMalloc(&d, 1024);
	cudaMalloc(&e, 1024);
	product<<<1, threads>>>(a, b, c, 256);
	product<<<1, threads>>>(c, d, e, 256);
	copy_out(e, 256);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	cudaFree(d);
	cudaFree(e);
}

// Two vectors that are made of a matrix and two others, one after the other; both are copied out
// in the end. The vectors of the second half could both have r's memory, and one of them has.
// two-vectors: has("early allocation") == "p q" and has("late free") == "r"
// two-vectors: has("redundant allocation") == "p q"
// two-vectors: .value_totals[0].peak_bytes == 4096 + 4 * 1024
// two-vectors: without("redundant allocation") == 4096 + 3 * 1024
static void two_vectors()
{
	int *a, *p, *q, *r, *s;

	cudaMalloc(&a, 4096);
	cudaMalloc(&p, 1024);
	cudaMalloc(&q, 1024);
	cudaMalloc(&r, 1024);
	cudaMalloc(&s, 1024);
	product<<<1, threads>>>(a, r, s, 256);
	product<<<1, threads>>>(a, p, q, 256);
	copy_out(s, 256);
	copy_out(q, 256);
	cudaFree(a);
	cudaFree(p);
	cudaFree(q);
	cudaFree(r);
	cudaFree(s);
}

// These are of column k: its length from a to r, it and its length to q, the columns behind it
// with q to r and a; there is none behind the last one.
__global__ void length(volatile int *a, volatile int *r, int k)
{
	int sum = 0;

	for (int i = 0; i < side; i++)
		sum += a[side * i + k];
	r[side * k + k] = sum;
}

__global__ void scale(volatile int *a, volatile int *r, volatile int *q, int k)
{
	int i = (int)threadIdx.x;

	q[side * i + k] = a[side * i + k] + r[side * k + k];
}

__global__ void project(volatile int *q, volatile int *r, volatile int *a, int k)
{
	int j = (int)threadIdx.x, sum = 0;

	if (j <= k)
		return;
	for (int i = 0; i < side; i++)
		sum += q[side * i + k];
	r[side * k + j] = sum;
	for (int i = 0; i < side; i++)
		a[side * i + j] = sum;
}

// orthogonal: has("early allocation") == "q" and has("temporary idleness") == "q"
// orthogonal: has("late free") == "a r" and has("redundant allocation") == ""
// orthogonal: life("q") | .launches_before == 1 and .idle_launches == 1 and .launches_after == 0
// orthogonal: life("a") | .launches_before == 0 and .idle_launches == 0 and .launches_after == 1
// orthogonal: [life("q", "a", "r").used_bytes] == [1024, 1024, 4 * 136]
static void orthogonal()
{
	int *a, *q, *r;

	cudaMalloc(&a, 1024);
	cudaMalloc(&q, 1024);
	cudaMalloc(&r, 1024);
	cudaMemset(a, 1, 1024);
	for (int k = 0; k < side; k++) {
		length<<<1, 1>>>(a, r, k);
		scale<<<1, side>>>(a, r, q, k);
		project<<<1, side>>>(q, r, a, k);
	}
	copy_out(q, 256);
	cudaFree(a);
	cudaFree(q);
	cudaFree(r);
}

__global__ void count_up(volatile int *all)
{
	for (int i = (int)threadIdx.x; i < 1000; i += threads)
		all[i] = i;
}

__global__ void count_on(volatile int *all)
{
	for (int i = (int)threadIdx.x; i < 1000; i += threads)
		all[i] = i < 500 ? i : i + 1;
}

// These are there already: copies of 4000, 2000 and 2000 bytes, all that a launch stores, and half
// of what the next one does.
// same-again: [.value_transfers[].same_bytes] == [0, 4000, 0, 2000, 0, 2000]
// same-again: [.value_contexts[] | select(.unchanged_launches == 1) | .kernel] == ["count_up"]
// same-again: [.value_launches[] | 4 * .redundant_stores] == [0, 4000, 2000]
static void same_again()
{
	static int host[1000];
	int *all, *one, *two;

	for (int i = 0; i < 1000; i++)
		host[i] = 3 * i;
	cudaMalloc(&all, 4000);
	cudaMalloc(&one, 2000);
	cudaMalloc(&two, 2000);
	cudaMemcpy(all, host, 4000, cudaMemcpyHostToDevice);
	cudaMemcpy(all, host, 4000, cudaMemcpyHostToDevice);
	cudaMemcpy(one, host, 2000, cudaMemcpyHostToDevice);
	cudaMemcpy(one, host, 2000, cudaMemcpyHostToDevice);
	cudaMemcpy(two, host + 500, 2000, cudaMemcpyHostToDevice);
	cudaMemcpy(two, host + 500, 2000, cudaMemcpyHostToDevice);
	count_up<<<1, threads>>>(all);
	count_up<<<1, threads>>>(all);
	count_on<<<1, threads>>>(all);
	cudaFree(all);
	cudaFree(one);
	cudaFree(two);
}

// The weights of a layer of 16 units by what came to them, of 32 others: no pointer is const
// __restrict__, so what is stored may be what was loaded.
__global__ void weigh(float *delta, float *input, float *weight, float *old)
{
	int x = (int)threadIdx.x + 1, y = side * (int)blockIdx.x + (int)threadIdx.y + 1;
	int at = (side + 1) * y + x;

	weight[at] += .3f * delta[x] * input[y] + .3f * old[at]; // expect load 2048 0
	old[at] = .3f * delta[x] * input[y] + .3f * old[at];     // expect load 1536 1536
	__syncthreads();
	if (threadIdx.y || blockIdx.x)
		return;
	weight[x] += .3f * delta[x] + .3f * old[x]; // expect load 48 16
	old[x] = .3f * delta[x] + .3f * old[x];     // expect load 32 32
}

__global__ void forward(volatile float *weight, volatile float *input)
{
	for (int i = (int)threadIdx.x; i < 33 * (side + 1); i += threads)
		weight[i] = weight[i] + input[i % 33];
}

// weights: sum("load").accesses - 2 * 561 == 7 * 512 + 5 * 16
// weights: sum("load").temporal == 3 * 512 + 3 * 16
// weights: fix("delta") | startswith("Keep the value in a register, where no other thread stores")
// weights: [pattern("delta", "old")] == ["single zero", "single zero"]
// weights: [.value_sets[] | select(.object == "delta") | .top] == ["-0"]
// weights: life("weight") | .written_bytes == 3 * 2244 + 4 * 528 and .dead_bytes == 2244
// weights: life("weight").dead_writes == 1 and has("unused") == "hidden"
static void weights()
{
	static float host[33 * (side + 1)];
	float *delta, *input, *weight, *old, *hidden;

	cudaMalloc(&delta, (side + 1) * sizeof(float));
	cudaMalloc(&input, 33 * sizeof(float));
	cudaMalloc(&weight, sizeof(host));
	cudaMalloc(&old, sizeof(host));
	cudaMalloc(&hidden, 80);
	for (float &one : host)
		one = 2;
	cudaMemcpy(input, host, 33 * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(weight, host, sizeof(host), cudaMemcpyHostToDevice);
	forward<<<1, threads>>>(weight, input);
	cudaMemcpy(weight, host, sizeof(host), cudaMemcpyHostToDevice);
	for (float &one : host)
		one = -0.f;
	cudaMemcpy(delta, host, (side + 1) * sizeof(float), cudaMemcpyHostToDevice);
	for (float &one : host)
		one = 0;
	cudaMemcpy(old, host, sizeof(host), cudaMemcpyHostToDevice);
	weigh<<<2, dim3(side, side)>>>(delta, input, weight, old);
	cudaMemcpy(host, weight, sizeof(host), cudaMemcpyDeviceToHost);
	cudaFree(delta);
	cudaFree(input);
	cudaFree(weight);
	cudaFree(old);
	cudaFree(hidden);
}

static __attribute__((noinline)) void launch_product(int *all)
{
	product<<<1, threads>>>(all, all, all, threads);
}

static __attribute__((noinline)) void change(int *all)
{
	for (int i = 0; i < 2; i++)
		launch_product(all);
	cudaMemset(all, 0, threads * sizeof(int));
}

static __attribute__((noinline)) void leave_as_it_was(int *all)
{
	for (int i = 0; i < 3; i++)
		launch_product(all);
	cudaMemset(all, 0, threads * sizeof(int));
}

// One line launches, and two functions call it: what the one launches squares twos, what the other
// does leaves zeros.
// clang-format off
// callers: [.value_contexts[] | [.launches, .unchanged_launches]] == [[3, 3], [2, 0]]
// callers: [.value_contexts[].launched] | unique | length == 1
// callers: [.value_nodes[] | select(.kind == "launch") | .times] | sort == [2, 3]
// callers: [.value_nodes[] | select(.kind == "launch") | .called_from] | unique | length == 2
// callers: [.value_flows[] | .written_by, .used_by | select(test("leave_as_it_was")) | test("called from .*callers.* > leave_as_it_was.* > launch_product")] | length > 0 and all
// callers: [.value_contexts[].called_from | [match("(callers|change|leave_as_it_was|launch_product)[^ ]*"; "g").captures[0].string] | join(" ")] == ["callers leave_as_it_was launch_product", "callers change launch_product"]
// callers: [.findings[] | select(.finding == "unchanged-output") | .text[:18]] == ["3 of 3 launches of"]
// callers: .findings[] | select(.finding == "unchanged-output") | .evidence | test("call path is .*leave_as_it_was.* > launch_product")
// clang-format on
static void callers()
{
	int *all, host[threads];

	for (int &one : host)
		one = 2;
	cudaMalloc(&all, sizeof(host));
	cudaMemcpy(all, host, sizeof(host), cudaMemcpyHostToDevice);
	change(all);
	leave_as_it_was(all);
	cudaFree(all);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)();
	} shapes[] = {{"two-products", two_products}, {"two-vectors", two_vectors},
		      {"orthogonal", orthogonal},     {"same-again", same_again},
		      {"weights", weights},           {"callers", callers}};

	for (auto &shape : shapes)
		if (argc > 1 && !strcmp(argv[1], shape.name))
			shape.run();
	return cudaDeviceSynchronize() != cudaSuccess;
}
