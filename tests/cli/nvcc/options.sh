# SPDX-License-Identifier: Apache-2.0
# Every option of nvcc 13 (options.txt: its names, arguments to try, and what becomes of it: words of
# a command, a warning, or "=", the commands of a line without it), by its long and its short name.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc

echo '__global__ void k() {} int main() {}' >a.cu
echo '-Dfrom_options' >options
# commands ARGUMENT...: what would be run, without the settings before it
commands() {
	"$nvcc" -dryrun "$@" a.cu >log 2>&1 || fail "$*: $(cat log)"
	grep -v -e '^#\$ _' -e '^#\$ [A-Z_]*=' log >out || true
}
commands
cp out plain
"$nvcc" --help >help
count=0
while IFS='|' read -r long short arguments expected; do
	for name in "$long" "$short"; do
		# shellcheck disable=SC2086
		commands "$name" $arguments
		if [ "$expected" = = ]; then
			cmp -s out plain || fail "$name changes commands: $(diff plain out)"
		else
			grep -qF -e "$expected" log || fail "$name: no '$expected' in: $(cat log)"
		fi
	done
	count=$((count + 1))
	grep -qF -e "  ($short)" help || fail "--help does not know $short"
done <"$CT_CLI/nvcc/options.txt"
[ "$count" = "$(grep -c '^--.*  (-' help)" ] || fail "--help has options that nvcc does not have"

has plain -nvvm-reflect-add=__CUDA_PREC_SQRT=1
commands -use_fast_math
lacks out nvvm-reflect

# Forms of arguments.
commands -O3 -Ia -I b -I=c -DX -D Y,Z -lm -L. -t4
for word in '-Xarch_host -O3' '-Ia -Ib -Ic -DX -DY -DZ' '-lm -L.'; do has out "$word"; done
commands -Xcompiler '-O1 -fopenmp' -Xcompiler=-fPIC -Xcompiler '"-DA=1,2",-DB=1\,2' -Xlinker '-z,now'
for word in '-DA=1,2 -DB=1,2' '-Xarch_host -O1 -Xarch_host -fPIC' '-Xlinker -z -Xlinker now'; do has out "$word"; done
# Clang refuses some of the host's compiler's options for one side: those that change nothing are
# left out, those that are for the whole line are said so, and values stay with their options.
commands -Xcompiler -m64,-c -Xcompiler=-C
cmp -s out plain || fail "-Xcompiler -m64 changes commands: $(diff plain out)"
commands -Xcompiler -B,/bin -Xcompiler '-isysroot /' -Xcompiler --param,x=1 -Xcompiler '-L /lib -u main' -Xcompiler -save-temps -Xcompiler -MMD
for word in '-B /bin -isysroot / --param x=1 -save-temps' ' -MMD ' '-B /bin -L /lib -u main -save-temps'; do has out "$word"; done
lacks out -Xarch_host
# Dependencies are those of the whole line, with the file and the target that are asked for.
commands -c -Xcompiler -MD,-MF,a.deps -Xcompiler=-MT -Xcompiler target -Xcompiler -MP
has out ' -MD -MP -MF a.deps -MT target '
commands -c -Xcompiler '-MMD -MFb.deps' -Xcompiler '-MQ,$(target)'
grep -qE -- "-MMD -MF b.deps -MQ '?.?.\(target\)" out || fail "-MQ: $(cat out)"
lacks out -Xarch_host
status 0 "$nvcc" -Xcompiler -MD,-MF,a.deps,-MT,target -c a.cu
grep -q '^target: *a.cu' a.deps || fail "dependencies: $(cat a.deps)"
rm a.deps
status 0 "$nvcc" -Xcompiler -m64,-c,-B,/bin,-isysroot,/ -Xcompiler --param,ssp-buffer-size=8 -c a.cu
status 0 "$nvcc" -Xcompiler -fopenmp-simd -c a.cu # for the host alone: clang takes no device code with it
commands -default-stream per-thread -UCUDA_API_PER_THREAD_DEFAULT_STREAM
has out '-UCUDA_API_PER_THREAD_DEFAULT_STREAM -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1'
commands -default-stream per-thread -default-stream legacy
cmp -s out plain || fail "-default-stream legacy behind per-thread changes commands: $(diff plain out)"
commands -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=\"sm_90,compute_90\"
has out '--cuda-gpu-arch=sm_80 --no-cuda-include-ptx=sm_80 --cuda-gpu-arch=sm_90 -x'
commands -arch=all-major
has out '--cuda-gpu-arch=sm_75 --no-cuda-include-ptx=sm_75'
has out '--cuda-gpu-arch=sm_120 -x'
# Those that clang has no PTX for unless that is asked for: it is compiled, too.
has out '--cuda-feature=+ptx90'
for arch in sm_88 sm_110; do
	status 0 "$nvcc" -arch=$arch -cubin -o newer.cubin a.cu
done
rm newer.cubin
commands -arch=sm_100f
lacks out '--cuda-feature'
has out '--cuda-gpu-arch=sm_100f'
commands -I"$(readlink -f "$CT_CUDA")/include"
has out '-x cuda'
lacks out "-I$(readlink -f "$CT_CUDA")/include"
# Architectures are those of the toolkit.
mkdir -p twelve/include
: >twelve/include/cuda_runtime.h
echo '#define CUDA_VERSION 12040' >twelve/include/cuda.h
status 0 env CUDA_HOME="$PWD/twelve" "$nvcc" --list-gpu-code
has out sm_50
lacks out sm_100
CUDA_HOME=$PWD/twelve commands -arch=all-major
has out '--cuda-gpu-arch=sm_70'
has log 'warning: no code for sm_50, sm_60: GPUs can be traced from sm_70 on'
has out '--cuda-gpu-arch=sm_90 -x'
# A toolkit whose nvcc is this program is not asked over and over which it is.
mkdir -p ours/bin
ln -s "$(readlink -f "$CT_CUDA")/include" ours/include
printf '#!/bin/sh\nexec "%s" "$@"\n' "$nvcc" >ours/bin/nvcc
chmod +x ours/bin/nvcc
status 0 env CUDA_HOME="$PWD/ours" timeout -k 5 60 ours/bin/nvcc --version
has out 'Cuda compilation tools, release 1'
status 0 env CUDA_HOME="$CT_BIN/../lib/cudatrace/toolkit-gpu" timeout -k 5 60 "$nvcc" --version
lacks out toolkit-gpu
NVCC_PREPEND_FLAGS='-DBEFORE' NVCC_APPEND_FLAGS='-DBEHIND' commands -DGIVEN
has out '-DBEFORE -DGIVEN -DBEHIND'
commands --ct-values --ct-target=cpu
has out '--ct-values --ct-target=cpu'

# Mistakes: one line each, and what would be right.
status 1 env CUDA_HOME="$PWD/twelve" "$nvcc" -arch=sm_61 -c a.cu
one_line err
has err 'sm_61: GPUs can be traced from sm_70 on'
status 1 "$cxx" --cuda-gpu-arch=sm_60 -c a.cu
one_line err
has err 'sm_60: GPUs can be traced from sm_70 on'
wrong() { # WORDS ARGUMENT...
	words=$1
	shift
	status 1 "$nvcc" "$@"
	one_line err
	has err "$words"
}
wrong "Unknown option '--fmadd'; did you mean --fmad?" --fmadd a.cu
wrong "Unknown option '-Wall'" -Wall a.cu
wrong "Unsupported gpu architecture 'sm_60'" -arch=sm_60 a.cu
wrong "code 'sm_80' is older than" -arch=compute_90 -code=sm_80 a.cu
wrong "'sm_90' is no virtual architecture" -arch=sm_90 -code=sm_90 a.cu
wrong "write arch=compute_90,code=" -gencode arch=compute_90 a.cu
wrong "--optimize: expected a number, not ''" -O '' a.cu
wrong 'No input files specified' -c
wrong "Don't know what to do with 'a.xyz'" -c a.xyz
wrong "Value 'c++21' is not defined" -std=c++21 a.cu
wrong "no argument expected after '--keep'" -keep=yes a.cu
wrong 'write true or false' -rdc=1 a.cu
wrong 'A single input file is required' -c -o x.o a.cu b.cu
wrong '--ptx makes code for one architecture' -ptx -arch=all a.cu
wrong 'unknown option --ct-tarjet; did you mean --ct-target?' --ct-tarjet=cpu a.cu
no_leftovers
