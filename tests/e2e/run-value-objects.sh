#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-value-objects.sh BIN PROGRAM WORK SOURCE
# How ctpost values says that objects are used, beside what SOURCE says behind their allocations:
# "// has PATTERN: CONDITION" or "// not PATTERN: CONDITION", of the lifetime in the JSON.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

traced_well traced env CUDATRACE_CONTENTS=on "$PROGRAM"
"$BIN/ctpost" values --json "$WORK/traced.ctrace" >"$WORK/values" || fail "ctpost values fails"
sed -n 's/.*cudaMalloc(&\([a-z]*\),.*\/\/ \(has\|not\) \([^:]*\): \(.*\)/\1|\2|\3|\4/p' "$SOURCE" >"$WORK/expected"
[ "$(wc -l <"$WORK/expected")" -ge 20 ] || fail "$SOURCE says little"
while IFS='|' read -r object word pattern condition; do
	jq --arg object "$object" '.lifetimes[] | select(.name == $object)' "$WORK/values" >"$WORK/life"
	jq -e --arg pattern "$pattern" "(.patterns | index(\$pattern) != null) == $([ "$word" = has ] && echo true || echo false)" \
		"$WORK/life" >"$WORK/log" || fail "$object $word '$pattern': $(jq -c . "$WORK/life")"
	jq -e "$condition" "$WORK/life" >"$WORK/log" || fail "$object: not $condition: $(jq -c . "$WORK/life")"
done <"$WORK/expected"

# Who wrote what others read: copies in, then launches; of half, 400 bytes of the memset.
jq -e '.nodes as $n | [.flows[] | select(.object == "half" and .read_bytes > 0) |
	"\($n[.from].kind) \(.read_bytes)"] | sort == ["copy in 400", "memset 400"]' "$WORK/values" >"$WORK/log" ||
	fail "half: $(jq -c '.flows[] | select(.object == "half")' "$WORK/values")"
rm -rf "$WORK/traced.ctrace"
