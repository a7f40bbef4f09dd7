// SPDX-License-Identifier: Apache-2.0
// Kernels that can be one, and such as look like it.
// judged: local
#include "cases.h"

// case chain
// In place, thread by thread.
static __global__ void scale(float *y)
{
	y[index()] *= 2;
}

static __global__ void shift(float *y)
{
	y[index()] += 3;
}

CASE(chain) // has local of scale
{
	ALLOCATE(float, y, 1024);

	copy_in(y, std::vector<float>(1024, .7f));
	scale<<<8, 128>>>(y);
	shift<<<8, 128>>>(y);
	copy_out(y, 1024);
}

// case through_mean
// The kernel between the two needs all CTAs of the first one.
static __global__ void square(const float *x, float *y, float *part)
{
	float v = x[index()] * x[index()];

	y[index()] = v;
	for (int d = 16; d; d /= 2)
		v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x == 0)
		part[blockIdx.x] = v;
}

static __global__ void mean(const float *part, float *out, int n)
{
	float v = part[threadIdx.x];

	for (int d = 16; d; d /= 2)
		v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x == 0)
		*out = v / (float)n;
}

static __global__ void divide(float *y, const float *by)
{
	y[index()] /= *by;
}

CASE(through_mean)
{
	ALLOCATE(float, x, 1024);
	ALLOCATE(float, y, 1024);
	ALLOCATE(float, part, 32);
	ALLOCATE(float, by, 1);

	copy_in(x, std::vector<float>(1024, .7f));
	square<<<32, 32>>>(x, y, part);
	mean<<<1, 32>>>(part, by, 1024);
	divide<<<32, 32>>>(y, by);
	copy_out(y, 1024);
}

// case next_step
// The second one overwrites what neighbours read in the first one.
static __global__ void smooth(const float *a, float *b, int n)
{
	int i = index();

	b[i] = (a[i ? i - 1 : 0] + a[i] + a[i + 1 < n ? i + 1 : i]) / 3;
}

static __global__ void take_over(float *a, const float *b)
{
	a[index()] = b[index()];
}

CASE(next_step)
{
	ALLOCATE(float, a, 1024);
	ALLOCATE(float, b, 1024);

	copy_in(a, std::vector<float>(1024, .7f));
	for (int i = 0; i < 3; i++) {
		smooth<<<8, 128>>>(a, b, 1024);
		take_over<<<8, 128>>>(a, b);
	}
	copy_out(a, 1024);
}

// case other_shape
static __global__ void twice(float *y)
{
	y[index()] *= 2;
}

static __global__ void pairs(float *y)
{
	y[2 * index()] += 1;
	y[2 * index() + 1] += 1;
}

CASE(other_shape)
{
	ALLOCATE(float, y, 1024);

	copy_in(y, std::vector<float>(1024, .7f));
	twice<<<8, 128>>>(y);
	pairs<<<8, 64>>>(y);
	copy_out(y, 1024);
}

// case host_between
// The host decides whether the second one runs.
static __global__ void halve(float *y)
{
	y[index()] /= 2;
}

static __global__ void negate(float *y)
{
	y[index()] = -y[index()];
}

CASE(host_between)
{
	ALLOCATE(float, y, 1024);

	copy_in(y, std::vector<float>(1024, .7f));
	halve<<<8, 128>>>(y);
	if (copy_out(y, 4) > 0)
		negate<<<8, 128>>>(y);
	copy_out(y, 1024);
}

// case others_results
// The second one stores where other CTAs of the first one stored.
static __global__ void forth(float *y, float *own)
{
	y[index()] = own[index()] = (float)index();
}

static __global__ void back(float *y, const float *own, int n)
{
	y[n - 1 - index()] = own[index()];
}

CASE(others_results)
{
	ALLOCATE(float, y, 1024);
	ALLOCATE(float, own, 1024);

	forth<<<8, 128>>>(y, own);
	back<<<8, 128>>>(y, own, 1024);
	copy_out(y, 1024);
	copy_out(own, 1024);
}
