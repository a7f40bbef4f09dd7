#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install what cuda-trace needs, build it, show it, test it. Asks nothing; may be run again.
set -eu
called_from=$PWD
cd "$(dirname "$0")"
root=$PWD
jobs=${CT_JOBS:-$(nproc)}
progress_seconds=30 # between two lines where there is no terminal
llvm_versions="22 21 20"
cuda_wheels="nvidia-cuda-nvcc==13.0.* nvidia-cuda-runtime==13.0.* nvidia-cuda-crt==13.0.*
	nvidia-nvvm==13.0.* nvidia-cuda-cccl==13.0.* nvidia-cuda-cupti==13.0.* nvidia-curand==10.4.0.*
	nvidia-cuda-profiler-api==13.0.* nvidia-nvtx==13.0.*"

usage() {
	cat <<-END
	Usage: ./setup.sh COMMAND

	  deps   install compilers and libraries (apt), and a CUDA toolkit if there is none
	  build  deps, then build what an installation needs into build/release
	  install  build, and install into ~/.local, or with --prefix DIR into DIR; the tree can be moved
  demo   build, then profile examples/heat on CPU threads: no GPU needed
	  test   build all and test it, then again with the host side sanitized: what CI runs
	  test quick   what to run before each commit: units, commands, a few programs
	  test full    everything, ThreadSanitizer, long fuzzing and soaks besides: hours

	Environment:
	  CUDA_HOME                     CUDA toolkit to use
	  CUDATRACE_IGNORE_SYSTEM_CUDA  1: take NVIDIA's wheels even if a toolkit is installed
	  CT_JOBS                       parallel jobs (default: all processors)
	  CT_PART                       which part of the long tests "test" takes (default: the commit says)
	END
}

say() {
	echo "setup: $*"
}

die() {
	echo "setup: error: $*" >&2
	exit 1
}

# progress LOG: the last line of the log for as long as this process runs: on a terminal in one line that
# is written anew, else a line now and then.
progress() {
	columns=$(stty size <&1 2>/dev/null | cut -d ' ' -f 2)
	shown=
	waited=0
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		waited=$((waited + 1))
		line=$(tail -n 1 "$1" | tr -d '\r' | cut -c "1-$((${columns:-80} - 1))")
		if [ "$line" = "$shown" ]; then
			continue
		elif [ -t 1 ]; then
			printf '\r\033[K%s' "$line"
		elif [ $waited -ge "$progress_seconds" ]; then
			say "$line"
			waited=0
		else
			continue
		fi
		shown=$line
	done
}

# quietly LOG COMMAND...: the output goes to build/LOG.log; its last line is shown as progress, and more of
# it on failure.
quietly() {
	log=build/$1.log
	shift
	mkdir -p build
	: >"$log"
	progress "$log" &
	watcher=$!
	failed_with=0
	"$@" >"$log" 2>&1 || failed_with=$?
	kill $watcher
	wait $watcher 2>/dev/null || true
	[ ! -t 1 ] || printf '\r\033[K'
	if [ $failed_with != 0 ]; then
		tail -n 40 "$log" >&2
		die "'$*' failed; all of its output is in $log"
	fi
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -n "$@" || sudo "$@"
	else
		die "need root for: $*"
	fi
}

installed() {
	for package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || return 1
	done
}

packages_of() {
	echo "clang-$1 clang-tools-$1 llvm-$1-dev llvm-$1-tools libclang-$1-dev libclang-cpp$1-dev lld-$1 libomp-$1-dev" \
		"libclang-rt-$1-dev cmake ninja-build make g++ binutils pkg-config python3-venv" \
		"libzstd-dev libxxhash-dev libjansson-dev libcriterion-dev zlib1g-dev libdw-dev" \
		"libopenmpi-dev openmpi-bin" \
		"libsqlite3-dev libhdf5-dev libmetis-dev sqlite3 hdf5-tools jq node-d3 spin zstd"
	browser_of
}

# For the tests of the report. Ubuntu has Chromium as a snap only, and no package of this name.
browser_of() {
	apt-cache show chromium >/dev/null 2>&1 && echo chromium
	return 0
}

# The best LLVM that is installed with everything, else the best that apt has.
choose_llvm() {
	for llvm in $llvm_versions; do
		# shellcheck disable=SC2046
		if installed $(packages_of "$llvm"); then
			return 0
		fi
	done
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update >/dev/null ||
		say "apt-get update failed; trying with the package lists at hand"
	for llvm in $llvm_versions; do
		if apt-cache show "clang-$llvm" "llvm-$llvm-dev" >/dev/null 2>&1; then
			return 0
		fi
	done
	die "this distribution has none of clang $llvm_versions." \
		"Add the packages of apt.llvm.org (wget https://apt.llvm.org/llvm.sh; sudo bash llvm.sh 22 all), then run this again"
}

install_packages() {
	command -v apt-get >/dev/null ||
		die "only Debian and Ubuntu are automated; docs/install.md lists what to install elsewhere"
	choose_llvm
	packages=$(packages_of "$llvm")
	# shellcheck disable=SC2086
	if installed $packages; then
		say "packages: all there (clang $llvm)"
		return
	fi
	say "installing packages (clang $llvm)"
	# shellcheck disable=SC2086
	quietly apt as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends $packages
}

# The toolkit to build with, as CMake looks for it: CUDA_HOME, ours, the system's.
find_cuda() {
	system=/usr/local/cuda
	if [ "${CUDATRACE_IGNORE_SYSTEM_CUDA:-0}" = 1 ]; then
		system=
	else
		system="${CUDA_HOME:-} ${CUDA_PATH:-} $system"
	fi
	for cuda in $system "$root/build/cuda"; do
		if [ -e "$cuda/include/cuda_runtime.h" ] && [ -e "$cuda/nvvm/libdevice/libdevice.10.bc" ] &&
			[ -e "$cuda/include/nvtx3/nvToolsExt.h" ] &&
			[ -x "$cuda/bin/ptxas" ]; then
			return 0
		fi
	done
	cuda=
	return 1
}

# NVIDIA's wheels unpack to one tree; give it the names that a toolkit has.
install_cuda() {
	if find_cuda; then
		say "CUDA toolkit: $cuda"
		return
	fi
	[ "$(uname -m)" = x86_64 ] ||
		die "no CUDA toolkit found, and wheels are fetched for x86-64 only: install one and set CUDA_HOME"
	say "no CUDA toolkit found; fetching NVIDIA's wheels into build/cuda"
	rm -rf build/cuda build/cuda.new build/venv
	mkdir -p build
	quietly venv python3 -m venv build/venv
	# shellcheck disable=SC2086
	quietly wheels build/venv/bin/python3 -m pip install --disable-pip-version-check --no-deps \
		--only-binary :all: --target build/cuda.new $cuda_wheels
	tree=build/cuda.new/nvidia/cu13
	[ -e "$tree/include/cuda_runtime.h" ] ||
		die "NVIDIA's wheels have another layout than expected: see build/cuda.new, or set CUDA_HOME"
	ln -s lib "$tree/lib64"
	for library in "$tree"/lib/*.so.*; do
		ln -sf "$(basename "$library")" "${library%.so.*}.so"
	done
	mv "$tree" build/cuda
	rm -rf build/cuda.new build/venv
	find_cuda || die "the toolkit made from NVIDIA's wheels is incomplete: see build/cuda"
}

deps() {
	install_packages
	install_cuda
	export CUDA_HOME="$cuda" # the wrappers and the tests use the same
}

# configure_and_build PRESET TARGET [CMAKE-ARGUMENT...]
configure_and_build() {
	preset=$1
	target=$2
	shift 2
	say "building $preset with CUDA toolkit $cuda"
	# Clang reads LLVM's headers, which are most of the C++ of this, in three quarters of the time that g++ takes.
	# With another compiler than before CMake would begin anew, and forget what the preset says.
	fresh=
	grep -q "^CMAKE_CXX_COMPILER:.*[=/]clang++-$llvm\$" "build/$preset/CMakeCache.txt" 2>/dev/null || fresh=--fresh
	quietly "configure-$preset" cmake $fresh --preset "$preset" -DCMAKE_CXX_COMPILER="clang++-$llvm" \
		-DCT_LLVM_VERSIONS="$llvm" -DCT_CUDA_PATH="$cuda" "$@"
	quietly "build-$preset" cmake --build --preset "$preset" --parallel "$jobs" --target "$target"
}

build() {
	deps
	configure_and_build release ct_product
	say "built: build/release/bin (cuda-trace-clang, cuda-trace-clang++, cuda-trace-nvcc, ctrun, ctpost)"
}

# Installs, and says what is missing to compile with it.
install() {
	prefix=${HOME:-}/.local
	case $# in
	0) ;;
	1) prefix=${1#--prefix=} ;;
	*) prefix=$2 ;;
	esac
	case $prefix in
	/*) ;;
	'') die "--prefix: which directory?" ;;
	*) prefix=$called_from/$prefix ;;
	esac
	build
	quietly install cmake --install build/release --prefix "$prefix"
	"$prefix/bin/cuda-trace-clang" --ct-doctor | grep -v '^ok ' || true
	say "installed: $prefix/bin (cuda-trace-clang, cuda-trace-clang++, cuda-trace-nvcc, ctrun, ctpost)"
	say "all that was found: $prefix/bin/cuda-trace-clang --ct-doctor"
	say "environment modules: module use $prefix/share/modulefiles; module load cuda-trace"
}

demo() {
	build
	mkdir -p build/demo
	rm -rf build/demo/study
	say "compiling examples/heat for the CPU target, profiling it"
	build/release/bin/cuda-trace-clang++ --ct-target=cpu --ct-all -O2 examples/heat/heat.cu -o build/demo/heat
	build/release/bin/ctrun profile -o build/demo/study -- build/demo/heat
	say "three problems are planted in heat; what was found of them:"
	build/release/bin/ctpost findings --json --all build/demo/study | jq -r '
		def percent: if . == null then "?" else "\(. * 1000 | round / 10) % of the run" end;
		.problems[:3][] | "  \(.file | sub(".*/"; "")):\(.line)  \(.title), \(.run_share | percent)"'
	say "one of them at length: build/release/bin/ctpost explain 1 build/demo/study"
	say "the page, to open in a browser: build/demo/study/report.html"
}

# Tests that are too long for each run are run in parts: this one follows from the commit.
choose_part() {
	parts=$(sed -n 's/^set(CT_PARTS \([0-9]*\))$/\1/p' cmake/CtTests.cmake)
	if [ -z "${CT_PART:-}" ]; then
		commit=$(git rev-parse --verify --short=6 HEAD 2>/dev/null || echo 0)
		CT_PART=$((0x$(echo "$commit" | cut -c 1-6) % parts + 1))
	fi
	echo "$CT_PART" | grep -qx '[1-9][0-9]*' && [ "$CT_PART" -le "$parts" ] ||
		die "CT_PART=$CT_PART: expected a number from 1 to $parts"
	export CT_PART
	say "part $CT_PART of $parts of the long tests; CT_PART=$CT_PART ./setup.sh test repeats it"
}

build_sanitized() {
	configure_and_build "$1" all -DCT_COMPILER_FROM="$root/build/release" \
		-DCMAKE_C_COMPILER="clang-$llvm"
}

# run_tests BUILD PRESET: a failure waits for the summary. Two more than there are processors, for
# some tests wait for a disk or a timer.
run_tests() {
	junit=build/tests-$1.xml
	results="$results $1=$junit"
	rm -f "$junit"
	ctest --preset "$2" --parallel "$((jobs + 2))" --output-junit "$root/$junit" || failed=1
}

# test_tier quick|test|full
test_tier() {
	tier=$1
	results=
	failed=0
	[ "$tier" != test ] || choose_part
	deps
	configure_and_build release all
	case $tier in
	quick) run_tests release quick ;;
	test)
		run_tests release test
		build_sanitized asan
		say "what sanitizers can find: address and undefined behaviour, on the host side"
		run_tests asan test-asan
		;;
	full)
		run_tests release release
		build_sanitized asan
		run_tests asan asan
		build_sanitized tsan
		run_tests tsan tsan
		;;
	esac
	# shellcheck disable=SC2086
	tests/summary/summary.sh $results || failed=1
	return $failed
}

case $* in
deps) deps ;;
build) build ;;
install | "install --prefix="* | "install --prefix "*)
	[ $# -le 3 ] && { [ $# != 3 ] || [ "$2" = --prefix ]; } || die "install: write install --prefix DIR"
	shift
	install "$@"
	;;
"install "*) die "install: unknown argument '$2'; write install --prefix DIR" ;;
demo) demo ;;
test) test_tier test ;;
"test quick") test_tier quick ;;
"test full") test_tier full ;;
-h | --help | help) usage ;;
"")
	usage >&2
	exit 2
	;;
*)
	echo "setup: error: unknown command '$*'; ./setup.sh --help lists them" >&2
	exit 2
	;;
esac
