// SPDX-License-Identifier: Apache-2.0
// Two pinned buffers in turns: each is filled again when the event behind its copy was reached.
#include <cstdio>

int main()
{
	const int n = 1024, chunks = 6;
	float *buffers[2], *device;
	cudaEvent_t copied[2];
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMalloc(&device, chunks * n * sizeof(float));
	for (int b = 0; b < 2; b++) {
		cudaMallocHost((void **)&buffers[b], n * sizeof(float));
		cudaEventCreateWithFlags(&copied[b], cudaEventDisableTiming);
	}
	for (int c = 0; c < chunks; c++) {
		float *buffer = buffers[c % 2];

		if (c >= 2)
			cudaEventSynchronize(copied[c % 2]);
		for (int i = 0; i < n; i++)
			buffer[i] = c + i;
		cudaMemcpyAsync(device + c * n, buffer, n * sizeof(float), cudaMemcpyHostToDevice,
				stream);
		cudaEventRecord(copied[c % 2], stream);
	}
	cudaStreamSynchronize(stream);
	for (int b = 0; b < 2; b++) {
		cudaFreeHost(buffers[b]);
		cudaEventDestroy(copied[b]);
	}
	cudaFree(device);
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
