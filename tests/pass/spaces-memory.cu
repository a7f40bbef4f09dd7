// Pointers through memory of locals, structures and variables, without optimisation.
// construct: pointers in nested structures and arrays passed by value
// construct: pointer variables in local memory (-O0)
// construct: pointer kept in shared memory
// construct: constant table of pointers, filled by the host
// RUN: %trace cpu -O0 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
struct Inner {
	float *data[3];
	int n;
};
struct Outer {
	int first;
	Inner inner;
};
struct Vector {
	float *p;
	int n;
	__device__ Vector(float *p, int n) : p(p), n(n) {}
	__device__ void set(float v) { p[0] = v; }
};
__constant__ float *table[4];
__device__ float *elsewhere;
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+3]]:{{.*}} in _Z6nested5Outeri {{.*}} variable o
__global__ void nested(Outer o, int i)
{
	o.inner.data[i][2] = 1;
}
// CHECK-DAG: elsewhere store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+9]]:{{.*}} space shared
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+9]]:
// CHECK-DAG: checked store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+9]]:
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+12]]:{{.*}} variable g
__global__ void locals(float *g, int n)
{
	__shared__ float s[64];
	float *p = s, *q = g + n, *r = n > 2 ? g : s;
	float *both[2] = {g, s};
	p[n] = 1;
	q[n] = 2;
	r[n] = 3;
	// CHECK-DAG: checked store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+1]]:
	both[n & 1][0] = 4;
	Vector v(g, n);
	v.p[1] = 5;
	v.set(6);
}
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+7]]:{{.*}} variable table
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+9]]:{{.*}} variable g
// CHECK-DAG: global store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+11]]:{{.*}} variable elsewhere
__global__ void variables(float *g, int n)
{
	__shared__ float *chosen;

	table[n][0] = 1;
	if (threadIdx.x == 0)
		chosen = g + n;
	chosen[threadIdx.x] = 2;
	// CHECK-DAG: checked store 4 bytes float32 x 1 at {{.*}}:[[#@LINE+1]]:
	((float **)g)[n][0] = 3;
	elsewhere[n] = 4;
}
