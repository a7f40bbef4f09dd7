# SPDX-License-Identifier: Apache-2.0
# Checks what cuda-trace-nvcc leaves: files beside objects, objects for others to link, libraries,
# relocatable device code, dependencies, device code by itself.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET

# Files beside objects are where the object is, or where the program is that is linked from it.
mkdir aside
echo '__global__ void k() {} int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >aside.cu
status 0 "$nvcc" -g -Xcompiler --coverage,-fstack-usage,-gsplit-dwarf -c aside.cu -o aside/one.o
status 0 "$nvcc" -g -Xcompiler --coverage,-gsplit-dwarf aside.cu -o aside/two
status 0 ./aside/two
(cd aside && echo *) >out
has out 'one.dwo one.gcno one.o one.su two two-aside.dwo two-aside.gcda two-aside.gcno'
status 0 "$nvcc" -c aside.cu -o /dev/null

# An object of another compiler takes a kernel's address by its name; libraries with kernels of
# one name launch their own.
cat >symbol.cu <<'END'
extern "C" __global__ void set(int *p, int by) { *p = by * BY; }
extern "C" int RUN() { int *p, n = 0; cudaMalloc(&p, 4); set<<<1, 1>>>(p, 1); cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); return n; }
END
cat >symbol.c <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
void set(int *p, int by);
int two(void), three(void);
int main()
{
	int *p, by = 2, n = 0;
	void *arguments[] = {&p, &by};
	dim3 one = {1, 1, 1};
	cudaMalloc((void **)&p, 4);
	cudaLaunchKernel((const void *)set, one, one, arguments, 0, 0);
	cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
	printf("%d %d %d\n", n, two(), three());
}
END
status 0 cc -I"$CT_CUDA/include" -c symbol.c -o symbol-main.o
status 0 "$nvcc" -DBY=5 -DRUN=five -c symbol.cu
for by in two:2 three:3; do
	status 0 "$nvcc" -shared -Xcompiler -fPIC -DBY=${by#*:} -DRUN=${by%:*} symbol.cu -o lib${by%:*}.so
done
status 0 "$nvcc" symbol.o symbol-main.o -L. -ltwo -lthree -Xlinker -rpath,"$PWD" -o symbol
status 0 ./symbol
has out '10 2 3'

# A warning that clang alone gives, in a header of the system, is none; one of the program's own is an error.
printf '#include <algorithm>\n#include <vector>\n__global__ void k() {}\nint main() { std::vector<int> v(2); std::stable_sort(v.begin(), v.end()); return v[0]; }\n' >quiet.cu
printf '[[deprecated]] int old();\nint own() { return old(); }\n' >>quiet.cu
status 1 "$nvcc" -Xcompiler -Werror -c quiet.cu
has err "'old' is deprecated"
[ "$(grep -c error: err)" = 1 ] || fail "errors: $(cat err)"

# Files of several languages; device code that calls across them; a library.
mkdir lib
cat >lib/scale.cu <<'END'
extern __managed__ int counter;
__device__ int scale(int x) { counter += 2; return x * SCALE; }
END
cat >kernel.cu <<'END'
extern __device__ int scale(int);
static __device__ int more = 9; // host code uses it behind the kernel
__global__ void kernel(int *p)
{
	int *own;
	if (cudaMalloc(&own, 4) != cudaSuccess)
		return;
	*own = scale(*p);
	*p = *own + more;
	cudaFree(own);
}
__managed__ int counter = 100;
static int first = counter; // registered before it
extern "C" int five(void);
int launch() { int *p, none = 0; cudaMallocManaged(&p, 4); *p = five(); cudaMemcpyToSymbol(more, &none, 4); kernel<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p + counter - 100 + first; }
END
cat >main.cpp <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#ifndef __NVCC__
#error "nvcc defines it for every source"
#endif
int launch();
int main(int argc, char **argv) { printf("%d %s\n", launch(), argc > 1 ? argv[1] : "-"); }
END
echo 'own(unsigned *p) { return *p; } int five(void) { int n = 5; return own((char *)&n) + abs(0); }' >five.c # old C
status 0 "$nvcc" -rdc=true -DSCALE=7 -lib lib/scale.cu -o libscale.a
status 0 "$nvcc" -dc kernel.cu
status 0 "$nvcc" -dlink kernel.o libscale.a -o linked.o
status 0 "$nvcc" main.cpp five.c kernel.o libscale.a linked.o -o program
status 0 ./program
has out '137 -'
echo '-DSCALE=3 -rdc=true --run-args word' >options
status 0 "$nvcc" --options-file options -run main.cpp five.c kernel.cu lib/scale.cu -o ran
has out '117 word'
status 0 "$nvcc" -x cu -c main.cpp -odir lib --keep-dir kept -keep
[ -f lib/main.o ] || fail 'no lib/main.o'
[ -f kept/main.o ] || fail "not kept: $(ls kept)"
status 0 "$nvcc" -clean main.cpp -o program
[ ! -e program ] || fail '-clean left the program'

# Without host code; the toolkit's own tools.
unset CUDATRACE_TARGET
status 0 "$nvcc" -ptx -arch=sm_90 symbol.cu -DBY=1 -DRUN=one -o symbol.ptx
has symbol.ptx '.target sm_90'
status 0 "$nvcc" -cubin -arch=sm_90 kernel.cu -rdc=true
[ -s kernel.cubin ] || fail 'no cubin'
# A program without kernels links with an object of -dlink; __CUDACC__ has a value.
printf '#if __CUDACC__\nint main() {}\n#endif\n' >none.cu
status 0 "$nvcc" -arch=sm_90 -dc none.cu
status 0 "$nvcc" -arch=sm_90 -dlink none.o -o none-linked.o
status 0 "$cxx" none.o none-linked.o -o none
cat >several.cu <<'END'
template <int n> __global__ void several(int *p) { p[threadIdx.x] += n + 1; }
template __global__ void several<0>(int *);
template __global__ void several<1>(int *);
END
status 0 "$nvcc" -cubin -arch=sm_90 --ct-share=on several.cu
readelf -sW several.cubin >symbols 2>/dev/null
[ "$(grep -c 'FUNC.*ct_record' symbols)" = 1 ] || fail "copies of ct_record: $(cat symbols)"
status 0 "$nvcc" -fatbin -gencode arch=compute_80,code=[sm_80,compute_80] -gencode arch=compute_90,code=sm_90 lib/scale.cu -DSCALE=1
[ -s scale.fatbin ] || fail 'no fatbin'
# Machine code is compressed in objects, if nothing else is said.
echo '__global__ void k(int *p) { p[threadIdx.x]++; }' >small.cu
status 0 "$nvcc" -c small.cu -o small.o
status 0 "$nvcc" -no-compress -c small.cu -o large.o
[ $(($(stat -c %s small.o) * 2)) -lt "$(stat -c %s large.o)" ] || fail "small.o is not smaller: $(ls -l ./*.o)"
status 0 "$nvcc" -E main.cpp
has out 'int launch();'
status 0 "$nvcc" -M kernel.cu
has out 'kernel.o: kernel.cu'
no_leftovers
