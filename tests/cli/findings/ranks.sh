# SPDX-License-Identifier: Apache-2.0
# findings, report: two and three ranks find what one process finds, also in what one of them alone has
# read. 77 without mpirun.
. "$CT_CLI/shared/comm.sh"
command -v mpirun >/dev/null || exit 77
ls "$CT_BIN"/../lib*/cudatrace/libcudatrace-mpi.so >/dev/null 2>&1 || exit 77
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
make_comm halo
"$CT_CLI_BUILD/ctpost-make-trace" damaged.ctrace damaged
"$CT_CLI_BUILD/ctpost-make-trace" lambda.ctrace lambda
cp -r "$CT_CLI/../golden/bad-loop.ctrace" "$CT_CLI/../golden/bad-units.ctrace" .

"$CT_CLI_BUILD/ctpost-make-trace" calls.ctrace calls
ctpost findings --json calls.ctrace | jq -e '.bank_conflicts | length > 0' >log || fail "no section to compare"

# of_ranks RANKS TRACE findings|report OPTION...: what so many ranks write is in together
of_ranks() {
	ranks=$1 trace=$2
	shift 2
	mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n $ranks "$CT_BIN/ctpost" "$@" $trace.ctrace >together.json 2>together.err ||
		fail "$(cat together.err)"
}
for trace in halo damaged lambda calls bad-loop bad-units; do
	ctpost findings --json $trace.ctrace >alone.json 2>alone.err || fail "findings of $trace"
	for ranks in 2 3; do
		of_ranks $ranks $trace findings --json
		diff alone.json together.json >difference || fail "$ranks ranks find otherwise in $trace: $(cat difference)"
	done
done
# Pages are made of what findings are made of.
for case in 2.halo 3.calls 3.bad-units; do
	ranks=${case%.*} trace=${case#*.}
	ctpost report $trace.ctrace -o alone.html 2>err || fail "report of $trace"
	of_ranks $ranks $trace report -o together.html
	cmp alone.html together.html || fail "$ranks ranks report otherwise of $trace"
done
ctpost findings --tables calls.ctrace >alone.txt 2>alone.err || fail "$(cat alone.err)"
grep -q '^line  .*excess' alone.txt || fail "no table to compare: $(cat alone.txt)"
mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" findings --tables calls.ctrace >together.txt 2>err || fail "$(cat err)"
cmp alone.txt together.txt || fail "two ranks print otherwise"
mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" findings nowhere.ctrace >out 2>err && fail "no failure"
[ "$(grep -c "nowhere.ctrace" err)" = 1 ] || fail "the error is not reported once: $(cat err)"
# Whatever else there is: shared among ranks, or done by one of them while the others wait.
for command in calls ctas samples access model blame values ffm export; do
	options= done=0 together=0
	[ $command != export ] || options=--format=memtrace
	ctpost $command $options calls.ctrace ${options:+-o alone.trace} >alone.txt 2>alone.err || done=$?
	mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" $command $options calls.ctrace ${options:+-o together.trace} >together.txt 2>err ||
		together=$?
	cmp alone.txt together.txt || fail "$command: two ranks print otherwise"
	[ $together = $done ] || fail "$command: two ranks return $together, not $done: $(cat err)"
	[ "$(grep -c '^ctpost: ' err)" = "$(grep -c '^ctpost: ' alone.err)" ] || fail "$command: not reported once: $(cat err)"
done
diff -r alone.trace together.trace || fail "two ranks export otherwise"
