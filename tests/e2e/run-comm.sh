#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-comm.sh BIN PROGRAM EXPECTED WORK
# The figures of a program's communication are those derived by hand in the file
# EXPECTED, by `ctpost comm` and by the naive analysis. "#options" there are
# options for both.
set -eu
BIN=$1 PROGRAM=$2 EXPECTED=$3 WORK=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

figures_are() {
	"$BIN/check-figures" $3 "$EXPECTED" <"$1" >"$1.differences" && return
	cat "$1.differences" >&2
	fail "$2: figures differ from $EXPECTED"
}

# reported_by NAME: the tables in NAME.out as figures
reported_by() {
	jq -f "$HERE/../comm/figures.jq" "$WORK/$1.out" >"$WORK/figures" || fail "$1: no figures"
	mv "$WORK/figures" "$WORK/$1.out"
}

options=$(sed -n 's/.*"#options": "\([^"]*\)".*/\1/p' "$EXPECTED")
traced_well traced "$PROGRAM"
is_complete traced
run_well reference "$BIN/comm-reference" $options "$WORK/traced.ctrace"
figures_are "$WORK/reference.out" "naive analysis" --partial
for threads in 1 2; do
	run_well comm "$BIN/ctpost" comm --json --threads=$threads $options "$WORK/traced.ctrace"
	reported_by comm
	figures_are "$WORK/comm.out" "ctpost comm --threads=$threads" ""
done
if command -v mpirun >/dev/null; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	run_well ranks mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$BIN/ctpost" comm --json $options "$WORK/traced.ctrace"
	reported_by ranks
	figures_are "$WORK/ranks.out" "ctpost comm on two ranks" ""
fi
rm -rf "$WORK/traced.ctrace"
