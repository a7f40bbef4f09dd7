/* SPDX-License-Identifier: Apache-2.0 */
// construct: Thrust
#include "feature.h"
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

static const int count = 1000;

struct times_three {
	__host__ __device__ int operator()(int x) const
	{
		return 3 * x;
	}
};

int main()
{
	thrust::device_vector<int> a(count), b(count);
	thrust::host_vector<int> h(count);
	bool sorted = true, scanned = true;
	int sum;

	for (int i = 0; i < count; i++)
		h[i] = (i * 7919) % count;
	a = h;
	thrust::transform(a.begin(), a.end(), b.begin(), times_three());
	check("transform", b[5] == 3 * h[5] && b[count - 1] == 3 * h[count - 1]);
	sum = thrust::reduce(b.begin(), b.end(), 0, thrust::plus<int>());
	check("reduce", sum == 3 * (count * (count - 1) / 2));
	thrust::sort(a.begin(), a.end());
	h = a;
	for (int i = 0; i < count; i++)
		sorted = sorted && h[i] == i;
	check("sort", sorted);
	thrust::exclusive_scan(thrust::device, a.begin(), a.end(), b.begin());
	h = b;
	for (int i = 0; i < count; i++)
		scanned = scanned && h[i] == i * (i - 1) / 2;
	check("exclusive_scan", scanned);
	return finish();
}
