#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-sites.sh BIN PROGRAM WORK
# Where objects and launches of sites.cu were made, by the variable or kernel that is named there.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

traced_well sites "$PROGRAM"
info sites
jq -r '.objects[] | "\(.kind) \(.bytes) \(if .site then .name else "nowhere" end)"' \
	"$WORK/sites.json" >"$WORK/objects"
diff - "$WORK/objects" >&2 <<'END' || fail "objects have other sites (< expected, > traced)"
device 4 memory
device 64 plain
device 128 as_void
host 192 pinned
host 256 pinned_void
managed 320 managed
device 384 ordered
device 512 nowhere
device 640 plain
managed 704 nowhere
END
jq -r '.launches[] | "\(.kernel | sub("\\(.*"; "")) \(.site.kernel)"' "$WORK/sites.json" \
	>"$WORK/launches"
diff - "$WORK/launches" >&2 <<'END' || fail "launches have other sites (< expected, > traced)"
one one
two two
three three
four four
five null
END
