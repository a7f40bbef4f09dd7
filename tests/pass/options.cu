// Options choose what is recorded: kinds, kernels, files, rules of a list. What is left out says why.
// construct: option --ct-kinds
// construct: option --ct-kernels
// construct: option --ct-files
// construct: option --ct-list
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - -mllvm -ct-kinds=store,atomic | FileCheck %s --check-prefix=KINDS
// RUN: %dump | FileCheck %s --check-prefix=KINDS-UNIT
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - -mllvm '-ct-kernels=^ns::(one|two)<' | FileCheck %s --check-prefix=KERNELS
// RUN: %dump | FileCheck %s --check-prefix=KERNELS-UNIT
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm '-ct-files=no*.cu'
// RUN: %dump | FileCheck %s --check-prefix=FILES
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm '-ct-files=opt*.cu'
// RUN: %dump | FileCheck %s --check-prefix=THIS-FILE
// RUN: echo '# comment' > %t.list
// RUN: echo 'deny kernel .*' >> %t.list
// RUN: echo '  allow   kernel  two' >> %t.list
// RUN: echo 'deny function ^helper$' >> %t.list
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm -ct-list=%t.list
// RUN: %dump | FileCheck %s --check-prefix=LIST
// RUN: echo 'allow kernel two' > %t.list
// RUN: echo 'deny file */pass/options.cu' >> %t.list
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm -ct-list=%t.list
// RUN: %dump | FileCheck %s --check-prefix=ALLOW
__device__ void helper(int *p) { atomicAdd(p, 1); }
// A function that only kernels that are not selected reach is neither cloned nor listed.
__device__ __noinline__ void only_three(int *p) { *p = 3; }
namespace ns {
template <class T> __global__ void one(T *p) { p[threadIdx.x] = 1; }
template <class T> __global__ void two(T *p)
{
	p[1] = p[0];
	helper(p);
}
}
__global__ void three(int *p) { only_three(p); }
template __global__ void ns::one<int>(int *);
template __global__ void ns::two<int>(int *);

// KINDS: define {{.*}}@__ct__ZN2ns3twoIiEEvPT_(
// KINDS: load i32
// KINDS: call {{.*}} @__ct_access
// KINDS-NEXT: store i32
// KINDS-UNIT: {{^}}unit {{.*}} kinds store,atomic
// KINDS-UNIT: filtered load 4 bytes {{.*}} reason: kind not recorded (--ct-kinds)

// KERNELS-NOT: @__ct__Z{{5threePi|10only_three}}
// KERNELS: define {{.*}}@__ct__ZN2ns3{{one|two}}IiEEvPT_(
// KERNELS-NOT: @__ct__Z{{5threePi|10only_three}}
// KERNELS-UNIT-DAG: kernel _Z5threePi {{.*}} no clone: kernel not selected (--ct-kernels)
// KERNELS-UNIT-DAG: kernel _ZN2ns3oneIiEEvPT_ "ns::one<int>{{[^:]*}}" at {{.*}} p){{$}}
// KERNELS-UNIT-NOT: in _Z10only_three

// FILES-NOT: {{^}}site {{.*}} global
// FILES: filtered store {{.*}} reason: file not selected (--ct-files)
// FILES-NOT: {{^}}site {{.*}} global
// THIS-FILE: global store 4 bytes {{.*}} in _ZN2ns3
// Headers of CUDA belong to the code that includes them.
// THIS-FILE: global atomic_add {{.*}} in _ZN2ns3two
// THIS-FILE-NOT: reason: file not selected

// LIST-DAG: kernel _Z5threePi {{.*}} no clone: kernel not selected (--ct-list, {{.*}}.list:2)
// LIST-DAG: kernel _ZN2ns3twoIiEEvPT_ {{.*}} p){{$}}
// LIST-DAG: filtered atomic_add {{.*}} reason: function not selected (--ct-list, {{.*}}.list:4) <- atomicAdd
// LIST-DAG: global store {{.*}} in _ZN2ns3twoIiEEvPT_

// ALLOW-DAG: kernel _Z5threePi {{.*}} no clone: kernel not selected (--ct-list, {{.*}}.list: no rule allows it)
// ALLOW-DAG: filtered store {{.*}} in _ZN2ns3twoIiEEvPT_ {{.*}} reason: file not selected (--ct-list, {{.*}}.list:2)
