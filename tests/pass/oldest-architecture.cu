// Hooks are compiled for the oldest architecture that CUDA's tools know.
// RUN: %trace gpu -O2 --cuda-gpu-arch=sm_75 -c %s -o %t.o
// RUN: %trace gpu -O2 --cuda-gpu-arch=sm_75 -Xclang -mllvm -Xclang -ct-values -c %s -o %t.values.o
// RUN: %trace gpu -O2 --cuda-gpu-arch=sm_75 -Xclang -mllvm -Xclang -ct-events=block -c %s -o %t.blocks.o
__global__ void kernel(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  for (int k = 0; k < n; k++)
    sum += from[k * n + i];
  for (int k = i; k < n; k += 2)
    if (from[k] > 0)
      atomicAdd(to + k, sum);
  to[i] = sum;
}
