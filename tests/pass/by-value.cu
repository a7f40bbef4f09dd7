// Pointers inside structures and closures passed by value are global, like pointer parameters.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
struct Args {
	float *x;
	int n;
	float **rows;
};
__global__ void kernel(Args args) { args.x[args.n] = args.rows[1][2]; }
// CHECK: define {{.*}}@__ct__Z6kernel4Args(ptr {{.*}}byval(%struct.Args) align 8{{[^,]*}}, ptr byval(%struct.ct_launch) align 8 %{{[^ )]+}})
// UNIT: (Args args)
// UNIT-NEXT: site 0 global load 8 bytes pointer64 {{.*}} variable args
// UNIT-NEXT: site 1 checked load 4 bytes float32 {{.*}} kernel 0{{$}}
// UNIT-NEXT: site 2 global store 4 bytes float32 {{.*}} variable args
// UNIT-NOT: {{site [0-9]+ [^e]}}
