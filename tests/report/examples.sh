# SPDX-License-Identifier: Apache-2.0
# Three examples from their source to the page: compiled and run on the CPU target,
# reported, opened in a browser and used.
. "$CT_REPORT/lib.sh"
unset CUDATRACE_TARGET CUDATRACE_OUTPUT CUDATRACE || true

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
	# The picture is taken of the page when it has been used, for a browser takes its time to start.
	use $name.html "$CT_REPORT/examples.js" --window-size=1400,6000 --virtual-time-budget=20000 --screenshot=$name.png
	[ "$(wc -c <$name.png)" -gt 100000 ] || fail "$name: little is drawn"
done
