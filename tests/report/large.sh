# SPDX-License-Identifier: Apache-2.0
# Large pages, and those of three examples, from their source to the page: compiled and run on the CPU target, reported,
# opened in one browser and used.
. "$CT_REPORT/lib.sh"
unset CUDATRACE_TARGET CUDATRACE_OUTPUT CUDATRACE || true

# bounded FILE BYTES
bounded() {
	echo "$1: $(wc -c <"$1") bytes"
	[ "$(wc -c <"$1")" -lt "$2" ] || fail "$1 is too large to open"
}

# 10^5 CTAs and 10^4 launches: aggregated before they are embedded, and said so. What opening takes is not judged.
"$CT_MAKE_REPORT" huge "$CT_REPORT" >huge.html
bounded huge.html 20000000
look 1400 1000
open_page huge.html
echo "TIME load and first drawing: $(evaluate 'Math.round(performance.getEntriesByType("navigation")[0].duration)') ms"
use huge.html "$CT_REPORT/huge.js"

# More calls than are shown one by one.
"$CT_CLI_BUILD/ctpost-make-trace" api-many.ctrace api-many
"$CT_BIN/ctpost" report api-many.ctrace -o api-many.html 2>err || fail "$(cat err)"
bounded api-many.html 12000000
use api-many.html "$CT_REPORT/calls-many.js"

for name in stencil2d histogram64 bfs; do
	events=barrier
	[ $name != stencil2d ] || events=block,barrier # the roofline needs blocks
	values=
	[ $name != bfs ] || values=--ct-values # as flows need values
	"$CT_BIN/cuda-trace-clang++" --ct-target=cpu --ct-events=$events $values -O1 -g "$CT_REPORT/../../examples/$name/$name.cu" -o $name 2>log ||
		fail "$name does not compile: $(cat log)"
	"$CT_BIN/ctrun" -o $name.ctrace ./$name >log 2>&1 || fail "$name does not run: $(cat log)"
	"$CT_BIN/ctpost" report $name.ctrace -o $name.html || fail "no report of $name"
	echo "$name: $(wc -c <$name.html) bytes"
	use $name.html "$CT_REPORT/examples.js" 1400 6000
done
