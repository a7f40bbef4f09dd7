# SPDX-License-Identifier: Apache-2.0
# ctrun --uses=pages around programs that handle faults, fork, block signals, or hand protected memory
# to the system: each ends and prints as without us, and what is not known is said to be so.
. "$CT_CLI/shared/driver.sh"
here=$(dirname "$0")
"$cxx" --ct-target=cpu -O1 -g "$here/faults.cu" -o faults 2>log || fail "$(cat log)"

# kinds CASE EXPECTED: the output and status are the same, the uses have these kinds, in their order
kinds() {
	got=0
	./faults "$1" >plain 2>/dev/null || got=$?
	status $got "$ctrun" --uses=pages -o "$1.ctrace" ./faults "$1"
	diff plain out >&2 || fail "$1: another output"
	"$CT_BIN/ctpost" dump --tables=use --format=jsonl "$1.ctrace" 2>err | jq -r '"\(.kind):\(.at_bytes)"' | tr '\n' ' ' >uses
	[ "$(cat uses)" = "$2" ] || fail "$1: $(cat uses) instead of $2"
}
kinds own_handler 'load:4 '
kinds own_trap 'load:4 '
kinds real_fault ''
kinds forked 'load:4 '
kinds blocked 'load:4 '
kinds system_calls 'system:64 system:128 load:4 library:128 '
kinds unmapped 'free:8192 '
kinds racing 'unknown:4 '
kinds neighbours 'load:4 load:4 '
# The first wait's range is the second one's in the end. A list may be anywhere in memory: what was
# accessed before the second wait is not known then.
kinds beside_read 'again:0 load:4 none:0 '
kinds beside_readv 'unknown:0 unknown:0 unknown:0 '
"$CT_BIN/ctpost" dump --tables=use racing.ctrace | grep -q 'reason="other threads ran while its pages were open"' || fail "no reason"

# Managed memory that several workers and the host use in turns: no fault is the program's.
"$cxx" --ct-target=cpu -O1 -g "$here/managed.cu" -o managed 2>log || fail "$(cat log)"
./managed >plain || fail "managed does not run"
for workers in 2 4 8; do
	CUDATRACE_CPU_THREADS=$workers status 0 "$ctrun" --calls=only --uses=pages -o managed.$workers.ctrace ./managed
	diff plain out >&2 || fail "managed with $workers workers: another output"
done

# Without ctrun nothing stands around system calls: nothing is protected, and that is said.
CUDATRACE_USES=pages CUDATRACE_OUTPUT=alone.ctrace ./faults blocked >out 2>err || fail "alone: $(cat err)"
one_line err
has err 'pages cannot be protected: the program was not started by ctrun with this option'

# Only what waits of these sites protect; a list that is none.
site=$("$CT_BIN/ctpost" dump --tables=wait forked.ctrace | sed 's/.* site=0x\([0-9a-f]*\) .*/\1/')
echo "$site # the wait" >sites
"$ctrun" --uses=pages --uses-of=sites -o some.ctrace ./faults forked >out 2>err || fail "$(cat err)"
"$CT_BIN/ctpost" dump --tables=use some.ctrace | grep -q 'kind=load' || fail "the site that is in the list is not watched"
echo 1234 >sites
"$ctrun" --uses=pages --uses-of=sites -o none.ctrace ./faults forked >out 2>err || fail "$(cat err)"
"$CT_BIN/ctpost" dump --tables=wait none.ctrace >waits
has waits 'flags=not asked'
[ -z "$("$CT_BIN/ctpost" dump --tables=use none.ctrace)" ] || fail "a site that is not in the list is watched"
echo nonsense >sites
"$ctrun" --uses=pages --uses-of=sites -o bad.ctrace ./faults forked >out 2>err || fail "$(cat err)"
has err 'sites:1: not a site, expected hexadecimal digits; no uses are recorded'
"$ctrun" --uses=host -o host.ctrace ./faults forked >out 2>err || fail "$(cat err)"
has err 'no code was compiled with --ct-host; no uses are recorded'
