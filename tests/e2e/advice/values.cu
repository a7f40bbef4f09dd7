// SPDX-License-Identifier: Apache-2.0
// Each case says what values objects hold, what is stored redundantly, or only looks like it.
// judged: not-a-number, single-zero, single-value, frequent-value, common-value, structured
// judged: heavy-type, few-values, approximate, dead-write, unused, redundant-loads
// judged: silent-stores, unchanged-stores, agreeing-stores, unchanged-output, redundant-atomics
// judged: redundant-memset
#include "cases.h"

static const int many = 4096;

// case coefficients
// Four of them, which all threads load, and an array of which a half is loaded.
static __global__ void poly(float *y, const float *c, const double *pairs)
{
	int i = index();
	float x = y[i];

	y[i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0] + (float)pairs[2 * i];
}

CASE(coefficients) // has dead-write of r: bytes 8 to 15 of each 16
{
	ALLOCATE(float, y, many);
	ALLOCATE(float, c, 4);
	ALLOCATE(double, r, 2 * many);

	copy_in(y, filled<float>(many, noise));
	copy_in(c, {1.1f, 2.7f, 3.3f, 4.9f});
	copy_in(r, filled<double>(2 * many, [](int i) { return i / 3.0; }));
	poly<<<many / 128, 128>>>(y, c, r);
	copy_out(y, many);
}

// case computed_scalar
// A value that a kernel has computed is no argument of the next one.
static __global__ void find_most(const float *x, float *most)
{
	float v = 0;

	for (int i = (int)threadIdx.x; i < many; i += 32)
		v = fmaxf(v, x[i]);
	for (int d = 16; d; d /= 2)
		v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
	if (threadIdx.x == 0)
		*most = v;
}

static __global__ void divide(float *x, const float *by)
{
	x[index()] /= *by;
}

CASE(computed_scalar)
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, most, 1);

	copy_in(x, filled<float>(many, noise));
	find_most<<<1, 32>>>(x, most);
	divide<<<many / 128, 128>>>(x, most);
	copy_out(x, many);
}

// case managed
// The host reads it without a copy.
static __global__ void twice(const float *x, float *y)
{
	y[index()] = 2 * x[index()];
}

CASE(managed)
{
	float *x, *y;
	double sum = 0;

	OK(cudaMallocManaged(&x, many * sizeof(float)));
	OK(cudaMallocManaged(&y, many * sizeof(float)));
	for (int i = 0; i < many; i++)
		x[i] = noise(i);
	twice<<<many / 128, 128>>>(x, y);
	OK(cudaDeviceSynchronize());
	for (int i = 0; i < many; i++)
		sum += y[i];
	printf("%g\n", sum);
}

// case histogram
// Bins that are mostly the first one: the load is needed to know it. Counters are no narrower.
static __global__ void count(const int *v, int *bins)
{
	atomicAdd(&bins[v[index()]], 1);
}

CASE(histogram)
{
	ALLOCATE(int, v, many);
	ALLOCATE(int, bins, 1024);

	copy_in(v, filled<int>(many, [](int i) { return i % 10 < 9 ? 0 : i % 1024; }));
	OK(cudaMemset(bins, 0, 1024 * sizeof(int)));
	count<<<many / 128, 128>>>(v, bins);
	copy_out(bins, 1024);
}

// case accumulator
// It begins with zeros; and memory never written is not said to hold them.
static __global__ void accumulate(float *sum, const float *x, const float *fresh, float *out)
{
	int i = index();

	float v = x[i];

	sum[i] += v;
	out[i] = fresh[i] + v;
}

CASE(accumulator)
{
	ALLOCATE(float, sum, many);
	ALLOCATE(float, x, many);
	ALLOCATE(float, fresh, many);
	ALLOCATE(float, out, many);

	copy_in(x, filled<float>(many, noise));
	OK(cudaMemset(sum, 0, many * sizeof(float)));
	accumulate<<<many / 128, 128>>>(sum, x, fresh, out);
	copy_out(sum, many);
	copy_out(out, many);
}

// case factors
// Zeros that spare the load of what they are multiplied with.
static __global__ void products(const float *factor, const float *x, float *out)
{
	out[index()] = factor[index()] * x[index()]; // has common-value: of 4 096 elements loaded
}

CASE(factors)
{
	ALLOCATE(float, factor, many);
	ALLOCATE(float, x, many);
	ALLOCATE(float, out, many);

	copy_in(factor, filled<float>(many, [](int i) {
			return (unsigned)i * 2654435761u >> 20 & 7 ? 0 : noise(i);
		}));
	copy_in(x, filled<float>(many, noise));
	products<<<many / 128, 128>>>(factor, x, out);
	copy_out(out, many);
}

// case factors_tested
// It is done already.
static __global__ void products_of_some(const float *factor, const float *x, float *out)
{
	float by = factor[index()];

	if (by != 0)
		out[index()] += by * x[index()];
}

CASE(factors_tested)
{
	ALLOCATE(float, factor, many);
	ALLOCATE(float, x, many);
	ALLOCATE(float, out, many);

	copy_in(factor, filled<float>(many, [](int i) {
			return (unsigned)i * 2654435761u >> 20 & 7 ? 0 : noise(i);
		}));
	copy_in(x, filled<float>(many, noise));
	copy_in(out, filled<float>(many, noise));
	products_of_some<<<many / 128, 128>>>(factor, x, out);
	copy_out(out, many);
}

// case narrow
// One finding for the two kernels; a table that stays in the cache has none.
static __global__ void look_up(const int *key, const float *table, float *out)
{
	int k = key[index()]; // has heavy-type: key has 16.4 kB, 32.8 kB of it are moved

	out[index()] = table[k];
}

static __global__ void look_more(const int *key, const float *table, float *out)
{
	out[index()] -= 2 * table[key[index()]];
}

CASE(narrow)
{
	ALLOCATE(int, key, many);
	ALLOCATE(float, table, 64);
	ALLOCATE(float, out, many);

	copy_in(key, filled<int>(many, [](int i) { return i * 37 % 61; }));
	copy_in(table, filled<float>(64, [](int i) { return (float)i; }));
	look_up<<<many / 128, 128>>>(key, table, out);
	look_more<<<many / 128, 128>>>(key, table, out);
	copy_out(out, many);
}

// case few
// A byte would tell all values apart.
static __global__ void weigh(const float *kind, const float *x, float *out)
{
	out[index()] = kind[index()] * x[index()]; // has few-values: only 5 values
}

CASE(few)
{
	ALLOCATE(float, kind, many);
	ALLOCATE(float, x, many);
	ALLOCATE(float, out, many);

	copy_in(kind, filled<float>(many, [](int i) { return noise(i % 5); }));
	copy_in(x, filled<float>(many, noise));
	weigh<<<many / 128, 128>>>(kind, x, out);
	copy_out(out, many);
}

// case constant
// An array that another kernel has filled with one value.
static __global__ void fill(float *ones)
{
	ones[index()] = 1.5f;
}

static __global__ void scale(const float *ones, float *x)
{
	x[index()] *= ones[index()]; // has single-value
}

CASE(constant)
{
	ALLOCATE(float, ones, many);
	ALLOCATE(float, x, many);

	copy_in(x, filled<float>(many, noise));
	fill<<<many / 128, 128>>>(ones);
	scale<<<many / 128, 128>>>(ones, x);
	copy_out(x, many);
}

// case in_part
// The second half of what is computed is not read; a memset is overwritten as a whole.
static __global__ void square(const float *x, float *y)
{
	y[index()] = x[index()] * x[index()];
}

CASE(in_part) // has dead-write of y: bytes 8 192 to 16 383
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);

	copy_in(x, filled<float>(many, noise));
	square<<<many / 128, 128>>>(x, y);
	copy_out(y, many / 2);
}

// case cleared
CASE(cleared) // has dead-write of y: before they are read
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);

	copy_in(x, filled<float>(many, noise));
	OK(cudaMemset(y, 0, many * sizeof(float)));
	square<<<many / 128, 128>>>(x, y);
	copy_out(y, many);
}

// case border
// The border that a memset has left is read, so it is not redundant.
static __global__ void inner(const float *x, float *y)
{
	int i = index();

	if (i > 0 && i + 1 < many)
		y[i] = x[i - 1] + x[i + 1];
}

CASE(border)
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);

	copy_in(x, filled<float>(many, noise));
	OK(cudaMemset(y, 0, many * sizeof(float)));
	inner<<<many / 128, 128>>>(x, y);
	copy_out(y, many);
}

// case members
// One of three is not read.
struct point {
	float x, y, z;
};

static __global__ void flatten(const point *p, float *out)
{
	out[index()] = p[index()].x + p[index()].y;
}

CASE(members) // has dead-write of p: bytes 8 to 11 of each 12
{
	ALLOCATE(point, p, many);
	ALLOCATE(float, out, many);
	std::vector<float> host = filled<float>(3 * many, noise);

	OK(cudaMemcpy(p, host.data(), many * sizeof(point), cudaMemcpyHostToDevice));
	flatten<<<many / 128, 128>>>(p, out);
	copy_out(out, many);
}

// case in_vain
CASE(in_vain) // has dead-write of y: is never read
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);

	copy_in(x, filled<float>(many, noise));
	square<<<many / 128, 128>>>(x, y);
	copy_out(x, many);
}

// case rows
// Rows are copied out one by one, by a copy of two dimensions.
CASE(rows)
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);
	std::vector<float> host(many);

	copy_in(x, filled<float>(many, noise));
	square<<<many / 128, 128>>>(x, y);
	OK(cudaMemcpy2D(host.data(), 32 * sizeof(float), y, 64 * sizeof(float), 32 * sizeof(float),
			many / 64, cudaMemcpyDeviceToHost));
	OK(cudaMemcpy2D(host.data(), 32 * sizeof(float), y + 32, 64 * sizeof(float),
			32 * sizeof(float), many / 64, cudaMemcpyDeviceToHost));
}

// case repeated
// Launches with the same inputs: what one line of them stores was there, and others change.
static __global__ void repeat(const float *__restrict__ x, float *y, float *sum)
{
	sum[index()] += x[index()];
	y[index()] = 2 * x[index()];
}

static __global__ void take(const float *y, float *sum)
{
	sum[index()] += y[index()];
}

CASE(repeated)
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);
	ALLOCATE(float, sum, many);

	copy_in(x, filled<float>(many, noise));
	copy_in(sum, filled<float>(many, noise));
	for (int i = 0; i < 20; i++) {
		repeat<<<many / 128, 128>>>(x, y, sum);
		take<<<many / 128, 128>>>(y, sum);
	}
	copy_out(y, many);
	copy_out(sum, many);
}

// case once
// It changes nothing with this input.
static __global__ void at_least(float *y)
{
	y[index()] = fmaxf(y[index()], -1e6f);
}

static __attribute__((noinline)) void bound(float *y)
{
	at_least<<<many / 128, 128>>>(y);
}

CASE(once)
{
	ALLOCATE(float, y, many);

	copy_in(y, filled<float>(many, noise));
	bound(y);
	copy_out(y, many);
}

// case timed
// Launched again and again with nothing between, to take its time: only the first changes anything,
// and only what the last one writes is read.
// has dead-write of y
static __global__ void halves(const float *x, float *y)
{
	y[index()] = .5f * x[index()];
}

CASE(timed)
{
	ALLOCATE(float, x, many);
	ALLOCATE(float, y, many);

	copy_in(x, filled<float>(many, noise));
	for (int i = 0; i < 4; i++)
		halves<<<many / 128, 128>>>(x, y);
	copy_out(y, many);
}

// case converged
// No step but the first two changes anything: the rest are redundant.
// has unchanged-output of lowered: 6 of 8 launches
static __global__ void lowered(float *y)
{
	y[index()] = fmaxf(y[index()] - 1, -1.5f);
}

CASE(converged)
{
	ALLOCATE(float, y, many);

	OK(cudaMemset(y, 0, many * sizeof(float)));
	for (int i = 0; i < 8; i++)
		lowered<<<many / 128, 128>>>(y);
	copy_out(y, many);
}

// case small
// As few, of an array that an SM has in its L1 altogether.
CASE(small)
{
	ALLOCATE(float, kind, 2048);
	ALLOCATE(float, x, 2048);
	ALLOCATE(float, out, 2048);

	copy_in(kind, filled<float>(2048, [](int i) { return noise(i % 5); }));
	copy_in(x, filled<float>(2048, noise));
	weigh<<<16, 128>>>(kind, x, out);
	copy_out(out, 2048);
}

// case twice
// By two callers of one line: each is reported.
// has unchanged-output of at_least: call path is
// has unchanged-output of at_least: 1 of 1 launches
CASE(twice)
{
	ALLOCATE(float, y, many);

	copy_in(y, filled<float>(many, noise));
	bound(y);
	OK(cudaDeviceSynchronize());
	bound(y);
	copy_out(y, many);
}
