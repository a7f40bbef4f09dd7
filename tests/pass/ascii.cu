// Names and paths beyond ASCII, which PTX does not know: symbols are written as nvcc writes them, on both sides, and comments are without.
// RUN: mkdir -p %t.ü && cp %s %t.ü/ö.cu
// RUN: %trace gpu -O2 -g -Xarch_device -g --cuda-device-only -S %t.ü/ö.cu -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --implicit-check-not=ö --implicit-check-not=ü <%t.ptx
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %more gpu -O2 -fgpu-rdc --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RDC
struct Größe { int weiß; };
__device__ int größer = 3;
template <typename T> __global__ void kern(T *öl)
{
	__shared__ int päckchen[32];
	päckchen[threadIdx.x] = größer;
	__syncthreads();
	öl->weiß += päckchen[threadIdx.x ^ 1];
}
int main() { kern<<<1, 32>>>((Größe *)nullptr); }
// PTX: .visible .global .align 4 .u32 gr_u00f6_u00dfer
// PTX: .entry _Z4kernI15Gr_u00f6_u00dfeEvPT_(
// PTX: p_u00e4ckchen;
// PTX: .entry __ct__Z4kernI15Gr_u00f6_u00dfeEvPT_(
// PTX: .file{{.*}}.\303\274/\303\266.cu"
// HOST-DAG: c"_Z4kernI15Gr_u00f6_u00dfeEvPT_\00"
// HOST-DAG: c"__ct__Z4kernI15Gr_u00f6_u00dfeEvPT_\00"
// HOST-DAG: c"gr_u00f6_u00dfer\00"
// RDC-DAG: c"_Z4kernI15Gr_u00f6_u00dfeEvPT_\00"
// RDC-DAG: c"gr_u00f6_u00dfer\00"
// RDC-DAG: @"_Z4kernI7Gr\C3\B6\C3\9FeEvPT_" = weak_odr
