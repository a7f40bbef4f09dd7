// Spaces, values and events that are recorded stand in the unit's header; other spaces are elsewhere.
// construct: option --ct-spaces
// construct: option --ct-values
// construct: option --ct-events
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s --check-prefix=GLOBAL
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm -ct-spaces=shared,constant -mllvm -ct-values -mllvm -ct-events=barrier,block
// RUN: %dump | FileCheck %s --check-prefix=SHARED
__constant__ int table[8];
__global__ void kernel(int *p, int n)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = *p;
	__syncthreads();
	*p = tile[n] + table[n];
}
// GLOBAL: {{^}}unit {{[^ ]*}} sm_90 {{[^ ]*}}options-spaces.cu{{$}}
// GLOBAL-DAG: global load 4 bytes {{.*}} variable p
// GLOBAL-DAG: global store 4 bytes {{.*}} variable p
// GLOBAL-DAG: elsewhere store 4 bytes {{.*}} variable {{.*}}tile space shared
// GLOBAL-DAG: elsewhere load 4 bytes {{.*}} variable table space constant
// SHARED: {{^}}unit {{.*}} spaces shared,constant events barrier,block values
// SHARED-DAG: elsewhere load 4 bytes {{.*}} variable p
// SHARED-DAG: definite store 4 bytes {{.*}} variable {{.*}}tile space shared
// SHARED-DAG: definite load 4 bytes {{.*}} variable table space constant
// SHARED-DAG: elsewhere store 4 bytes {{.*}} variable p
