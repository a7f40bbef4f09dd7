# SPDX-License-Identifier: Apache-2.0
# access: what machine code makes of branches is as counted by hand from machine.cu; what can
# tell is said.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost
source=$CT_CLI/access/machine.cu

"$cxx" --ct-target=cpu --ct-events=block,barrier -O2 -g1 "$source" -o app 2>log || fail "$(cat log)"
"$cxx" --ct-target=gpu '--ct-kernels=^$' --cuda-gpu-arch=sm_90 -O2 -g1 --cuda-device-only -c "$source" -o kernels.cubin 2>log ||
	fail "$(cat log)"
status 0 "$ctrun" -o run.ctrace -- ./app

# is KERNEL EXPRESSION: true of the kernel
is() {
	jq -e --arg kernel "$1" ".branch_kernels[] | select(.kernel | startswith(\$kernel)) | $2" out >log 2>&1 ||
		fail "$1: not $2: $(jq -c --arg kernel "$1" '.branch_kernels[] | select(.kernel | startswith($kernel))' out)"
}
"$ctpost" access --json --cubin=kernels.cubin run.ctrace >out 2>err || fail "$(cat err)"
known='.machine_efficiency != null and .machine_unknown == null'
# Four warps part at the first branch; half of each turns five times.
is kept ".branches == 24 and .divergent == 4 and .machine_branches == 24 and .machine_divergent == 4 and $known"
# 100 lanes are three warps and four lanes.
is gone ".branches == 4 and .divergent == 1 and .machine_branches == 0 and .machine_divergent == 0 and .fast_efficiency != null and .machine_unknown == null"
# Three tests of a warp, wherever they stand.
is middle ".branches == 12 and .machine_branches == 12 and .machine_divergent == 0 and .ways_back == 0 and $known"
# Three times through what parts, two ways back, and an early end.
is back ".branches == 24 and .divergent == 12 and .machine_branches == 20 and .machine_divergent == 12 and .ways_back == 8 and $known"
jq -e '[.branches[] | select(.kernel | startswith("back")) | .machine_branches] | sort == [0, 12]' out >log || fail "lines: $(jq -c .branches out)"
is divides '.branches == 0 and .machine_branches == null and .machine_efficiency == null and .fast_branches == 4 and
	.fast_efficiency == 1 and .division_tests == 4 and (.machine_unknown | test("slow way"))'
# 37 turns: the guard, the test whether four are left, nine turns of four, and one that is left.
is unrolled '.branches == 52 and .divergent == 0 and .machine_efficiency == 1 and .machine_divergent == 0'

docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
tables_of out

"$ctpost" access --cubin=kernels.cubin run.ctrace >text 2>err || fail "$(cat err)"
grep -q '^back .* 20  *12  *40.0 %' text && grep -q 'slow way; if never: 100.0 %' text || fail "$(cat text)"
"$ctpost" access run.ctrace >text 2>err || fail "$(cat err)"
grep -q 'of the machine' text && fail "machine code of nowhere"

# Without lines nothing but ends of loops is known; of a cubin without the kernels nothing at all.
LC_ALL=C sed 's/\.debug_line/.debug_lime/g' kernels.cubin >unlined.cubin
"$ctpost" access --json --cubin=unlined.cubin run.ctrace >out 2>err || fail "$(cat err)"
is kept '.machine_branches == null and .machine_divergent == null and .machine_unknown == "lines of the machine code"'
is gone '.machine_branches == 0'
LC_ALL=C sed 's/_Z4kept/_Z4Kept/g' kernels.cubin >other.cubin
"$ctpost" access --json --cubin=other.cubin run.ctrace >out 2>err || fail "$(cat err)"
is kept '.ways_back == null and .machine_unknown == null'
"$ctpost" access --json --cubin=other.cubin,kernels.cubin run.ctrace >out 2>err || fail "$(cat err)"
is kept '.machine_branches == 24'
"$ctpost" access --cubin=run.ctrace/manifest-0.json run.ctrace 2>err && fail "a cubin that is none"
grep -q 'it is no cubin' err || fail "$(cat err)"
