# SPDX-License-Identifier: Apache-2.0
# check: each fault of faulty.cu at its line and no other, nothing of innocent.cu; statuses, formats,
# and what a trace that lacks something leaves unsaid.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost
for name in faulty innocent; do
	cp "$CT_CLI/check/$name.cu" .
	"$cxx" --ct-target=cpu --ct-all --ct-spaces=global,shared,local -O1 -o $name $name.cu 2>log || fail "$(cat log)"
done

matches() { # FILE EXPRESSION
	grep -q -e "$2" "$1" || fail "$1 lacks: $2: $(cat "$1")"
}
# found FILE: kinds and lines of the table in it
found() {
	jq -r '.checks[] | "\(.access_line // .line) \(.kind)"' "$1" | sort -u
}
awk '/\/\/ check: / { line = NR; sub(/.*check: /, ""); for (i = 1; i <= NF; i++) print line, $i }' faulty.cu | sort >expected

status 3 "$ctrun" check -o run.ctrace -- ./faulty
status 0 "$ctpost" check --json run.ctrace
cp out all.json
found all.json | diff expected - >&2 || fail "expected (<) and found (>)"
is() {
	jq -e "$1" all.json >log 2>&1 || fail "not $1: $(jq -c .checks all.json)"
}
one() {
	is "[.checks[] | select(.kind == \"$1\" and (.access_line // .line) == $2) | $3] | all and length == 1"
}
at() {
	grep -n "$1" faulty.cu | head -n 1 | cut -d: -f1
}
# By how much, of whom, who was first, how often.
one before-begin "$(at before-begin)" '(.object | startswith("x ")) and .beyond_bytes == 4 and .launch == 2 and .thread == 0 and .accesses == 1'
one out-of-bounds "$(at before-begin)" '.beyond_bytes == 4 and .launch == 1 and .thread == 63 and .size_bytes == 256'
one out-of-bounds "$(at '// check: out-of-bounds$')" '.accesses == 64 and .hit != null and .beyond_bytes >= 256'
one use-after-free "$(at use-after-free)" '.accesses == 64'
one uninitialized-read "$(at 'atomicAdd(total, x')" '.accesses == 1 and .size_bytes == 4'
one uninitialized-read "$(at ' \*= 2')" '.accesses == 32 and .cta == 0 and .thread == 32'
one race "$(at 'check: race')" '.other_line == .access_line and (.object | startswith("x ")) and .cta != .other_cta and .accesses == 1'
one race "$(at '= threadIdx.x; // check: race')" '.other_line == .access_line + 5 and (.kernel | startswith("produce"))'
one shared-race "$(at 'check: shared-race')" '.other_line == .access_line + 2 and .cta == .other_cta and .warp != .other_warp and .bytes == 512'
one shared-race "$(at 'last = atomicAdd')" '.other_line == .access_line + 1 and .warp == 0 and .other_warp == 1'
one shared-race "$(at 'tile\[threadIdx.x\] = x\[threadIdx.x\]; // check: shared')" '.other_line == .access_line + 1 and .warp == .other_warp'
one uninitialized-shared "$(at 'tile\[threadIdx.x + 1\]')" '.accesses == 1 and .warp == 1'
one uninitialized-shared "$(at 'atomicAdd(&sum')" '.accesses == 4 and .operation == "atomic_add"'
one misaligned "$(at 'check: misaligned')" '.accesses == 128 and .bytes == 4 and .cta == 0 and .thread == 0'
one divergent-barrier "$(at 'check: divergent')" '.accesses == 32 and .cta == 0 and .thread == 48'
one local-out-of-bounds "$(at 'check: local')" '.size_bytes == 32 and .beyond_bytes == 4 and .operation == "store"'
one copy-out-of-bounds "$(at copy-out-of-bounds)" '.beyond_bytes == 4 and .operation == "cudaMemcpy"'
one leak "$(at "check: leak")" '.object == "lost" and .bytes == 8 and .severity == "warning"'
is '.check_totals[0] | .errors == 23 and .warnings == 1 and .unseen_launches == 0'

# For people, editors and code hosts; what is expected is none.
status 0 "$ctpost" check run.ctrace
matches out "faulty.cu:$(at before-begin):[0-9]*: error: The load at .* is behind the end of x .*(256 B), by up to 4 B. \[out-of-bounds\]$"
matches out "faulty.cu:$(at 'check: race'):.*Nothing orders the store at .* and the store at .* of different blocks, which access the same bytes of x .*\. \[race\]$"
matches out "faulty.cu:$(at 'check: leak'): warning: lost is not freed when the program ends: 8 B. \[leak\]$"
matches out "^23 errors, 1 warning$"
# Among problems, and on the page.
status 0 "$ctpost" findings --check --json run.ctrace
jq -e ".problems[] | select(.finding == \"use-after-free\") | .line == $(at use-after-free)" out >log || fail "not among problems: $(jq -c .problems out)"
status 0 "$ctpost" report --check -o page.html run.ctrace
matches page.html '"checks"'
status 3 "$ctpost" check --format=gcc --fail-on=error run.ctrace
matches out "faulty.cu:$(at 'check: double-free'):[0-9]*: error: .*\[-Wct-double-free\]$"
status 0 "$ctpost" check --format=sarif run.ctrace
jq -e '[.runs[0].results[].ruleId] | index("use-after-free")' out >log || fail "no SARIF of it: $(jq -c '.runs[0].results' out)"
echo 'all faulty.cu # all of it is meant' >expected.txt
status 0 "$ctpost" check --fail-on=warning --suppressions=expected.txt run.ctrace
[ ! -s out ] || fail "expected, and listed: $(cat out)"
status 2 "$ctpost" check --fail-on=some run.ctrace

# Nothing of what is right; the program's status.
status 7 "$ctrun" check --fail-on=warning -o right.ctrace -- ./innocent
[ ! -s out ] || fail "innocent: $(cat out)"
status 1 "$ctrun" check -o none.ctrace -- ./faulty early
has err "nothing was checked"
has err "exited with 5"

# The load that ends the kernel is found; after its error each free is refused, and none is wrong.
cat >ends.cu <<'END'
__global__ void fault(int *x) { *x += 1; }
int main()
{
	int *a;

	cudaMalloc(&a, 4);
	fault<<<1, 1>>>(nullptr);
	return cudaDeviceSynchronize() == cudaSuccess || cudaFree(a) == cudaSuccess;
}
END
"$cxx" --ct-target=cpu --ct-all -O1 -o ends ends.cu 2>log || fail "$(cat log)"
CUDATRACE_CHECK=on status 0 "$ctrun" -o ends.ctrace -- ./ends
status 0 "$ctpost" check --json ends.ctrace
jq -e '.checks | map([.kind, .operation, .access_line]) == [["no-memory", "load", 1]]' out >log || fail "a load of null, and frees: $(jq -c .checks out)"

# Blocks that are not recorded may have written: of reads nothing is claimed, of addresses it is.
CUDATRACE_CHECK=on status 0 "$ctrun" --sample-blocks=2 -o sampled.ctrace -- ./faulty
status 0 "$ctpost" check --json sampled.ctrace
found out >sampled
grep -q uninitialized-read sampled && fail "reads of a sample: $(cat sampled)"
grep -q out-of-bounds sampled || fail "nothing of a sample"
status 0 "$ctpost" check sampled.ctrace
has err "reads of what nothing wrote"
