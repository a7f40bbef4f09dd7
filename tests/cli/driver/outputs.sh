# SPDX-License-Identifier: Apache-2.0
# The CPU target writes the files that clang would write, where it would.
. "$CT_CLI/shared/driver.sh"
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET
mkdir source out.d
kernel_source source/k.cu

status 0 "$cxx" -c source/k.cu
[ -e k.o ] || fail "-c without -o: no k.o"
status 0 "$cxx" -o k k.o
status 0 ./k
has out 42
status 0 "$cxx" -c -oout.d/joined.o source/k.cu
status 0 "$cxx" out.d/joined.o
status 0 ./a.out

# Several inputs, some in C++, compiled and linked at once, or with -c.
cat >launch.cu <<'END'
#include "launch.h"
__global__ void add(int *p, int n) { atomicAdd(p, n); }
int sum(int n)
{
	int *d, h = 0;
	cudaMalloc(&d, 4);
	cudaMemset(d, 0, 4);
	add<<<2, 32>>>(d, n);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	return h;
}
END
echo 'int sum(int n);' >launch.h
printf '#include "launch.h"\n#include <cstdio>\nint main() { printf("%%d\\n", sum(VALUE)); }\n' >main.cpp
status 0 "$cxx" -DVALUE=2 launch.cu main.cpp -o both
status 0 ./both
has out 128
status 0 "$cxx" -DVALUE=3 -c launch.cu main.cpp
status 0 "$cxx" launch.o main.o -lcudart -o both
status 0 ./both
has out 192
ar rc liblaunch.a launch.o
status 0 "$cxx" main.o -L. -llaunch -o from-archive
status 0 ./from-archive
has out 192
status 1 "$cxx" -DVALUE=3 -c launch.cu main.cpp -o one.o
has err 'cannot specify -o when generating multiple output files'

# Dependencies: named and addressed as clang does.
status 0 "$cxx" -MD -c launch.cu -o out.d/l.o
has out.d/l.d 'out.d/l.o:'
has out.d/l.d 'launch.h'
status 0 "$cxx" -MMD -MP -c launch.cu
has launch.d 'launch.o:'
has launch.d 'launch.h:'
status 0 "$cxx" -MMD -MF deps -MT 'target' -c launch.cu
has deps 'target:'
status 0 "$cxx" -DVALUE=1 -MMD launch.cu main.cpp -o both
has both.d 'both:'

# Debug and optimisation levels, both halves.
for level in -O0 -Os '-O3 -g'; do
	# shellcheck disable=SC2086
	status 0 "$cxx" $level source/k.cu -o k
	status 0 ./k
done
status 0 "$cxx" -O2 -flto -c source/k.cu
status 0 "$cxx" -O2 -flto k.o -o k
status 0 ./k

# A header that was compiled ahead, for both sides: its kernels and launches are traced as others.
cat >ahead.h <<'END'
#pragma once
#include <cstdio>
template <class T> __global__ void made(T *p) { *p += 1; }
__global__ void ahead(int *p) { *p += 1000; }
void launch(int *p) { ahead<<<1, 1>>>(p); }
END
cat >behind.cu <<'END'
__global__ void behind(int *p) { *p *= 2; }
int main()
{
	int *p, h = 3;

	cudaMalloc(&p, 4);
	cudaMemcpy(p, &h, 4, cudaMemcpyDefault);
	behind<<<1, 1>>>(p);
	made<<<1, 1>>>(p);
	launch(p);
	cudaMemcpy(&h, p, 4, cudaMemcpyDefault);
	printf("ahead %d\n", h);
}
END
mkdir ahead.h.pch
status 0 "$cxx" --ct-target=cpu -x cuda --cuda-host-only -Xclang -emit-pch -c ahead.h -o ahead.h.pch/host
status 0 "$cxx" --ct-target=cpu -x cuda --cuda-device-only -Xclang -emit-pch -S ahead.h -o ahead.h.pch/device
status 0 "$cxx" --ct-target=cpu --cuda-host-only -include-pch ahead.h.pch/host -c behind.cu -o behind.o
status 0 "$cxx" --ct-target=cpu -include ahead.h behind.cu -o behind
status 0 "$ctrun" -o behind.ctrace -- ./behind
has out 'ahead 1007'
status 0 "$CT_BIN/ctpost" dump --format=csv behind.ctrace
has out ',behind,'
has out 'ahead.h,3,'
has out 'ahead.h,4,'
status 0 "$CT_BIN/ctpost" info behind.ctrace
rm -r ahead.h.pch
no_leftovers
