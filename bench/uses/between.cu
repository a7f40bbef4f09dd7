/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --ct-host costs host code that walks memory between armed ranges, as Rodinia's streamcluster
 * does: points that are copied to the device again and again, distances between them on the host,
 * and results of which it never reads some, on either side. Run it by `ctrun
 * --uses=off|host|pages`: prints ns for each element of what the host does.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <time.h>

struct Point {
	float weight, cost;
	double *coord;
	long assign;
};

static const int points = 8192, dimensions = 64, rounds = 40;

static double now()
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

__attribute__((noinline)) static double distance(const double *a, const double *b, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

/* Loads and stores of what the device reads. */
__attribute__((noinline)) static void assign(Point *p, int centre)
{
	for (int i = 0; i < points; i++) {
		double cost = p[i].weight * distance(p[i].coord, p[centre].coord, dimensions);

		if (cost < p[i].cost) {
			p[i].cost = (float)cost;
			p[i].assign = centre;
		}
	}
}

/* Where it loads from is not known ahead. */
__attribute__((noinline)) static double gather(const double *coord, const int *order)
{
	double sum = 0;

	for (int i = 0; i < points; i++)
		sum += coord[order[i]];
	return sum;
}

/* Loads of what the device reads, stores elsewhere. */
__attribute__((noinline)) static void weigh(double *to, const Point *p)
{
	for (int i = 0; i < points; i++)
		to[i] = p[i].weight * p[i].cost;
}

__global__ void work(const Point *p, float *low, float *high, char *marks)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < points) {
		low[i] = p[i].weight;
		high[i] = p[i].cost;
		marks[i] = p[i].cost > 1;
	}
}

struct Times {
	double distance = 0, gather = 0, weigh = 0;
};

static void round(Point *p, double *coord, double *to, const int *order, int centre, Times &times,
		  double &sum)
{
	double begin = now();

	assign(p, centre);
	times.distance += now() - begin;
	begin = now();
	for (int k = 0; k < 8; k++)
		sum += gather(coord, order);
	times.gather += now() - begin;
	begin = now();
	for (int k = 0; k < 8; k++)
		weigh(to, p);
	times.weigh += now() - begin;
}

template <typename T> static T *at(char *&memory, size_t count)
{
	T *here = (T *)memory;

	memory += (count * sizeof(T) + 4095) / 4096 * 4096;
	return here;
}

int main()
{
	char *memory = (char *)aligned_alloc(4096, 64 << 20);
	float *low = at<float>(memory, points);
	Point *p = at<Point>(memory, points);
	double *coord = at<double>(memory, (size_t)points * dimensions);
	double *to = at<double>(memory, points);
	int *order = at<int>(memory, points);
	char *marks = at<char>(memory, points);
	float *high = at<float>(memory, points);
	Point *device;
	float *results;
	char *device_marks;
	Times times;
	double sum = 0;

	for (int i = 0; i < points * dimensions; i++)
		coord[i] = i % 1021 * 0.5;
	for (int i = 0; i < points; i++) {
		p[i] = Point{1.0f, 1e30f, coord + (size_t)i * dimensions, 0};
		order[i] = (int)((i * 104729l) % (points * dimensions));
	}
	cudaMalloc(&device, points * sizeof(*device));
	cudaMalloc(&results, 2 * points * sizeof(*results));
	cudaMalloc(&device_marks, points);
	for (int k = 0; k < rounds; k++) {
		cudaMemcpy(device, p, points * sizeof(*p), cudaMemcpyHostToDevice);
		work<<<(points + 255) / 256, 256>>>(device, results, results + points,
						    device_marks);
		cudaDeviceSynchronize();
		cudaMemcpy(low, results, points * sizeof(*low), cudaMemcpyDeviceToHost);
		cudaMemcpy(high, results + points, points * sizeof(*high), cudaMemcpyDeviceToHost);
		cudaMemcpy(marks, device_marks, points, cudaMemcpyDeviceToHost);
		for (int i = 0; i < points; i++)
			sum += marks[i];
		round(p, coord, to, order, k * 37 % points, times, sum);
	}
	printf("distances %.3f, gathered %.3f, weighed %.3f ns\n",
	       times.distance / rounds / points / dimensions, times.gather / rounds / points / 8,
	       times.weigh / rounds / points / 8);
	fprintf(stderr, "%g %g\n", sum, to[points / 2]);
	return 0;
}
