/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores and loads with patterns, and others that look like them but are none. Every place is
 * stored to by one thread of a launch, and what memory holds is known. Behind each line: what tier
 * values says of it, by hand, of all launches together (run-summary.sh).
 */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

/* clang-format off */
static __global__ void fill(int *zeros, int *sevens, float *halves, double *tenths, int *index,
			    unsigned char *bytes, float4 *quads, float *nothing)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	zeros[i] = 0; // store: .found == 256 and .zeros == 256 and .distinct_values == 1 and .executions == 8
	sevens[i] = 7; // store: .found == 0 and .zeros == 0 and .distinct_values == 1 and .least == "7"
	halves[i] = 0.5f * (i % 4); // store: .found == 64 and .zeros == 64 and .fits == "half" and .greatest == "1.5"
	tenths[i] = 0.1 * (i + 1); // store: .found == 0 and .fits == null and .least == "0.1" and .greatest == "25.6"
	index[i] = i - 128; // store: .found == 1 and .least == "-128" and .greatest == "127" and (.fits | split(", ") | index("int8") != null and index("uint8") == null)
	bytes[i] = i % 2 + 200; // store: .found == 0 and .least == "-56" and .greatest == "-55" and .distinct_values == 2 and .fits == null
	quads[i] = make_float4(i, 0, -1, i == 9 ? __int_as_float(0x7fc00000) : 1); // store: .accesses == 1024 and .found == 257 and .zeros == 257 and .least == "-1" and .greatest == "255" and .fits == "half"
	nothing[i] = i % 2 ? -0.0f : 0.0f; // store: .found == 128 and .zeros == 256 and .distinct_values == 2 and .least == "-0"
}

/* One value, if ten bits of the mantissa count, or twenty; and two of them. */
static __global__ void crowd(float *__restrict__ near, double *__restrict__ nearer, float *apart)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	near[i] = 1 + i / 1e6f; // store: .found == 0 and .least == "1" and .distinct_values > 200
	nearer[i] = 3 + i / 1e9; // store: .found == 0 and .least == "3" and .distinct_values > 200
	apart[i] = i % 3 ? near[i] : -near[i]; // store: .found == 0 and .least == "-1.00025499"
}

static __global__ void use(const int *zeros, int *sevens, const float *halves, double *tenths,
			   const int *index, const float *near, volatile int *out, int64_t *wide)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int zero = zeros[i]; // load: .as_lowest_lane == 512 and .zeros == 512 and .distinct_values == 1
	float half = halves[i]; // load: .as_lowest_lane == 128 and .zeros == 128
	int j = index[i]; // load: .as_lowest_lane == 16 and .accesses == 512 and .executions == 16

	if (near[i] < 1) // load: .accesses == 512 and .as_lowest_lane == 16
		return;
	sevens[i] = 7 + zero; // store: .found == 512 and .distinct_values == 1
	if (i % 8 == 0)
		tenths[i] = -1; // store: .found == 32 and .accesses == 64 and .least == "-1" and .executions == 16
	out[i] = j + (half > 0); // store: .found == 66 and .greatest == "128"
	out[i] = i < 64 ? i - 128 + (i % 4 > 0) : 1000; // store: .found == 128 and .least == "-128" and .greatest == "1000"
	wide[i] = (int64_t)(i / 128) << 40; // store: .found == 384 and .distinct_values == 2 and .zeros == 256 and .greatest == "1099511627776"
}

static __global__ void few(int *out)
{
	if (threadIdx.x < 20)
		out[threadIdx.x] = threadIdx.x == 3 ? 1 : 1 << 30; // store: .accesses == 20 and .executions == 1 and .distinct_values == 2 and .found == 0
}

/* One line that accesses two objects: what is loaded counts for neither. */
static __global__ void either(const int *zeros, const int *sevens, int *out)
{
	const int *from = blockIdx.x ? zeros : sevens;

	out[N / 2 * blockIdx.x + threadIdx.x] = from[threadIdx.x] * 3; // load: .object == null and .accesses == 256 and .zeros == 128 and .as_lowest_lane == 256 and .least == "0" and .greatest == "7"
}

/* The operand of an atomic counts. */
static __global__ void add(int *out, double *tenths, unsigned long long *wide, const int *index)
{
	int i = threadIdx.x;

	atomicAdd(out + i % 8, i % 4); // atomic: .accesses == 256 and .executions == 8 and .zeros == 64 and .as_lowest_lane == 64 and .distinct_values == 4 and .greatest == "3" and .found == null
	if (i % 2)
		atomicAdd(tenths + blockIdx.x, 0.25); // atomic: .accesses == 128 and .as_lowest_lane == 128 and .distinct_values == 1 and .least == "0.25" and .fits == "half, float"
	if (atomicCAS(wide + i, 0ull, 5ull) == 0) // atomic: .accesses == 256 and .distinct_values == 1 and .least == "5" and .zeros == 0
		atomicMax(out + 8 + i % 3, index[i]); // atomic: .greatest == "-1" and .least == "-128" and .accesses == 128 and .zeros == 0
}

/* clang-format on */

#define ARRAY(type, name)                                                                          \
	type *name = nullptr;                                                                      \
	cudaMalloc(&name, N * sizeof(type));                                                       \
	cudaMemset(name, 0, N * sizeof(type))

int main()
{
	ARRAY(int, zeros);
	ARRAY(int, sevens);
	ARRAY(float, halves);
	ARRAY(double, tenths);
	ARRAY(int, index);
	ARRAY(unsigned char, bytes);
	ARRAY(float4, quads);
	ARRAY(float, nothing);
	ARRAY(float, near);
	ARRAY(double, nearer);
	ARRAY(float, apart);
	ARRAY(int, out);
	ARRAY(int64_t, wide);
	int first[N];

	fill<<<2, N / 2>>>(zeros, sevens, halves, tenths, index, bytes, quads, nothing);
	crowd<<<2, N / 2>>>(near, nearer, apart);
	for (int i = 0; i < 2; i++)
		use<<<2, N / 2>>>(zeros, sevens, halves, tenths, index, near, out, wide);
	few<<<1, 32>>>(out);
	cudaMemcpy(first, out, sizeof(first), cudaMemcpyDeviceToHost);
	printf("%d %d %d\n", first[0], first[3], first[200]);
	either<<<2, N / 2>>>(zeros, sevens, out);
	cudaMemcpy(first, out, sizeof(first), cudaMemcpyDeviceToHost);
	printf("%d %d\n", first[0], first[200]);
	add<<<2, N / 2>>>(out, tenths, (unsigned long long *)wide, index);
	for (void *array : {(void *)zeros, (void *)sevens, (void *)halves, (void *)tenths,
			    (void *)index, (void *)bytes, (void *)quads, (void *)nothing,
			    (void *)near, (void *)nearer, (void *)apart, (void *)out, (void *)wide})
		cudaFree(array);
	return cudaGetLastError() != cudaSuccess;
}
