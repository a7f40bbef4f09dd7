#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tsan.sh BUILD WORK
# In a build with CT_SANITIZE=thread: programs with several streams, host threads,
# graphs, endings and faults, traced with one consumer and with four, through two
# ring chunks. Fails at the first race that ThreadSanitizer reports.
set -eu
BUILD=$1 WORK=$2
E2E=$(cd "$(dirname "$0")/../e2e" && pwd)
SOURCE="$E2E/../.."
mkdir -p "$WORK"
export TSAN_OPTIONS="halt_on_error=0 exitcode=66" CUDATRACE_RING=8K CUDATRACE_OUTPUT="$WORK/run.ctrace"

# program NAME SOURCE
program() {
	"$E2E/build.sh" "$BUILD/bin/cuda-trace-clang++" "$WORK/$1" --ct-target=cpu \
		-I"$E2E/features" "$2"
}

# clean STATUS NAME ARGUMENT...
clean() {
	expected=$1 name=$2
	shift 2
	for consumers in 1 4; do
		status=0
		CUDATRACE_CONSUMERS=$consumers timeout -k 5 120 "$WORK/$name" "$@" >"$WORK/out" 2>&1 || status=$?
		if [ $status -ne "$expected" ] || grep -q 'ThreadSanitizer' "$WORK/out"; then
			cat "$WORK/out"
			echo "FAILED: $name $*, $consumers consumers: exit status $status"
			exit 1
		fi
	done
	echo "$name $*: no race"
}

for name in threads streams graphs; do
	program $name "$SOURCE/tests/gpu/hang/$name.cu"
done
program steps "$SOURCE/tests/faults/steps.cu"
program transfers "$E2E/features/transfers.cu"
clean 0 threads 20
clean 0 streams 6
clean 0 graphs 6
clean 0 transfers
clean 0 steps 100
clean 0 steps 60 fork
clean 0 steps 60 exit
clean 3 steps 60 trap
