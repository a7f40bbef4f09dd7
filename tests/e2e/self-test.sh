#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# self-test.sh BIN WORK
# The tests' own check must notice one access too many, one byte too few, one
# launch missing, a loss, an untraced launch, and a trace without accesses. A stand-in for ctpost prints
# the JSON that a perfect trace of nbody would give, then spoiled ones.
set -eu
TOOLS=$1 WORK=$2
HERE=$(cd "$(dirname "$0")" && pwd)
BIN="$WORK/bin"
. "$HERE/lib.sh"
. "$HERE/expect.sh"
mkdir -p "$BIN"
ln -sf "$TOOLS/launch-counts" "$BIN/launch-counts"
printf '#!/bin/sh\ncat "%s"\n' "$WORK/given.json" >"$BIN/ctpost"
chmod +x "$BIN/ctpost"

expected "$HERE/expect/nbody.expect" 200 | awk '
	BEGIN { printf "{\"trace_totals\": [{\"complete\": true}], \"warnings\": [], \"losses\": [], \"launches\": [\n" }
	{
		printf "%s{\"part\": 0, \"launch\": %d, \"kernel\": \"%s(float4*)\", \"is_traced\": true}\n", separator, NR, $1
		for (c = 2; c <= 8; c += 3)
			counts = counts sprintf("%s{\"part\": 0, \"launch\": %d, \"space\": \"global\", \"class\": \"%s\", \"threads\": %d, \"bytes\": %d}\n",
				counts == "" ? "" : ",", NR, $c, $(c + 1), $(c + 2))
		separator = ","
	}
	END { print "], \"launch_counts\": [\n" counts "]}" }' >"$WORK/perfect.json"

# accepts SED-EXPRESSION: does counts_are accept the JSON so changed?
accepts() {
	sed "$1" "$WORK/perfect.json" >"$WORK/given.json"
	(counts_are trace "$HERE/expect/nbody.expect" 200) >/dev/null 2>&1
}

accepts '' || fail "the check refuses a perfect trace"
for spoil in \
	'/counts/,$s/"launch": 1, \(.*"class": "load", "threads": 1\)000/"launch": 1, \1001/' \
	'/counts/,$s/"launch": 1, \(.*"class": "store", .*"bytes": 3\)200/"launch": 1, \1199/' \
	'/counts/,$s/"launch": 2, \(.*"class": "atomic", "threads": \)0/"launch": 2, \11/' \
	'/"kernel"/{/"launch": 6/d}; /"launch": 6, "space"/d' \
	's/"losses": \[\]/"losses": [{"chunks": 1}]/' \
	's/"complete": true/"complete": false/' \
	'4s/"is_traced": true/"is_traced": false/'; do
	! accepts "$spoil" || fail "the check does not notice $spoil"
	cmp -s "$WORK/given.json" "$WORK/perfect.json" && fail "$spoil changes nothing"
done

# matches EXPECTED TRACED: one launch each, in the form of launch-counts
matches() {
	echo "$1" >"$WORK/open.expected"
	echo "$2" >"$WORK/open.counts"
	counts_match open 2>/dev/null
}

bound=$(launch ask load 64*4 load 10+*8 store any*100)
matches "$bound" "ask load 74 336 store 7 100 atomic 0 0" || fail "$bound refuses what it says"
matches "$bound" "ask load 99 536 store 1 100 atomic 0 0" || fail "$bound refuses more loads"
for wrong in \
	"ask load 73 336 store 7 100 atomic 0 0" \
	"ask load 74 335 store 7 100 atomic 0 0" \
	"ask load 74 336 store 7 101 atomic 0 0" \
	"ask load 74 336 store 0 0 atomic 0 0" \
	"ask load 74 336 store 7 100 atomic 1 4" \
	"tell load 74 336 store 7 100 atomic 0 0" \
	""; do
	! matches "$bound" "$wrong" || fail "$bound accepts $wrong"
done

# A trace with launches and no access: what all instrumentation missed would look like.
sed -E 's/"(threads|bytes)": [0-9]+/"\1": 0/g' "$WORK/perfect.json" >"$WORK/given.json"
! (is_complete trace) >/dev/null 2>&1 || fail "is_complete accepts a trace without accesses"
cp "$WORK/perfect.json" "$WORK/given.json"
(is_complete trace) >/dev/null 2>&1 || fail "is_complete refuses a perfect trace"
exit 0
