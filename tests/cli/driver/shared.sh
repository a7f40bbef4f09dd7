# SPDX-License-Identifier: Apache-2.0
# Shared libraries need the runtime as a library, and use the program's if it has one; relocatable links stay
# objects; programs of others load libraries and unload them.
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
status 0 "$cxx" -shared --ct-runtime=static -o libkernel.so kernel.o -lcudart
lacks_runtime() { readelf -d "$1" >needed && lacks needed libcudatrace; }
lacks_runtime libkernel.so
status 0 "$cxx" -shared --ct-runtime=static -Wl,-z,defs -o libdefs.so kernel.o
status 0 "$cxx" main.cpp -o app -L. -lkernel -Wl,-rpath,"$PWD"
status 0 "$ctrun" -o static.ctrace ./app
has err '[ctrun] traced 1 launch (1 kernel)'
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
# Programs of others load libraries: there is little room for their thread-local data. Two libraries
# share the runtime; one that is closed ends its kernels first, and can be opened again.
for library in gpu cpu; do
	bytes=$(readelf -lW "$parts/libcudatrace-$library.so" | awk '$1 == "TLS" { print $6 }')
	is_static=$(readelf -dW "$parts/libcudatrace-$library.so" | grep -c 'STATIC_TLS') || true
	[ "$is_static" = 0 ] || [ $((bytes)) -le 640 ] || fail "libcudatrace-$library.so: $bytes of static TLS"
	readelf -dW "$parts/libcudatrace-$library.so" >dynamic
	lacks dynamic TEXTREL
	has dynamic NODELETE
done
cat >part.cu <<'END'
__device__ int total;
__global__ void add(int *p) { p[threadIdx.x] += ADD, atomicAdd(&total, 1); }
__global__ void hold(volatile int *flag) { while (!*flag); }
extern "C" int NAME(int value)
{
	int *d, h[64] = {value}, sum = 0;

	cudaMalloc(&d, sizeof(h));
	cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
	add<<<1, 64>>>(d);
	cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
	cudaMemcpyFromSymbol(&sum, total, sizeof(sum));
	return cudaGetLastError() ? -1 : 1000 * h[0] + sum;
}
extern "C" int leave(int *flag)
{
	hold<<<1, 1>>>(flag);
	return cudaGetLastError();
}
END
cat >load.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int flag;
static void *release(void *unused) { return usleep(200000), __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST), unused; }
static void *open_it(const char *name, int how)
{
	void *library = dlopen(name, how);
	if (!library)
		printf("%s\n", dlerror());
	return library;
}
int main(void)
{
	void *a = open_it("./liba.so", RTLD_NOW | RTLD_LOCAL), *b = open_it("./libb.so", RTLD_LAZY | RTLD_DEEPBIND);
	pthread_t thread;
	if (!a || !b)
		return 1;
	printf("%d ", ((int (*)(int))dlsym(a, "one"))(5));
	printf("%d ", ((int (*)(int))dlsym(b, "two"))(5));
	printf("%d ", ((int (*)(int))dlsym(a, "one"))(5));
	pthread_create(&thread, NULL, release, NULL);
	((int (*)(int *))dlsym(a, "leave"))(&flag);
	dlclose(a);
	printf("%s ", dlopen("./liba.so", RTLD_NOW | RTLD_NOLOAD) ? "stays" : "gone");
	a = open_it("./liba.so", RTLD_NOW);
	printf("%d\n", ((int (*)(int))dlsym(a, "one"))(6));
	return pthread_join(thread, NULL);
}
END
cat >load.py <<'END'
import ctypes, os
a, b = (ctypes.CDLL(os.path.abspath(name)) for name in ("liba.so", "libb.so"))
print(a.one(5), b.two(5))
END
status 0 "$cxx" -O1 -fPIC -shared -DNAME=one -DADD=1 part.cu -o liba.so
status 0 "$cxx" -O1 -fPIC -shared -DNAME=two -DADD=2 part.cu -o libb.so
status 0 cc load.c -o load -ldl -lpthread
export CUDATRACE=off
status 0 timeout 60 ./load
has out '6064 7064 6128 gone 7064'
status 0 python3 load.py
has out '6064 7064'
unset CUDATRACE
status 0 timeout 60 "$ctrun" -o load.ctrace ./load
has out '6064 7064 6128 gone 7064'
has err '[ctrun] traced 5 launches (3 kernels)'
status 0 timeout 60 "$ctrun" -o python.ctrace python3 load.py
has out '6064 7064'
has err '[ctrun] traced 2 launches (2 kernels)'
no_leftovers
