// Compilations that generate no code, or a precompiled header, pass unharmed.
// RUN: %trace gpu -fsyntax-only %s
// RUN: %trace gpu -x c++-header -DHEADER %s -o %t.pch
// RUN: %trace gpu -DHEADER -include-pch %t.pch -x c++ -DUSER -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
#if defined(HEADER) && !defined(SEEN)
#define SEEN
inline int from_header() { return 1; }
#elif defined(USER)
int user() { return from_header(); }
#else
__global__ void kernel(int *p) { *p = 1; }
int main()
{
	int *p;
	cudaMalloc(&p, 4);
	kernel<<<1, 1>>>(p);
}
#endif
// CHECK: T _Z4userv
