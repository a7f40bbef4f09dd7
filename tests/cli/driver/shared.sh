# SPDX-License-Identifier: Apache-2.0
# Shared libraries use the program's runtime; relocatable links stay objects.
. "$CT_CLI/shared/driver.sh"
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET
cat >kernel.cu <<'END'
__global__ void set(int *p) { *p = 7; }
extern "C" int run()
{
	int *d, h = 0;
	cudaMalloc(&d, 4);
	set<<<1, 1>>>(d);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	return h;
}
END
echo 'extern "C" int run(); int main() { return run() - 7; }' >main.cpp

status 0 "$cxx" -fPIC -c kernel.cu
status 0 "$cxx" -shared -o libkernel.so kernel.o -lcudart
nm -D libkernel.so >symbols
has symbols 'U cudaMalloc'
lacks symbols 'T cudaMalloc'
status 0 "$cxx" -shared -Wl,-z,defs -o libdefs.so kernel.o
status 0 "$cxx" main.cpp -o app -L. -lkernel -Wl,-rpath,"$PWD"
status 0 "$ctrun" -o t.ctrace ./app
has err '[ctrun] traced 1 launch (1 kernel)'

status 0 "$cxx" -r -nostdlib -o part.o kernel.o
nm part.o >symbols
has symbols 'U cudaMalloc'
status 0 "$cxx" main.cpp part.o -o app
status 0 ./app

# Whoever links: programs and libraries with the runtime as a library, by a compiler of others.
parts=$CT_BIN/../lib/cudatrace
status 0 c++ main.cpp kernel.o "$parts/libcudatrace-cpu.so" -o others
status 0 "$ctrun" -o others.ctrace ./others
has err '[ctrun] traced 1 launch (1 kernel)'
status 0 c++ -shared kernel.o "$parts/libcudatrace-cpu.so" -o libkernel.so
status 0 c++ main.cpp -o others -L. -lkernel -Wl,-rpath,"$PWD"
status 0 "$ctrun" -o more.ctrace ./others
has err '[ctrun] traced 1 launch (1 kernel)'
# A library that needs the runtime, in a program that has it: the program's is the one.
status 0 "$cxx" main.cpp kernel.o -o app -L. -lkernel -Wl,-rpath,"$PWD"
status 0 "$ctrun" -o both.ctrace ./app
has err '[ctrun] traced 1 launch (1 kernel)'
status 0 "$cxx" --ct-runtime=shared main.cpp kernel.o -o app
status 0 ./app
nm -D app >symbols
has symbols 'U cudaMalloc'
# It is needed by name, and looked for where it is.
readelf -d app >needed
has needed '[libcudatrace-cpu.so]'
grep -q 'RUNPATH.*/cudatrace' needed || fail "nothing says where the runtime is: $(cat needed)"
no_leftovers
