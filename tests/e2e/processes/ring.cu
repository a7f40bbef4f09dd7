// SPDX-License-Identifier: Apache-2.0
// An MPI program: each rank computes on its device and passes its result around a ring.
//
//   ring N    rank r adds r + 1 to N words, once per rank that they come by
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

__global__ void add(int *words, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		words[i] += by;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, rank, ranks, wrong = 0, all_wrong;
	std::vector<int> out, in;
	int *words;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	out.resize(n);
	in.resize(n);
	if (n < 1 || cudaMalloc(&words, n * sizeof(int)) != cudaSuccess ||
	    cudaMemset(words, 0, n * sizeof(int)) != cudaSuccess)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int step = 0; step < ranks; step++) {
		add<<<(n + 63) / 64, 64>>>(words, n, rank + 1);
		wrong |= cudaMemcpy(out.data(), words, n * sizeof(int), cudaMemcpyDeviceToHost) !=
			 cudaSuccess;
		MPI_Sendrecv(out.data(), n, MPI_INT, (rank + 1) % ranks, 0, in.data(), n, MPI_INT,
			     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		wrong |= cudaMemcpy(words, in.data(), n * sizeof(int), cudaMemcpyHostToDevice) !=
			 cudaSuccess;
	}
	for (int i = 0; i < n; i++)
		wrong |= in[i] != ranks * (ranks + 1) / 2;
	MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
	if (rank == 0)
		printf("ring: %s\n", all_wrong ? "FAILED" : "ok");
	MPI_Finalize();
	return all_wrong;
}
