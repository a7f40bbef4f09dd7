# SPDX-License-Identifier: Apache-2.0
# The GPU target compiles and links without a GPU: what is in the program is seen in its symbols.
. "$CT_CLI/shared/driver.sh"
kernel_source k.cu
cuda=$1

status 0 "$cxx" -O2 -c k.cu
nm k.o >symbols
has symbols 'U __ct_register_packed_unit'
has symbols 'U ct_abi_v6'
status 0 "$cxx" k.o -o k
nm k >symbols
has symbols 'T cudaLaunchKernel'
has symbols 'T __real_cudaLaunchKernel'
has symbols 'ct_abi_v6'
status 0 "$cxx" -O2 k.cu -o k2
nm k2 >symbols
has symbols 'T cudaLaunchKernel'
has symbols 'T __real_cudaLaunchKernel'

# A C++ source beside it is compiled as it would be alone.
printf '#include <cstdio>\nvoid other() { puts("other"); }\n' >other.cpp
status 0 "$cxx" -O2 -MD k.cu other.cpp -o both
[ -e both.d ] || fail "no dependencies"
status 0 "$cxx" --ct-verbose -c k.cu other.cpp
[ "$(grep -c ct-llvm-pass err)" = 1 ] || fail "the pass was loaded for C++"
[ -e k.o ] && [ -e other.o ] || fail "several inputs with -c"

# Device and host halves alone.
status 0 "$cxx" -O2 --cuda-device-only -S -emit-llvm k.cu -o device.ll
has device.ll '__ct__Z5twicePi'
status 0 "$cxx" -O2 --cuda-host-only -c k.cu -o host.o

# Clones of several kernels share what they call, if all can: ptxas would make it for each. Pristine kernels
# keep their shared memory to themselves, variables that only the host uses stay.
cat >several.cu <<'END'
__device__ int for_the_host = 3;
template <int n> __global__ void __launch_bounds__(256 << n) several(int *p)
{
	__shared__ int tile[256];
	tile[threadIdx.x % 256] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = tile[(threadIdx.x + n) % 256];
}
template __global__ void several<0>(int *);
template __global__ void several<1>(int *);
template __global__ void several<2>(int *);
END
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 --ct-share=on --cuda-device-only several.cu -Xcuda-ptxas -v -c -o several.cubin
has err "Function properties for _ZL9ct_record" # ptxas' messages arrive
readelf -sW several.cubin >symbols 2>/dev/null
[ "$(grep -c 'FUNC.*ct_record' symbols)" = 1 ] || fail "copies of ct_record: $(cat symbols)"
[ "$(grep -c 'FUNC  *[GW].*several' symbols)" = 6 ] || fail "not three kernels and their clones: $(cat symbols)"
has symbols for_the_host
readelf -SW several.cubin 2>/dev/null | awk '$2 ~ /^[.]nv[.]shared[.]_Z/ { $1 = ""; print $6 }' >sizes
[ "$(sort -u sizes)" = 000400 ] || fail "shared memory: $(cat sizes)"
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 --ct-share=on --cuda-device-only several.cu -Xcuda-ptxas --maxrregcount=32 -c -o several.cubin
readelf -sW several.cubin >symbols 2>/dev/null
[ "$(grep -c 'FUNC.*ct_record' symbols)" = 3 ] || fail "with the user's bound: $(cat symbols)"
# By default what hardly ever runs is compiled apart and there once; pristine kernels are those of ptxas alone.
for share in off auto; do
	status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 --ct-share=$share --cuda-device-only several.cu -Xcuda-ptxas -v -c -o several.$share
	has err "Compiling entry function '__ct__Z7several"
	readelf -sW several.$share >symbols.$share 2>/dev/null
	for n in 0 1 2; do
		readelf -x ".text._Z7severalILi${n}EEvPi" several.$share 2>/dev/null
	done >pristine.$share
done
[ "$(grep -c 'FUNC.*ct_chunk_change' symbols.off)" = 3 ] || fail "ptxas alone: $(cat symbols.off)"
[ "$(grep -c 'FUNC.*ct_apart_.*ct_chunk_change' symbols.auto)" = 1 ] || fail "apart: $(cat symbols.auto)"
[ "$(grep -c 'FUNC  *[GW].*several' symbols.auto)" = 6 ] || fail "not three kernels and their clones: $(cat symbols.auto)"
[ "$(wc -l <pristine.off)" -gt 30 ] && cmp pristine.off pristine.auto || fail "other pristine kernels"
# A function that is compiled apart is kept: it is compiled where it is not in the cache, and each
# function alone.
kept() { ls "$XDG_CACHE_HOME/cuda-trace/apart" | sort; }
again() { status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 --cuda-device-only "$@" several.cu -c -o several.again; }
export XDG_CACHE_HOME=$PWD/kept
again
cp several.again several.first
kept >kept.first
[ "$(grep -c 'cubin$' kept.first)" -gt 10 ] || fail "kept: $(cat kept.first)"
[ "$(sed 's/[.].*//' kept.first | uniq -c | awk '$1 != 2')" = "" ] || fail "not in pairs: $(cat kept.first)"
touch stamp
again
kept | cmp - kept.first || fail "kept once more: $(kept)"
[ "$(find kept/cuda-trace/apart -type f -newer stamp)" = "" ] || fail "compiled once more: $(find kept/cuda-trace/apart -newer stamp)"
cmp several.again several.first || fail "not the same from the cache"
# Another text of one function, another command line, are others; what is spoilt or gone is made again.
source=$(grep -l ct_chunk_change kept/cuda-trace/apart/*.ptx | head -1)
echo '// changed' >>"$source"
rm "$(ls kept/cuda-trace/apart/*.cubin | grep -v "${source%.ptx}" | head -1)"
again
cmp several.again several.first || fail "not the same where some are missing"
kept | cmp - kept.first || fail "not made again: $(kept)"
again -Xcuda-ptxas -O1
[ "$(kept | wc -l)" -gt "$(wc -l <kept.first)" ] || fail "another level took what is kept"
for cubin in kept/cuda-trace/apart/*.cubin; do
	echo spoilt >"$cubin"
done
again
readelf -sW several.again 2>/dev/null | grep -q 'FUNC.*ct_apart_.*ct_chunk_change' || fail "not apart where the cache is spoilt"
again
cmp several.again several.first || fail "spoilt cubins are not made again"
# A folder that others may write to is not used, nor is none at all missed.
rm -r kept
mkdir -p kept/cuda-trace/apart
chmod 777 kept/cuda-trace/apart
again
[ "$(kept)" = "" ] || fail "kept where others write: $(kept)"
(unset XDG_CACHE_HOME HOME && again)
readelf -sW several.again 2>/dev/null | grep -q 'FUNC.*ct_apart_.*ct_chunk_change' || fail "not apart without a cache"
unset XDG_CACHE_HOME
# Relocatable code with calls through pointers: blocks of 1024 threads, for which an SM has 64 registers each,
# stay possible, unless the user bounds registers.
cat >through.cu <<'END'
__device__ int first(int x) { return x + 1; }
__device__ int second(int x) { return x * 3; }
__device__ int (*const table[2])(int) = {first, second};
__global__ void through(int *p) { p[threadIdx.x] = table[p[threadIdx.x] & 1](7); }
END
registers() { "$cuda/bin/nvlink" -arch=sm_80 -v through.cubin -o linked.cubin 2>&1 | sed -n 's/.*: used \([0-9]*\) registers.*/\1/p' | sort -n | tail -1; }
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only through.cu -c -o through.cubin
[ "$(registers)" -le 64 ] || fail "registers: $(registers)"
# So they do where another unit takes the addresses.
cat >wide.cu <<'END'
__device__ __noinline__ float wide(const float *p)
{
	float v[96], s = 0;
#pragma unroll
	for (int i = 0; i < 96; i++)
		v[i] = p[i];
	__threadfence_block();
#pragma unroll
	for (int i = 0; i < 96; i++)
		s = s * v[i] + v[95 - i];
	return s;
}
__device__ float (*const wides[2])(const float *) = {wide, nullptr};
__device__ auto given(int i) { return wides[i]; }
END
cat >asks.cu <<'END'
__device__ float (*given(int i))(const float *);
__global__ void asks(float *p) { p[threadIdx.x] = given(p[1] > 0)(p); }
END
for unit in wide asks; do
	status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only $unit.cu -c -o $unit.cubin
done
"$cuda/bin/nvlink" -arch=sm_80 -v wide.cubin asks.cubin -o linked.cubin >sizes 2>&1 || fail "$(cat sizes)"
[ "$(sed -n 's/.*: used \([0-9]*\) registers.*/\1/p' sizes | sort -n | tail -1)" -le 64 ] || fail "registers: $(cat sizes)"
# Nor do pristine kernels of other code get the registers of clones of functions: it is linked, too.
for bound in '' --maxrregcount=80; do
	status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 --cuda-device-only through.cu ${bound:+-Xcuda-ptxas $bound} -c -o alone.cubin
	readelf -SW alone.cubin 2>/dev/null | grep -c '[.]text[.]_Z5firsti' >sections || true
	[ "$(cat sections)" = 0 ] && apart=no || apart=yes
	[ "$apart" = "$([ -z "$bound" ] && echo yes || echo no)" ] || fail "functions by themselves with '$bound': $apart"
done
# The states of warps take no room in pristine kernels of linked code, whoever links it.
cat through.cu several.cu >tiles.cu
shared_sizes() { # CUBIN: of pristine kernels with a tile
	readelf -SW "$1" 2>/dev/null | awk '$0 ~ /[.]nv[.]shared[.]_Z/ { sub(/^ *[[][^]]*[]]/, ""); print $5 }' | sort | uniq -c | tr -s ' '
}
for flags in '' --ct-share=off -fgpu-rdc; do
	status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 $flags --cuda-device-only tiles.cu -c -o tiles.cubin
	if [ "$flags" = -fgpu-rdc ]; then
		status 0 "$cuda/bin/nvlink" -arch=sm_80 tiles.cubin -o linked.cubin
	else
		cp tiles.cubin linked.cubin
	fi
	[ "$(shared_sizes linked.cubin)" = ' 3 000400' ] || fail "shared memory with '$flags': $(shared_sizes linked.cubin)"
done
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only through.cu -Xcuda-ptxas --maxrregcount=80 -c -o through.cubin
[ "$(registers)" -gt 64 ] || fail "registers with the user's bound: $(registers)"
# It is of kernels alone; functions that clones call have it, too, where ptxas refuses more.
cat >bounded.cu <<'END'
__global__ void bounded(unsigned *p, const unsigned *q) { p[threadIdx.x] = q[threadIdx.x * p[0]]; }
__device__ __noinline__ unsigned sum(unsigned *p, unsigned x)
{
	unsigned s = p[x & 7];
	for (int i = 0; i < 9; i++)
		s = s * 3 + p[(s + i) & 15];
	return s;
}
__global__ void calls(unsigned *p, const unsigned *q, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		p[i] = sum(p, q[i]) + q[n - i];
}
END
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only bounded.cu -Xcuda-ptxas --maxrregcount=48 -c -o bounded.cubin
# A function that needs more registers than a clone may have.
cat >many.cu <<'END'
__device__ __noinline__ void many(float *p)
{
	float v[80];
#pragma unroll
	for (int i = 0; i < 80; i++)
		v[i] = p[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 80; i++)
		p[i] = v[79 - i];
}
__global__ void calls(float *p) { many(p); }
END
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only many.cu -c -o many.cubin
status 0 "$cxx" -O2 --cuda-gpu-arch=sm_80 -fgpu-rdc --cuda-device-only many.cu -S -o many.ptx
if "$cuda/bin/ptxas" -c -arch=sm_80 many.ptx -o many.cubin 2>refusal; then
	echo "not tested: this ptxas does not refuse a clone that calls a function of more registers"
else
	has refusal "Entry function '__ct__Z5callsPf' with max regcount"
fi
status 1 "$CT_BIN/../lib/cudatrace/ct-ptxas" several.s
has err 'ct-bin=DIR is missing'

# Shared libraries use the program's runtime, whichever they name; a linker of others takes ours.
status 0 "$cxx" -fPIC -O2 -c k.cu
status 0 "$cxx" -shared -o libk.so k.o -lcudart_static
nm -D libk.so >symbols
has symbols 'U cudaLaunchKernel'
for named in -lcudart -lcudart_static "$cuda/lib64/libcudart_static.a"; do
	status 0 "$cxx" k.o -o k -L"$cuda/lib64" $named
	nm -D k >symbols
	has symbols 'T cudaLaunchKernel'
	has symbols 'T cudaGetDeviceProperties'
done
# As a library ours comes ahead of the driver's, whose functions it has, too.
status 0 "$cxx" --ct-runtime=shared k.o -L"$cuda/lib64/stubs" -lcuda -Wl,--no-as-needed -o k
readelf -d k | sed -n 's/.*NEEDED.*\[\(.*cuda.*\)\]/\1/p' >needed
[ "$(head -n 1 needed)" = libcudatrace-gpu.so ] || fail "order: $(cat needed)"
status 0 c++ k.o "$CT_BIN/../lib/cudatrace/libcudatrace-gpu.so" -o k
nm -D k >symbols
has symbols 'U cudaLaunchKernel'
# The runtime for another toolkit is made ready when it is needed: a folder of links to this one,
# which is not this one. Nothing in it is written or removed: through a link that would be the
# toolkit itself.
mkdir other other/lib64
for part in bin include nvvm; do ln -s "$cuda/$part" other/; done
ln -s "$cuda/lib64/libcudart_static.a" "$cuda/lib64/libcudadevrt.a" other/lib64/
status 0 env CUDA_HOME="$PWD/other" "$cxx" --ct-verbose k.o -o k
has err --redefine-syms=
nm k >symbols
has symbols 'T __real_cudaLaunchKernel'
# --ct-toolkit never touches a folder that it did not make.
mkdir mine
ln -s "$cuda/lib64" mine/lib64
status 1 "$cxx" --ct-toolkit=mine
one_line err
has err 'mine is there already'
[ -e "$cuda/lib64/libcudart_static.a" ] || fail "the toolkit was changed"
status 0 "$cxx" --ct-toolkit=view
status 0 "$cxx" --ct-toolkit=view
[ "$(head -c 5 view/lib64/libcudart.so)" = INPUT ] || fail "NVIDIA's runtime is in the view"
status 0 c++ k.o -o k -Lview/lib64 -lcudart_static
nm -D k >symbols
has symbols 'U cudaLaunchKernel'
no_leftovers
