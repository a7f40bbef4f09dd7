# SPDX-License-Identifier: Apache-2.0
# Separate compilation of device code: links of objects, archives and bitcode, and launches from kernels.
# construct: device functions in a static library
# construct: device link-time optimisation
# construct: dynamic parallelism
# construct: separate compilation of device code (-fgpu-rdc)
. "$CT_CLI/shared/driver.sh"
cat >main.cu <<'END'
extern __device__ int other(int *p);
extern __device__ int library(int *p);
extern __global__ void others(int *p);
__global__ void kernel(int *p) { p[0] = other(p) + library(p); }
int main() { kernel<<<1, 1>>>(nullptr); others<<<1, 1>>>(nullptr); }
END
echo '__device__ int other(int *p) { return p[1]; } __global__ void others(int *p) { *p = 1; }' >other.cu
echo '__device__ int library(int *p) { return p[2]; } static __global__ void unused(int *p) { *p = 2; }' >library.cu
arch=--cuda-gpu-arch=sm_90

# device_symbols PROGRAM NAME...: host code does not name device functions.
device_symbols() {
	strings -a "$1" >symbols
	shift
	for name; do
		grep -qF -e "$name" symbols || fail "no $name in the device code"
	done
}

for unit in main other library; do
	status 0 "$cxx" --ct-target=gpu $arch -O1 -fgpu-rdc -c $unit.cu
done
ar rcs liblibrary.a library.o
status 0 "$cxx" --ct-target=gpu -fgpu-rdc main.o other.o -L. -llibrary -o objects
[ "$(nm objects | grep -c ' r __ct_unit$')" = 3 ] || fail "the sites of the library are not in the program"
device_symbols objects __ct__Z6kernelPi __ct__Z5otherPi __ct__Z7libraryPi
status 0 "$cxx" --ct-target=gpu $arch -O1 -fgpu-rdc main.cu other.cu library.cu -o once
lacks err warning:
echo 'int unused;' >host.cpp
status 0 "$cxx" --ct-target=gpu $arch -O1 -fgpu-rdc main.cu other.cu library.cu host.cpp -o mixed
status 0 "$cxx" --ct-target=gpu $arch -O1 -fgpu-rdc -foffload-lto main.cu other.cu library.cu -o lto

cat >nested.cu <<'END'
__global__ void child(int *p) { p[threadIdx.x] = 1; }
__global__ void parent(int *p) { child<<<1, 32>>>(p); }
int main() { parent<<<1, 1>>>(nullptr); }
END
status 0 "$cxx" --ct-target=gpu $arch -O1 -fgpu-rdc nested.cu -o nested

no_leftovers

# A function that never got compiled is the device linker's error; what it then
# leaves is clang's own.
status 1 "$cxx" --ct-target=gpu -fgpu-rdc main.o other.o -o missing
has err _Z7libraryPi
rm -rf tmp/*

# The CPU target has no device linker: objects, archives and options are the same.
for unit in main other library; do
	status 0 "$cxx" --ct-target=cpu -O1 -fgpu-rdc -foffload-lto -c $unit.cu -o $unit-cpu.o
done
status 0 "$cxx" --ct-target=cpu -fgpu-rdc -foffload-lto --offload-link main-cpu.o other-cpu.o \
	library-cpu.o -o cpu
status 1 "$cxx" --ct-target=cpu -fgpu-rdc main-cpu.o other-cpu.o -o missing-cpu
has err _Z7libraryPi
no_leftovers

# Functions that no kernel reaches may call what is nowhere defined, in objects, archives and
# shared libraries.
cat >reaching.cu <<'END'
#include <cstdio>
__device__ int nowhere(int), elsewhere(int);
extern __device__ int of_nowhere;
__device__ int unreached(int x) { return nowhere(x) + of_nowhere; }
__device__ int also_unreached(int x) { return unreached(x) + 1; }
#ifdef REACHES
#define called also_unreached
#else
#define called elsewhere
#endif
__global__ void k(int *p) { *p = called(*p); }
extern "C" int run()
{
	int *p, h = 3;

	cudaMalloc(&p, 4);
	cudaMemcpy(p, &h, 4, cudaMemcpyDefault);
	k<<<1, 1>>>(p);
	cudaMemcpy(&h, p, 4, cudaMemcpyDefault);
	return h;
}
END
printf '__device__ int nowhere(int);\n__device__ int elsewhere(int x) { return x * 7; }\n__device__ int there(int x) { return nowhere(x); }\n' >elsewhere.cu
printf '#include <cstdio>\nextern "C" int run();\nint main() { printf("reached %%d\\n", run()); }\n' >run.cpp
for unit in reaching elsewhere; do
	status 0 "$cxx" --ct-target=cpu -O1 -fPIC -fgpu-rdc -c $unit.cu
done
rm -f libelsewhere.a
ar rc libelsewhere.a elsewhere.o
for line in 'run.cpp reaching.o elsewhere.o' 'run.cpp reaching.o -L. -lelsewhere'; do
	# shellcheck disable=SC2086
	status 0 "$cxx" --ct-target=cpu -fgpu-rdc $line -o reaching
	lacks err undefined
	status 0 ./reaching
	has out 'reached 21'
done
# A sanitizer's functions are the program's.
nm reaching | grep -q __asan_init && defs= || defs=-Wl,-z,defs
status 0 "$cxx" --ct-target=cpu -fgpu-rdc -shared $defs reaching.o elsewhere.o -o libreaching.so
status 0 "$cxx" --ct-target=cpu run.cpp -L. -lreaching -Wl,-rpath,. -o reaching
status 0 ./reaching
has out 'reached 21'
status 0 "$cxx" --ct-target=cpu -O1 -fgpu-rdc -DREACHES -c reaching.cu
status 1 "$cxx" --ct-target=cpu -fgpu-rdc run.cpp reaching.o elsewhere.o -o reaching
has err _Z7nowherei
has err of_nowhere
no_leftovers
