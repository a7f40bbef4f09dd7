#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bundle.sh BUILD OUT [ARCH [PART...]]
# Everything that a machine with a GPU, but without our compiler, needs to run
# the GPU tests: the programs compiled for ARCH (sm_90), ctpost, ctrun, their
# libraries, the scripts, and traces of the examples on the CPU target.
# PARTs: examples, features, errors, untraced, hang, multi, scale, banks, access, calls, ctas, ffm,
# samples, profile, compare, check (default: all). There:
#
#   OUT/run.sh OUT RESULTS      OUT/ncu.sh OUT RESULTS      OUT/bench.sh OUT RESULTS
#   OUT/hang.sh OUT RESULTS     OUT/counts.sh OUT RESULTS   OUT/multi.sh OUT RESULTS
#   OUT/banks.sh OUT RESULTS    OUT/access.sh OUT RESULTS   OUT/calls.sh OUT RESULTS
#   OUT/ctas.sh OUT RESULTS     OUT/bench-ctas.sh OUT RESULTS
#   OUT/ffm.sh OUT RESULTS [ROUNDS]
#   OUT/profile.sh OUT RESULTS [ROUNDS]     OUT/compare.sh OUT RESULTS [PROGRAM...]
#   OUT/check.sh OUT RESULTS [TOOL...]
#   OUT/samples.sh OUT RESULTS     OUT/scale.sh OUT RESULTS (two devices)
#   CUPTI_COST_LIBRARY=OUT/lib/libcupti-cost.so OUT/bench-calls.sh OUT/bin/ctrun OUT/plain/launches OUT/programs/launches
set -eu
[ $# -ge 2 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd) OUT=$2 ARCH=${3:-sm_90}
parts="examples features errors untraced hang multi scale banks access calls ctas ffm samples profile compare check"
[ $# -le 3 ] || { shift 3; parts="$*"; }
GPU=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$GPU/../.." && pwd)
E2E="$SOURCE/tests/e2e"
. "$GPU/libraries.sh"
compiler="$BUILD/bin/cuda-trace-clang++"

rm -rf "$OUT"
mkdir -p "$OUT/bin" "$OUT/lib" "$OUT/programs" "$OUT/plain" "$OUT/cpu" "$OUT/objects"
OUT=$(cd "$OUT" && pwd)

# The driver API's library stands in for the driver's where there is no GPU.
toolkit=$("$compiler" --ct-version | sed -n 's/^CUDA: *//p')
clang=$("$compiler" --ct-version | sed -n 's/^clang: *//p')
stubs=$toolkit/lib64/stubs

# The text of the files among the words.
sources() {
	for word; do
		[ ! -f "$word" ] || cat "$word"
	done
}

# gpu NAME SOURCE...: into programs/
gpu() {
	name=$1
	shift
	echo "$name"
	if sources "$@" | grep -q '#include <cuda.h>'; then
		set -- -L"$stubs" "$@" -lcuda
	fi
	# A source may name the architecture that alone has what it uses.
	own=$(sources "$@" | sed -n 's|^// arch: *||p')
	"$E2E/build.sh" "$compiler" "$OUT/programs/$name" --ct-target=gpu \
		--cuda-gpu-arch="${own:-$ARCH}" "$@"
}

# both NAME SOURCE...: for the GPU into programs/, for the CPU target into cpu/
both() {
	name=$1
	shift
	echo "$name"
	"$E2E/build.sh" "$compiler" "$OUT/objects/$name" --ct-target=gpu --cuda-gpu-arch="$ARCH" "$@"
	"$E2E/build.sh" "$compiler" "$OUT/objects/$name.cpu" --ct-target=cpu "$@"
	mv "$OUT/objects/$name" "$OUT/programs/$name"
}

# The examples, and what the CPU target records of them.
examples() {
	grep -v '^#' "$E2E/programs.txt" | while read -r name sizes sources; do
		(cd "$SOURCE/examples" && both "$name" $sources)
		CUDATRACE_OUTPUT="$OUT/cpu/$name.ctrace" "$OUT/objects/$name.cpu" "${sizes%%,*}"
	done
	both values-regular --ct-values "$E2E/features/regular.cu"
	CUDATRACE_OUTPUT="$OUT/cpu/values-regular.ctrace" "$OUT/objects/values-regular.cpu"
	gpu value-truths --ct-values "$E2E/values/truths.cu"
	gpu value-contents --ct-values "$E2E/values/contents.cu"
	gpu value-fetches --ct-values "$GPU/values/fetches.cu"
	gpu value-objects --ct-values "$E2E/values/objects.cu"
	gpu saxpy "$SOURCE/examples/cmake-cuda/saxpy.cu" "$SOURCE/examples/cmake-cuda/main.cpp"
}

features() {
	for source in "$E2E"/features/*.cu; do
		gpu "feature-$(basename "$source" .cu)" "$source"
	done
	for source in "$GPU"/features/*.cu; do
		gpu "feature-$(basename "$source" .cu)" -I"$E2E/features" "$source"
	done
	for feature in regular series; do
		gpu "single-$feature" --ct-groups=off --ct-loops=off "$E2E/features/$feature.cu"
	done
	for feature in regular loads blocks; do
		gpu "blocks-$feature" --ct-events=block "$E2E/features/$feature.cu"
	done
	gpu counts-hundreds "$E2E/counts/hundreds.cu"
	gpu values-summary --ct-values "$E2E/summary/summary.cu"
	gpu feature-transfers-ptds -DCUDA_API_PER_THREAD_DEFAULT_STREAM "$E2E/features/transfers.cu"
	gpu feature-default-stream -fgpu-default-stream=per-thread "$E2E/units/default-stream.cu" \
		"$E2E/units/legacy-stream.cpp"
	echo feature-rdc
	"$E2E/build-rdc.sh" "$compiler" "$OUT/programs/feature-rdc" --ct-target=gpu --cuda-gpu-arch="$ARCH"
	gpu feature-dynamic -fgpu-rdc "$E2E/rdc/dynamic.cu"
}

errors() {
	gpu endings "$E2E/errors/endings.cu"
	gpu overlap "$E2E/errors/overlap.cu"
}

# The same source without us, for bench.sh. The wrapper says which clang and toolkit.
untraced() {
	bench="$SOURCE/bench/untraced-launch"
	"$E2E/build.sh" "$compiler" "$OUT/programs/untraced-launch" --ct-target=gpu \
		--cuda-gpu-arch="$ARCH" "$bench/untraced-launch.cu"
	"$bench/build-plain.sh" "$BUILD" "$OUT/plain/untraced-launch" "$ARCH"
	cp "$bench/bench.sh" "$OUT"
}

# Runs what must not hang, for hang.sh.
hang() {
	for source in "$GPU"/hang/*.cu; do
		gpu "hang-$(basename "$source" .cu)" -I"$E2E/features" "$source"
	done
}

# Several devices and several processes, for multi.sh.
multi() {
	gpu devices -pthread -I"$E2E/features" "$GPU/multi/devices.cu"
	gpu devices-ptds -pthread -fgpu-default-stream=per-thread -I"$E2E/features" "$GPU/multi/devices.cu"
	gpu many "$E2E/processes/many.cu"
	gpu rate -pthread -I"$E2E/features" "$GPU/multi/rate.cu"
}

# Examples for several devices, for scale.sh.
scale() {
	for name in stencil2d matmul; do
		gpu $name-devices "$SOURCE/examples/$name/$name-devices.cu"
	done
	mkdir -p "$OUT/lib/cudatrace"
	cp "$BUILD/lib/cudatrace/calibrate-gpu" "$OUT/lib/cudatrace"
	cp "$GPU/scale.sh" "$OUT"
}

# Loads of shared memory, for banks.sh.
banks() {
	gpu banks "$GPU/banks/banks.cu"
	cp "$GPU/banks.sh" "$OUT"
}

# Accesses of all shapes, and branches, for access.sh.
access() {
	gpu access --ct-spaces=global,shared "$GPU/access/access.cu"
	gpu access-blocks --ct-spaces=global,shared --ct-events=barrier,block "$GPU/access/access.cu"
	cp "$GPU/access.sh" "$OUT"
}

# plain NAME SOURCE OPTION...: without us, into plain/
plain() {
	name=$1 source=$2
	shift 2
	"$clang" --cuda-path="$toolkit" --cuda-gpu-arch="$ARCH" -O2 -g1 "$source" -o "$OUT/plain/$name" \
		-L"$toolkit/lib64" "$@" 2>"$OUT/objects/log" || { cat "$OUT/objects/log" >&2; return 1; }
}

# tool NAME SOURCE: a library that the driver loads
tool() {
	cc -O2 -shared -fPIC -I"$toolkit/include" "$2" -o "$OUT/lib/lib$1.so" -L"$toolkit/lib64" -l:libcupti.so.13
}

# Kernels that time themselves, and a program that only launches, for calls.sh and bench-calls.sh.
calls() {
	gpu contents "$GPU/calls/contents.cu"
	gpu digest -I"$SOURCE" -I"$SOURCE/include" "$E2E/digest/digest.cu"
	gpu calls -g1 "$GPU/calls/calls.cu" -ldl
	gpu jit -g1 "$GPU/calls/jit.cu"
	gpu launches "$SOURCE/bench/calls/launches.cu"
	plain calls "$GPU/calls/calls.cu" -lcudart_static -lrt -lpthread -ldl
	plain launches "$SOURCE/bench/calls/launches.cu" -lcudart_static -lrt -lpthread -ldl
	plain calls-shared "$GPU/calls/calls.cu" -lcudart -ldl
	tool count "$GPU/calls/count.c"
	tool cupti-cost "$SOURCE/bench/calls/cupti.c"
	mkdir -p "$OUT/lib/cudatrace"
	cp "$BUILD/lib/cudatrace/libcudatrace-inject.so" "$BUILD/lib/cudatrace/calibrate-gpu" "$OUT/lib/cudatrace"
	cp -L "$toolkit/lib64/libcudart.so.13" "$OUT/lib"
	cp "$GPU/calls.sh" "$GPU/calls/calls.cu" "$GPU/calls/contents-check.sh" "$GPU/calls/waits.txt" "$OUT"
	cp "$SOURCE/bench/calls/run.sh" "$OUT/bench-calls.sh"
}

# Times of CTAs, for ctas.sh, and what they cost, for bench-ctas.sh.
ctas() {
	gpu ctas --ct-events=cta "$E2E/ctas/ctas.cu"
	for feature in clusters graph-launches groups; do
		gpu "ctas-$feature" --ct-events=cta "$E2E/features/$feature.cu"
	done
	gpu cta-clock --ct-events=cta "$SOURCE/bench/cta-clock/cta-clock.cu"
	cp "$GPU/ctas.sh" "$OUT"
	cp "$SOURCE/bench/cta-clock/bench.sh" "$OUT/bench-ctas.sh"
}

# Programs with known problems, and such as are fixed beside them, for ffm.sh. They keep their lines.
ffm() {
	mkdir -p "$OUT/ffm" "$OUT/lib/cudatrace"
	cuda=$(sed -n 's/^CT_CUDA_PATH:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
	for library in exchange library; do
		"$BUILD/bin/cuda-trace-clang" -O1 -fPIC -I"$cuda/include" -c "$SOURCE/tests/cli/ffm/$library.c" -o "$OUT/ffm/$library.o"
		ld -shared "$OUT/ffm/$library.o" -o "$OUT/lib/lib$library.so"
	done
	for program in waits exchanges places copies library; do
		echo "$program"
		"$compiler" -O2 -g1 --ct-host --ct-target=gpu --cuda-gpu-arch="$ARCH" -pthread \
			"$SOURCE/tests/cli/ffm/$program.cu" -L"$OUT/lib" -lexchange -llibrary -o "$OUT/ffm/$program"
		cp "$SOURCE/tests/cli/ffm/$program.cu" "$OUT/ffm"
	done
	# The libraries themselves are where the device is.
	"$compiler" -O2 -g1 --ct-host --ct-target=gpu --cuda-gpu-arch="$ARCH" "$GPU/ffm/closed.cu" \
		-L"$cuda/lib64" -l:libcublas.so -l:libcufft.so -o "$OUT/ffm/closed"
	"$SOURCE/bench/ffm/build.sh" "$compiler" "$OUT/ffm" --ct-target=gpu --cuda-gpu-arch="$ARCH"
	cp "$SOURCE/tests/cli/ffm/marks.sh" "$SOURCE/bench/ffm/truth.sh" "$SOURCE/bench/ffm/cost.sh" "$OUT/ffm"
	cp "$SOURCE/bench/seconds.sh" "$OUT"
	cp "$BUILD/lib/cudatrace/libcudatrace-uses.so" "$OUT/lib/cudatrace"
	cp "$GPU/ffm.sh" "$OUT"
}

# Kernels that wait for different things, for samples.sh.
samples() {
	gpu samples -g1 "$GPU/samples/samples.cu"
	plain samples "$GPU/samples/samples.cu" -lcudart_static -lrt -lpthread -ldl
	mkdir -p "$OUT/lib/cudatrace"
	cp "$BUILD/lib/cudatrace/libcudatrace-inject.so" "$OUT/lib/cudatrace"
	cp "$BUILD/bin/sass-lines" "$OUT/bin"
	cp "$GPU/samples.sh" "$GPU/samples/samples.cu" "$OUT"
	cp "$GPU/samples/ranks.awk" "$OUT/samples-ranks.awk"
}

# Programs with planted problems, and each of them fixed, for profile.sh.
profile() {
	mkdir -p "$OUT/lib/cudatrace"
	for source in "$SOURCE"/examples/heat/heat.cu "$SOURCE"/examples/particles/particles.cu \
		"$SOURCE"/examples/spmv/spmv.cu "$GPU"/fixes/*.cu; do
		program=$(basename "$source" .cu)
		gpu "$program" --ct-all "$source"
		gpu "$program-plain" "$source"
		for fix in $(grep -o 'FIX_[A-Z]*' "$source" | sort -u); do
			gpu "$program-$fix" "-D$fix" "$source"
		done
	done
	cp "$BUILD/lib/cudatrace/libcudatrace-uses.so" "$OUT/lib/cudatrace"
	cp "$GPU/profile.sh" "$OUT"
}

# The same, all recorded of each, for compare.sh.
compare() {
	mkdir -p "$OUT/lib/cudatrace"
	for source in "$SOURCE"/examples/heat/heat.cu "$SOURCE"/examples/particles/particles.cu \
		"$SOURCE"/examples/spmv/spmv.cu "$GPU"/fixes/*.cu; do
		program=$(basename "$source" .cu)
		gpu "$program" --ct-all "$source"
		for fix in $(grep -o 'FIX_[A-Z]*' "$source" | sort -u); do
			gpu "$program-$fix-all" --ct-all "-D$fix" "$source"
		done
	done
	cp "$BUILD/lib/cudatrace/libcudatrace-uses.so" "$OUT/lib/cudatrace"
	cp "$GPU/compare.sh" "$OUT"
}

# Programs with one fault each and programs without, compiled together, for check.sh.
check() {
	mkdir -p "$OUT/check" "$OUT/lib/cudatrace"
	cp -r "$SOURCE/tests/check" "$OUT/check/tests"
	cp "$SOURCE/postproc/analysis/check/kinds.def" "$OUT/check"
	. "$SOURCE/tests/check/program.sh"
	for kind in faults innocent; do
		mkdir "$OUT/check/$kind"
		for source in "$SOURCE/tests/check/$kind"/*.cu; do
			printf '%s\n' "$source" >>"$OUT/check/$kind/$(program_of "$source").list"
		done
		for list in "$OUT/check/$kind"/*.list; do
			program=${list%.list}
			echo "check/$kind/$(basename "$program")"
			# shellcheck disable=SC2046
			awk -f "$SOURCE/tests/check/together.awk" -- $(cat "$list") >"$program.cu"
			"$compiler" --ct-target=gpu --cuda-gpu-arch="$ARCH" --ct-all \
				--ct-spaces=global,shared,local,constant -O2 "$program.cu" -o "$program"
		done
		rm "$OUT/check/$kind"/*.cu
	done
	cp "$BUILD/lib/cudatrace/libcudatrace-uses.so" "$OUT/lib/cudatrace"
	cp "$GPU/check.sh" "$OUT"
}

for part in $parts; do
	"$part"
done

rm -rf "$OUT/objects" "$OUT"/programs/*.o* "$OUT"/plain/*.o*
cp "$(command -v jq)" "$BUILD/bin/ctpost" "$BUILD/bin/ctrun" "$BUILD/bin/launch-counts" \
	"$BUILD/bin/host-events" "$BUILD/bin/counts-check" "$BUILD/bin/ctas-check" "$OUT/bin"
find "$OUT/programs" "$OUT/plain" "$OUT/bin" -type f ! -name "calls*" ! -name "heat*" ! -name "particles*" ! -name "spmv*" -exec strip {} +
libraries "$OUT/lib" "$OUT"/bin/*
mkdir "$OUT/e2e"
cp -r "$E2E"/*.sh "$E2E/expect" "$E2E/programs.txt" "$E2E/summary" "$E2E/values" "$OUT/e2e"
for expectation in "$GPU"/features/*.expect "$GPU"/features/*.events "$GPU"/features/*.sites; do
	cp "$expectation" "$OUT/e2e/expect/feature-$(basename "$expectation")"
done
cp "$GPU/run.sh" "$GPU/counts.sh" "$GPU/ncu.sh" "$GPU/hang.sh" "$GPU/run-hang.sh" \
	"$GPU/multi.sh" "$GPU/run-multi.sh" "$OUT"
du -sh "$OUT"
