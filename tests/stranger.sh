#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stranger.sh SOURCE [BUILD]: somebody who knows only the README clones SOURCE, and finds the three
# problems that are planted in examples/heat within three commands after set-up: those of the worked
# example, as they stand there. With BUILD its programs are used; else the clone is set up, which takes
# minutes.
set -eu
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

if [ -n "${2:-}" ]; then
	bin=$(cd "$2/bin" && pwd)
	mkdir "$work/clone"
	cp -R "$source/README.md" "$source/examples" "$work/clone"
	cd "$work/clone"
else
	git clone -q "$source" "$work/clone"
	cd "$work/clone"
	# The first block has the commands that set up; the first of them is enough to begin.
	sh -c "$(sed -n '/^```$/,/^```$/p' README.md | sed -n 's/^\(\.\/setup\.sh demo\).*/\1/p')"
	bin=$PWD/build/release/bin
fi
PATH=$bin:$PATH
export PATH

sed -n '/^## A worked example/,/^## /p' README.md | sed -n 's/^\$ //p' >commands
[ "$(wc -l <commands)" -le 3 ] || fail "more than three commands: $(cat commands)"
sh -e commands >out 2>&1 || fail "$(cat out)"

# The lines of the source that are wrong, whatever their numbers are.
line() {
	grep -nF -- "$1" examples/heat/heat.cu | head -n 1 | cut -d : -f 1
}
ctpost findings --json --all study | jq -r '.problems[] | "\(.line) \(.finding)"' >found
for planted in "$(line 'sum += u[y * n + x];') strided-accesses" \
	"$(line 'cudaMemcpy(plate.conductivity_on_device') unnecessary-transfer" \
	"$(line 'CHECK(cudaDeviceSynchronize());') unnecessary-synchronization"; do
	grep -qx "$planted" found || fail "not found: $planted; but $(cat found)"
done
[ -s study/report.html ] || fail "no page"
grep -q '^What to do' out || fail "nothing is explained: $(cat out)"
