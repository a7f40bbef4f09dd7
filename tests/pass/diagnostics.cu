// The plugin adds no warnings, and takes none away.
// RUN: %trace gpu -O1 -Wall -Wextra -Wold-style-cast -Wcast-qual -Wconversion -Werror -c %s -o %t.o
// RUN: %trace gpu -O1 -Wall -Wextra -DUNUSED -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %plain -O1 -Wall -Wextra -DUNUSED -c %s -o %t.o > %t.plain 2>&1
// RUN: %trace gpu -O1 -Wall -Wextra -DUNUSED -c %s -o %t.o > %t.traced 2>&1
// RUN: diff %t.plain %t.traced
__global__ void kernel(int *p) { *p = 1; }
int main()
{
	int *p = nullptr;
#ifdef UNUSED
	int unused;
	cudaStream_t stream;
#endif
	void *arguments[] = {&p};
	if (cudaMalloc(&p, 64) != cudaSuccess)
		return 1;
	kernel<<<1, 1>>>(p);
	return cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments) != cudaSuccess;
}
// CHECK: warning: unused variable 'unused'
// CHECK: warning: unused variable 'stream'
