#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-processes.sh BIN PROGRAMS CASE WORK
# Several processes write one trace: none is lost, none is taken for another.
# A launch of `many ... N` stores or loads N words of 4 bytes.
set -eu
BIN=$1 PROGRAMS=$2 CASE=$3 WORK=$4
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
MANY="$PROGRAMS/many"
command -v jq >/dev/null || {
	echo "jq not found: skipped" >&2
	exit 77
}
unset CUDATRACE_OUTPUT CUDATRACE_RUN

MPIRUN="$HERE/../mpirun.sh"

# says TRACE FILTER EXPECTED: what jq makes of its ctpost info --json
says() {
	[ -e "$1.json" ] || info "$1"
	got=$(jq -c "$2" "$1.json")
	[ "$got" = "$3" ] || fail "$1: $2 is $got instead of $3"
}

# parts TRACE EXPECTED...: rank, stores of each process, by rank and part
processes='[.launch_counts as $l | .processes | sort_by(.rank, .part)[] |
	.part as $p | [.rank, ([$l[] | select(.part == $p and .class == "store") | .threads] | add)]] | sort'
stores='[.launch_counts as $l | .processes[] | .part as $p |
	[$l[] | select(.part == $p and .class == "store") | .threads] | add] | sort'
# Sums all processes: accesses of a class
all='def all($class): [.total_counts[] | select(.class == $class).threads] | add;'

case $CASE in
mpi)
	run_well mpi "$MPIRUN" 4 "$BIN/ctrun" -o mpi.ctrace -- \
		sh -c "'$MANY' write \$((64 * (OMPI_COMM_WORLD_RANK + 1)))"
	says mpi "$processes" '[[0,64],[1,128],[2,192],[3,256]]'
	says mpi '[.trace_totals[0].complete, ([.processes[] | .ranks, .host] | unique | length)]' '[true,2]'
	says mpi "$all"' all("store")' 640
	says mpi '.warnings | length' 0
	[ "$(grep -c '^\[ctrun\]' mpi.err)" = 1 ] || fail "not one line of ctrun: $(cat mpi.err)"
	grep -q 'traced 1 launch (1 kernel) of rank 0' mpi.err || fail "$(cat mpi.err)"

	# Again, with fewer ranks and two processes in each: what was there is gone.
	"$MPIRUN" 2 "$BIN/ctrun" -o mpi.ctrace -- "$MANY" exec 100 300
	mv mpi.ctrace again.ctrace
	says again "$processes" '[[0,100],[0,300],[1,100],[1,300]]'
	[ "$(ls again.ctrace | grep -c '^events')" = 4 ] || fail "$(ls again.ctrace)"

	# A rank whose files were not copied.
	cp -r again.ctrace lacks.ctrace
	rm lacks.ctrace/*-1.json lacks.ctrace/*-1-*.ct lacks.ctrace/*-1.ct lacks.ctrace/*-1000001*
	says lacks '[.trace_totals[0].complete, [.warnings[].text]]' \
		'[false,["rank 1 of 2 has no part: nothing was traced there, or its files were not copied"]]'

	# Ranks that do the same do not leave out the same CTAs.
	run_well sampled "$MPIRUN" 4 "$BIN/ctrun" --sample-blocks=16 -o sampled.ctrace -- "$MANY" write 6400
	says sampled '[.launches[] | .block_offset] | unique | length > 1' true

	# One ctrun around mpirun empties once, and speaks for all.
	run_well outer "$BIN/ctrun" -o outer.ctrace -- "$MPIRUN" 3 "$MANY" write 64
	says outer "$processes" '[[0,64],[1,64],[2,64]]'
	grep -q 'traced 3 launches in 3 processes, ' outer.err || fail "$(cat outer.err)"
	;;
exec | fork)
	# Twice into one directory; the second run leaves nothing of the first.
	run_well first "$BIN/ctrun" -o run.ctrace -- "$MANY" $CASE 64 128 192 256 320 384
	run_well second "$BIN/ctrun" -o run.ctrace -- "$MANY" $CASE 1000 65 129
	grep -q 'traced 3 launches in 3 processes, ' second.err || fail "$(cat second.err)"
	says run "$stores" '[65,129,1000]'
	says run '[.processes[].part]' '[0,1,2]'
	says run "$all"' [(.trace_totals[0] | .complete, .launches, .kernels), all("store")]' '[true,3,1,1194]'
	says run '[.processes[] | .rank] | unique' '[null]'
	"$BIN/ctpost" dump --format=csv run.ctrace >dump.csv
	got=$(tail -n +2 dump.csv | cut -d, -f1 | sort | uniq -c | awk '{print $1}' | sort -n | paste -sd,)
	[ "$got" = 3,5,32 ] || fail "dump has $got records of each process"
	grep -q '^part,launch,' dump.csv || fail "dump does not say which process"
	# One process alone, and two of them beside each other.
	for part in 0 1 2; do
		"$BIN/ctpost" info --json run.ctrace/events-$part.ct >"part-$part.json"
	done
	got=$(jq -c '[.processes[].part, (.trace_totals[0] | .launches, .complete), (.warnings | length)]' part-?.json | paste -sd" ")
	[ "$got" = "[0,1,true,0] [1,1,true,0] [2,1,true,0]" ] || fail "parts alone: $got"
	got=$(jq -s -c "$all"' map(all("store")) | add' part-?.json)
	[ "$got" = 1194 ] || fail "parts alone: $got stores"
	run_well third "$BIN/ctrun" -o third.ctrace -- "$MANY" $CASE 1000 1000
	"$BIN/ctpost" diff third.ctrace/events-0.ct third.ctrace/events-1.ct >diff.out || fail "$(cat diff.out)"
	! "$BIN/ctpost" diff run.ctrace/events-0.ct run.ctrace/events-1.ct >diff.out || fail "other grids are equal"
	# All in stream 0, and each in a file of its own.
	"$BIN/ctpost" export --format=memtrace -o memtrace run.ctrace 2>memtrace.err || fail "$(cat memtrace.err)"
	[ "$(ls memtrace)" = "$(printf 'MemTrace-pipe-%s\n' 0 1 2)" ] || fail "memtrace: $(ls memtrace)"
	# Children know their parent.
	says run '[.processes as $p | $p[] | select([.parent] | inside([$p[].pid]))] | length' 2
	;;
mixed)
	# Different programs, one after the other and side by side.
	run_well run "$BIN/ctrun" -o run.ctrace -- \
		sh -c "'$PROGRAMS/matmul' 16 & '$MANY' write 64; wait; '$BIN/ctrun' -o run.ctrace '$MANY' read 64"
	[ "$(grep -c '^\[ctrun\]' run.err)" = 1 ] || fail "$(cat run.err)"
	says run '[.processes[].command | sub(".*/"; "")] | sort' \
		'["many read 64","many write 64","matmul 16"]'
	says run '.trace_totals[0].launches' 3
	says run '[.launches as $l | .processes[] | .part as $p | (.command | sub(".*/"; "")) as $c |
		$l[] | select(.part == $p) | [$c, (.kernel | split("(")[0] | split(" ")[-1])]] | sort' \
		'[["many read 64","read"],["many write 64","write"],["matmul 16","matmul"]]'
	;;
killed)
	# One of three, when the trace holds all of it and the others have ended.
	expected='[false,[true,false,true],[[0,64],[1,640],[2,64]]]'
	filter='[.trace_totals[0].complete, [.processes[].complete],
		[.launch_counts | sort_by(.part)[] | select(.class == "store") | [.part, .threads]]]'
	cat >killer.sh <<-END
	'$MANY' killed 640 &
	until [ "\$('$BIN/ctpost' info --json killed.ctrace 2>/dev/null | jq -c '$filter')" = '$expected' ]; do
		sleep 0.2
	done
	kill -KILL \$!
	wait \$!
	END
	run killed "$MPIRUN" 3 "$BIN/ctrun" -o killed.ctrace -- sh -c \
		"if [ \$OMPI_COMM_WORLD_RANK = 1 ]; then . ./killer.sh; else exec '$MANY' write 64; fi" ||
		true
	says killed "$filter" "$expected"
	"$BIN/ctpost" info killed.ctrace | grep -Eq '^ *1 +1 .*many killed 640 .* no *$' ||
		fail "$("$BIN/ctpost" info killed.ctrace)"
	;;
losses)
	# One rank of two stops at the size limit: it is said which.
	run_well run "$MPIRUN" 2 "$BIN/ctrun" --limit=20K --level=0 --ring=8K -o run.ctrace -- sh -c \
		"if [ \$OMPI_COMM_WORLD_RANK = 1 ]; then exec '$PROGRAMS/matmul' 256; else exec '$PROGRAMS/matmul' 16; fi"
	says run '[.trace_totals[0].complete, ([.processes[] | [.rank, .complete, .lost_chunks > 0]])]' \
		'[false,[[0,true,false],[1,false,true]]]'
	says run '[.losses[].part] | unique' '[1]'
	"$BIN/ctpost" info run.ctrace >run.info
	grep -qx 'stopped: part 1: size limit reached' run.info || fail "$(cat run.info)"
	grep -q '^lost: .* chunks of part 1' run.info || fail "$(cat run.info)"
	;;
comm)
	# The same addresses in each: one process stores them, another loads them, and nothing flows.
	run_well run setarch -R "$BIN/ctrun" -o run.ctrace -- \
		sh -c "'$MANY' write 4096; '$MANY' read 4096; '$MANY' write 4096"
	says run '[.objects[] | select(.name == "board") | .address] | [length, (unique | length)]' '[3,1]'
	"$BIN/ctpost" comm --json run.ctrace >comm.json
	got=$(jq -c '.comm_totals[0] | [.load_bytes, .store_bytes, .unwritten_bytes, .transferred_bytes,
		.communicated_store_bytes]' comm.json)
	[ "$got" = '[16384,32768,16384,0,0]' ] || fail "comm: $got"
	got=$(jq -c '[.supersteps[] | select(.launch) | [.part, .kernel]] | sort' comm.json)
	[ "$got" = '[[0,"write"],[1,"read"],[2,"write"]]' ] || fail "comm: $got"
	"$BIN/ctpost" report -o run.html run.ctrace
	grep -q 'many' run.html || fail "the report does not name the program"
	"$BIN/ctpost" export --format=sqlite --tables=processes,launches,launch_counts -o run.db run.ctrace
	sqlite3 run.db 'select p.part, p.command like "%read%", c.class, c.threads
		from processes p join launch_counts c using (part) where c.threads > 0 order by 1, 3' >run.counts
	printf '%s\n' '0|0|store|4096' '1|1|load|4096' '2|0|store|4096' | diff - run.counts >&2 ||
		fail "export mixes processes"
	"$BIN/ctpost" diff run.ctrace run.ctrace >diff.out || fail "$(cat diff.out)"
	;;
ring)
	# A real MPI program: what ranks exchange through the host stays between device and host of each.
	run_well run "$MPIRUN" 4 "$BIN/ctrun" -o run.ctrace -- "$PROGRAMS/ring" 1000
	grep -q '^ring: ok' run.out || fail "$(cat run.out)"
	says run "$all"' [.trace_totals[0].complete, .warnings, .trace_totals[0].launches, all("load"), all("store")]' \
		'[true,[],16,16000,16000]'
	"$BIN/ctpost" comm --json run.ctrace >comm.json
	figures=$(jq -c '.comm_totals[0] | [.load_bytes, .store_bytes, .transferred_bytes,
		.from_host_bytes, .to_host_bytes]' comm.json)
	[ "$figures" = '[64000,64000,0,64000,64000]' ] || fail "comm: $figures"
	"$MPIRUN" 2 "$BIN/ctpost" comm --json run.ctrace >parallel.json
	diff comm.json parallel.json >&2 || fail "ctpost on two ranks says something else"
	;;
*)
	fail "no such case: $CASE"
	;;
esac
