# SPDX-License-Identifier: Apache-2.0
# Checks the commands that are run: -### and --ct-verbose show them.
. "$CT_CLI/shared/driver.sh"
kernel_source k.cu

# GPU: one run of clang, everything of ours in it, the default architecture replaced.
status 0 "$cxx" --ct-verbose -O2 -c k.cu -o k.o
one_line err
has err '--cuda-gpu-arch=sm_75'
has err 'ct-clang-plugin.so'
has err '-ct-target=gpu'
status 0 "$cxx" '-###' -c k.cu --offload-arch=sm_90
has err '"-target-cpu" "sm_90"'
lacks err 'sm_75'
[ ! -e k.o.2 ] || fail "-### compiled"

# CPU: device job, retarget, host job, join; the same seed in all of them.
status 0 "$cxx" --ct-target=cpu --ct-verbose -O3 --cuda-gpu-arch=sm_70 --cuda-gpu-arch=sm_80 -c k.cu
[ "$(wc -l <err)" = 4 ] || fail "not four commands"
sed -n 1p err >device; sed -n 2p err >retarget; sed -n 3p err >host; sed -n 4p err >join
has device '--cuda-device-only -emit-llvm -c'
has device '--cuda-gpu-arch=sm_80'
lacks device 'sm_70'
has retarget '-O3'
has host '-fcuda-include-gpubinary'
has join ' -r -nostdlib -o '
has join ' k.o '
seed=$(sed -n 's/.*-ct-unit-seed=\([0-9a-f]\{16\}\).*/\1/p' device)
[ -n "$seed" ] || fail "no seed"
has host "-ct-unit-seed=$seed"
has retarget "--id=$seed"

# The seed names the compile: its output is no part of it, its options are.
seed_of() {
	status 0 "$cxx" --ct-target=cpu --ct-verbose '-###' "$@"
	sed -n 's/.*ct-retarget --id=\([0-9a-f]*\).*/\1/p' err
}
[ "$(seed_of -O3 -c k.cu -o other.o)" = "$(seed_of -O3 -c k.cu)" ] || fail "output changes the seed"
[ "$(seed_of -O3 -DX -c k.cu)" != "$(seed_of -O3 -c k.cu)" ] || fail "-D does not change the seed"
[ "$(seed_of -O3 --ct-values -c k.cu)" != "$(seed_of -O3 -c k.cu)" ] || fail "--ct-values does not change the seed"

# The options of recording go to the pass, the last word of each kind only.
status 0 "$cxx" '-###' --ct-values --ct-kernels=one --ct-spaces=global,shared '--ct-kernels=a|b c' -c k.cu
has err '"-mllvm" "-ct-values"'
has err '"-mllvm" "-ct-spaces=global,shared"'
has err '"-mllvm" "-ct-kernels=a|b c"'
lacks err '-ct-kernels=one'
lacks err '-ct-report'

# The default stream that clang's driver ignores for CUDA, in host code of all languages.
echo 'int x;' >h.cpp
for source in k.cu h.cpp; do
	status 0 "$cxx" --ct-verbose -fgpu-default-stream=per-thread -c $source
	has err ' -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 '
	lacks err 'warning'
done
status 0 "$cxx" '-###' -fgpu-default-stream=per-thread -fgpu-default-stream=legacy -c k.cu
has err '"-U" "CUDA_API_PER_THREAD_DEFAULT_STREAM"'

# Languages, response files, inputs after --.
cp k.cu k.txt
status 0 "$cxx" --ct-verbose -x cuda -c k.txt -o t.o
has err 'ct-llvm-pass.so'
printf '%s\n' '-c "k.cu"' "-o 'from response.o'" '--ct-verbose' >args
status 0 "$cxx" @args
[ -e 'from response.o' ] || fail "@FILE was not read"
has err 'ct-llvm-pass.so'
cp k.cu ./-k.cu
status 0 "$cxx" --ct-target=cpu -c -o dash.o -- -k.cu
[ -e dash.o ] || fail "an input after -- was not compiled"

# -S, -E and the like are clang's own.
status 0 "$cxx" --ct-target=cpu -S k.cu -o k.s
has k.s 'main:'
status 0 "$cxx" --ct-target=cpu -E k.cu
has out 'void twice(int *p)'
status 0 "$cxx" -fsyntax-only k.cu
status 0 "$cxx" -M k.cu
has out 'k.cu'
no_leftovers

# Kept on request.
status 0 "$cxx" --ct-target=cpu --ct-keep -c k.cu
has err 'temporary files are in'
[ -e tmp/cuda-trace-*/0.bc ] || fail "nothing was kept"
