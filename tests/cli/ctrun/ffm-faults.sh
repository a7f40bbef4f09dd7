# SPDX-License-Identifier: Apache-2.0
# ctrun ffm where something goes wrong: which stage, what is there, how it goes on; a program's output
# is the same in each stage. Cases of one stage are those of cli.uses-faults.
. "$CT_CLI/shared/driver.sh"
disk=$1
"$cxx" --ct-target=cpu -O1 -g "$CT_CLI/ctrun/ffm.cu" -o app 2>log || fail "$(cat log)"
"$cxx" --ct-target=cpu -O1 -g "$CT_CLI/uses/faults.cu" -o faults 2>log || fail "$(cat log)"
"$cxx" --ct-target=cpu -O1 -g "$CT_CLI/ctrun/ffm-pages.cu" -o pages 2>log || fail "$(cat log)"

# same PROGRAM CASE: all stages end well with the output that the program has by itself
same() {
	./"$1" "$2" >once
	status 0 "$ctrun" ffm -o "$2.study" ./"$1" "$2"
	runs=$(grep -c ' of 4: ' err)
	: >expected
	for _ in $(seq "$runs"); do
		cat once >>expected
	done
	diff expected out >&2 || fail "$2: another output: $(cat err)"
	[ "$runs" -ge 2 ] || fail "$2: there were $runs runs"
}
for case in own_handler own_trap forked blocked system_calls racing; do
	same faults $case
done
for case in huge_pages by_userfaultfd; do
	same pages $case
done
# By its signal, or with the status of a sanitizer that reports it.
got=0
./faults real_fault >out 2>err || got=$?
status $got "$ctrun" ffm -o real.study ./faults real_fault
[ $got != 139 ] || has err 'stages 1 and 2: signal 11'
has err 'stages 1 and 2: '

# It ends in stage 3 alone: stage 1 stays, and can be read; the same command begins with stage 3.
status 134 "$ctrun" ffm -o aborts.study ./app aborts
has err 'stage 3: signal 6'
has err 'in stage 1 it ended well'
"$CT_BIN/ctpost" ffm aborts.study >text || fail "what is there cannot be read"
has text cudaDeviceSynchronize
status 134 "$ctrun" ffm -o aborts.study ./app aborts
has err 'stages 1 and 2: there already'

# Interrupted in stage 3.
env --default-signal=INT "$ctrun" ffm -o waits.study ./app waits >out 2>err &
process=$!
until [ -e waiting ]; do
	kill -0 $process 2>/dev/null || fail "it ended before stage 3: $(cat err)"
	sleep 0.02
done
kill -INT $process
got=0
wait $process || got=$?
[ $got = 130 ] || fail "exit status $got after SIGINT"
has err 'interrupted in stage 3; the same command goes on from there'
: >go
status 0 "$ctrun" ffm -o waits.study ./app waits
has err 'stages 1 and 2: there already'
[ -e waits.study/uses.ctrace ] || fail "it does not go on"

# No space: the trace is not whole, and not kept as if it were.
for bytes in 600 1500 5000; do # before its first manifest, or the last
	status 1 env LD_PRELOAD="$disk" CT_FAULT=full:$bytes "$ctrun" ffm -o disk.study ./app
	has err 'stages 1 and 2 recorded only a part: '
	[ ! -e disk.study/calls.ctrace ] || fail "a part is taken for the whole"
done
status 0 "$ctrun" ffm -o disk.study ./app

# Other calls in each run: said, and what is the same is used.
status 0 "$ctrun" ffm -o differs.study ./app differs
"$CT_BIN/ctpost" ffm --json --all differs.study >json
jq -e '.ffm_stages[1] | .matched_calls > 0 and .function == null' json >/dev/null || fail "stage 3 is not matched"
jq -e '[.needless_calls[].problem] | index("unnecessary-synchronization")' json >/dev/null || fail "what is found: $(cat json)"

command -v mpirun >/dev/null || exit 0
status 0 "$ctrun" ffm -o ranks.study -- sh "$CT_CLI/../mpirun.sh" 2 ./app
[ "$("$CT_BIN/ctpost" ffm --json ranks.study | jq ".ffm_totals[0].processes")" = 2 ] || fail "not both ranks are in the study"
status 2 sh "$CT_CLI/../mpirun.sh" 2 "$ctrun" ffm -o inside.study ./app
has err 'put ctrun ffm around the launcher'
