// SPDX-License-Identifier: Apache-2.0
// How objects are used, each in a function of its own. Behind an allocation stands a pattern that
// the object has, or has not though it looks like it, and what its lifetime is in the words of jq:
// figures that follow from the text.
#include <cstdio>
#include <cuda_runtime.h>

const int threads = 32;

__global__ void load(volatile int *a, int first, int end, int step)
{
	for (int i = first + (int)threadIdx.x * step; i < end; i += threads * step)
		(void)a[i];
}

__global__ void store(volatile int *a, int count)
{
	for (int i = (int)threadIdx.x; i < count; i += threads)
		a[i] = i;
}

__global__ void heat(volatile int *a, int times)
{
	for (int i = 0; i < times; i++)
		(void)a[0];
}

// All threads, one element after another.
__global__ void walk(volatile int *a, int count)
{
	for (int i = 0; i < count; i++)
		(void)a[i];
}

static void copy_in(int *a, int count)
{
	static int host[1000];

	cudaMemcpy(a, host, count * sizeof(int), cudaMemcpyHostToDevice);
}

static void copy_out(int *a, int count)
{
	static int host[1000];

	cudaMemcpy(host, a, count * sizeof(int), cudaMemcpyDeviceToHost);
}

// Comments behind allocations say what objects are, however long that is.
// clang-format off
static void use_parts()
{
	int *tenth, *most, *wide;

	cudaMalloc(&tenth, 4000); // has overallocation: .used_bytes == 400 and .fragmentation == 0.99
	copy_in(tenth, 1000);
	load<<<1, threads>>>(tenth, 0, 1000, 10);
	cudaFree(tenth);
	cudaMalloc(&most, 4100); // not overallocation: .used_bytes == 3280 and .fragmentation == 0
	load<<<1, threads>>>(most, 0, 820, 1);
	cudaFree(most);
	cudaMalloc(&wide, 20000); // has overallocation: .used_bytes == 4000 and .fragmentation == 0
	load<<<1, threads>>>(wide, 0, 1000, 1);
	cudaFree(wide);
}

static void use_unevenly()
{
	int *hot, *warm;

	cudaMalloc(&hot, 400); // has non-uniform use: .access_mean == 2 and (.access_deviation - 4.97494 | fabs) < 1e-5
	load<<<1, threads>>>(hot, 0, 100, 1);
	heat<<<1, 1>>>(hot, 100);
	cudaFree(hot);
	cudaMalloc(&warm, 420); // not non-uniform use: .access_mean == 2 and .access_deviation == 0
	load<<<1, threads>>>(warm, 0, 105, 1);
	load<<<1, threads>>>(warm, 0, 105, 1);
	cudaFree(warm);
}

static void use_slices()
{
	int *sliced, *halo, *once;

	cudaMalloc(&sliced, 440); // has structured access: .slice_bytes == 112 and .shared_bytes == 0
	for (int i = 0; i < 4; i++)
		load<<<1, threads>>>(sliced, 28 * i, i < 3 ? 28 * (i + 1) : 110, 1);
	cudaFree(sliced);
	cudaMalloc(&halo, 480); // not structured access: .slice_bytes == 124 and .shared_bytes == 12
	for (int i = 0; i < 4; i++)
		load<<<1, threads>>>(halo, 30 * i - (i > 0), 30 * (i + 1), 1);
	cudaFree(halo);
	cudaMalloc(&once, 500); // not structured access: .slice_bytes == 500 and .shared_bytes == 0
	load<<<1, threads>>>(once, 0, 125, 1);
	cudaFree(once);
}

static void write_in_vain()
{
	int *covered, *half, *through, *last, *sum;

	cudaMalloc(&covered, 600); // has dead write: .written_bytes == 1200 and .dead_bytes == 600 and .dead_writes == 1
	cudaMemset(covered, 1, 600);
	copy_in(covered, 150);
	load<<<1, threads>>>(covered, 0, 150, 1);
	cudaFree(covered);
	cudaMalloc(&half, 800); // has dead write: .written_bytes == 1200 and .dead_bytes == 400 and .dead_writes == 0
	cudaMemset(half, 1, 800);
	copy_in(half, 100);
	load<<<1, threads>>>(half, 0, 200, 1);
	cudaFree(half);
	cudaMalloc(&through, 900); // not dead write: .written_bytes == 900 and .dead_bytes == 0
	copy_in(through, 225);
	copy_out(through, 225);
	cudaFree(through);
	cudaMalloc(&last, 1000); // has dead write: .written_bytes == 2000 and .dead_bytes == 1000 and .dead_writes == 1
	store<<<1, threads>>>(last, 250);
	load<<<1, threads>>>(last, 0, 250, 1);
	store<<<1, threads>>>(last, 250);
	cudaFree(last);
	cudaMalloc(&sum, 1100); // not dead write: .written_bytes == 1100 and .dead_bytes == 0
	store<<<1, threads>>>(sum, 275);
	copy_out(sum, 275);
	cudaFree(sum);
}

static void copy_twice()
{
	int *left, *right, *before, *after, *ping, *pong;

	cudaMalloc(&left, 3600);  // not duplicate: .dead_bytes == 0
	cudaMalloc(&right, 3600); // has duplicate: .dead_bytes == 0
	copy_in(left, 900);
	copy_in(right, 900);
	load<<<1, threads>>>(left, 0, 900, 1);
	load<<<1, threads>>>(right, 0, 900, 1);
	cudaFree(right);
	cudaFree(left);
	cudaMalloc(&before, 3900); // not duplicate: .written_bytes == 7800
	cudaMalloc(&after, 3900);  // not duplicate: .written_bytes == 3900
	copy_in(before, 975);
	store<<<1, threads>>>(before, 975);
	copy_in(after, 975);
	load<<<1, threads>>>(before, 0, 975, 1);
	load<<<1, threads>>>(after, 0, 975, 1);
	cudaFree(after);
	cudaFree(before);
	cudaMalloc(&ping, 1300); // not duplicate: .written_bytes == 2600
	cudaMalloc(&pong, 1300); // not duplicate: .written_bytes == 1300
	copy_in(ping, 325);
	copy_in(pong, 325);
	load<<<1, threads>>>(pong, 0, 325, 1);
	store<<<1, threads>>>(ping, 325);
	cudaFree(pong);
	cudaFree(ping);
}

// Kernels have made this: the same in two of them, for good.
static void hold_the_same()
{
	int *one, *two, *longer, *part, *changed;

	cudaMalloc(&one, 1364);     // not duplicate: .written_bytes == 1364 and .dead_bytes == 0
	cudaMalloc(&two, 1364);     // has duplicate: .written_bytes == 1364 and .dead_bytes == 0
	cudaMalloc(&longer, 1368);  // not duplicate: .written_bytes == 1368 and .dead_bytes == 0
	cudaMalloc(&part, 1364);    // not duplicate: .written_bytes == 1360 and .dead_bytes == 0
	cudaMalloc(&changed, 1364); // not duplicate: .written_bytes == 1368 and .dead_bytes == 0
	store<<<1, threads>>>(one, 341);
	store<<<1, threads>>>(longer, 342);
	store<<<1, threads>>>(part, 340);
	store<<<1, threads>>>(changed, 341);
	store<<<1, threads>>>(two, 341);
	load<<<1, threads>>>(one, 0, 341, 1);
	load<<<1, threads>>>(two, 0, 341, 1);
	load<<<1, threads>>>(longer, 0, 342, 1);
	load<<<1, threads>>>(part, 0, 340, 1);
	load<<<1, threads>>>(changed, 0, 341, 1);
	cudaMemset(changed, 1, 4);
	load<<<1, threads>>>(changed, 0, 1, 1);
	cudaFree(one);
	cudaFree(two);
	cudaFree(longer);
	cudaFree(part);
	cudaFree(changed);
}

// Only loads show this, of one thread or of several at one place: copies of parts do not say it.
static void load_the_same()
{
	int *seen, *met, *shared, *common, *worn;

	cudaMalloc(&seen, 800);   // not duplicate: .dead_bytes == 0
	cudaMalloc(&met, 800);    // has duplicate: .dead_bytes == 0
	cudaMalloc(&shared, 640); // not duplicate: .dead_bytes == 0
	cudaMalloc(&common, 640); // has duplicate: .dead_bytes == 0
	for (int *a : {seen, met, shared, common}) {
		copy_in(a, 80);
		copy_in(a + 80, 80);
	}
	copy_in(seen + 160, 40);
	copy_in(met + 160, 40);
	walk<<<1, 1>>>(seen, 200);
	walk<<<1, 1>>>(met, 200);
	walk<<<1, 2>>>(shared, 160);
	walk<<<1, 2>>>(common, 160);
	cudaFree(common);
	cudaFree(shared);
	cudaFree(met);
	cudaFree(seen);
	cudaMalloc(&worn, 720); // has non-uniform use: .access_mean == 1.5 and (.access_deviation * 3 - 1 | fabs) < 1e-6
	walk<<<1, 1>>>(worn, 180);
	walk<<<1, 1>>>(worn, 90);
	cudaFree(worn);
}

static void live_long()
{
	int *early, *soon, *late, *idle, *busy, *never, *lost, *again, *apart;

	cudaMalloc(&early, 1200); // has early allocation: .launches_before == 1
	cudaMalloc(&soon, 1400);  // not early allocation: .launches_before == 0
	load<<<1, threads>>>(soon, 0, 350, 1);
	cudaFree(soon);
	load<<<1, threads>>>(early, 0, 300, 1);
	cudaFree(early);
	cudaMalloc(&late, 1600); // has late free: .launches_after == 3
	cudaMalloc(&idle, 1800); // has temporary idleness: .idle_launches == 1
	cudaMalloc(&busy, 2000); // not temporary idleness: .idle_launches == 0
	load<<<1, threads>>>(late, 0, 400, 1);
	load<<<1, threads>>>(idle, 0, 450, 1);
	load<<<1, threads>>>(busy, 0, 500, 1);
	load<<<1, threads>>>(idle, 0, 450, 1);
	cudaFree(busy);
	cudaFree(idle);
	cudaFree(late);
	cudaMalloc(&never, 2400); // has unused: .first_use == null
	cudaFree(never);
	cudaMalloc(&again, 1900); // has redundant allocation: .launches_before == 0
	load<<<1, threads>>>(again, 0, 475, 1);
	cudaFree(again);
	cudaMalloc(&apart, 3000); // not redundant allocation: .launches_before == 0
	load<<<1, threads>>>(apart, 0, 750, 1);
	cudaFree(apart);
	cudaMalloc(&lost, 2700); // has leak: .launches_after == 0
	load<<<1, threads>>>(lost, 0, 675, 1);
}

// clang-format on
int main()
{
	use_parts();
	use_unevenly();
	use_slices();
	write_in_vain();
	copy_twice();
	hold_the_same();
	load_the_same();
	live_long();
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	puts("done");
	return 0;
}
