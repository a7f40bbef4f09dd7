# SPDX-License-Identifier: Apache-2.0
# Names survive: a study of yesterday reads as it did then, though the program was rebuilt or is
# gone, with its libraries and sources; a source that has changed is said; programs that end in any
# way; several processes; sources that are kept out; what is stored is damaged.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost
here=$PWD

mkdir -p project/src run
cp "$CT_CLI/resolve/solve.cu" project/src
cat >project/src/repeat.c <<'END'
void repeat(void (*step)(void))
{
	step();
	__asm__ volatile("" ::: "memory"); /* no tail call */
}
END
# The compiler is given names from where it runs, and the program is run elsewhere.
# build [OPTION...]: the program, instrumented for all analyses at first
build() {
	(cd project && "$cxx" --ct-target=cpu --ct-all -g -O1 -o solve src/solve.cu "$@" 2>"$here/log") || fail "$(cat log)"
}
build_library() {
	(cd project && clang -g -O1 -shared -fPIC -Wl,--build-id -o librepeat.so src/repeat.c 2>"$here/log" ||
		cc -g -O1 -shared -fPIC -Wl,--build-id -o librepeat.so src/repeat.c 2>"$here/log") || fail "$(cat log)"
}
line() {
	grep -nF "// $1" "$CT_CLI/resolve/solve.cu" | cut -d: -f1
}
build
build_library

# unnamed TRACE: addresses of files on stacks that have no frames in the trace
unnamed() {
	"$ctpost" dump --tables=stack --format=jsonl "$1" | jq -r 'select(.module != 0) | "\(.part) \(.module) \(.offset)"' | sort -u >stacks
	"$ctpost" dump --tables=frame --format=jsonl "$1" | jq -r '"\(.part) \(.module) \(.offset)"' | sort -u >frames
	[ -s stacks ] || fail "$1: no stacks"
	comm -23 stacks frames
}

# All that is read of a study, without what is said of it beside.
read_all() {
	mkdir -p "$2"
	problems=$("$ctpost" findings --json --all "$1" 2>>"$2/err" | jq '.problems | length')
	for n in $(seq "$problems"); do
		"$ctpost" explain "$n" "$1" >>"$2/explain" 2>>"$2/err" || fail "explain $n: $(cat "$2/err")"
	done
	"$ctpost" findings --all --facts "$1" >"$2/findings" 2>>"$2/err"
	"$ctpost" ffm "$1" >"$2/ffm" 2>>"$2/err"
	"$ctpost" calls "$1/calls.ctrace" >"$2/calls" 2>>"$2/err"
	"$ctpost" blame "$1/accesses.ctrace" >"$2/blame" 2>>"$2/err"
	"$ctpost" info --paths "$1/accesses.ctrace" >"$2/info" 2>>"$2/err"
	"$ctpost" report -o "$2/page.html" "$1" 2>>"$2/err"
	"$ctpost" export --format=csv -o "$2/csv" "$1" 2>>"$2/err"
	"$ctpost" export --format=perfetto -o "$2/perfetto.json" "$1/calls.ctrace" 2>>"$2/err"
}

cd run
status 0 "$ctrun" profile -o study --budget=0 -- ../project/solve exit ../project/librepeat.so
[ -z "$(unnamed study/calls.ctrace)$(unnamed study/accesses.ctrace)" ] || fail "frames are missing"
"$ctpost" verify study/accesses.ctrace >out || fail "not sound: $(cat out)"
read_all study day
grep -q "^> *$(line gathers) .*from\[i \* stride" day/explain || fail "no source: $(cat day/explain)"
grep -q 'repeat .*step' day/info || fail "not through the library: $(cat day/info)"
grep -qF 'to[i] = from[i * stride % 4096]' day/page.html || fail "no source in the page"
lacks day/err 'changed'

# Without the program, its library and its sources; as on another machine: under another name.
mv ../project ../gone
cp -R study elsewhere
rm -r study
mv elsewhere study
read_all study gone
diff -r -x err day gone >log || fail "without files: $(head -c 2000 log)"

# Rebuilt, with other lines in all files: that is said once by each command.
cp -R ../gone ../project
sed -i '1i // a line\n// and another' ../project/src/solve.cu ../project/src/repeat.c
(cd .. && build && build_library)
read_all study rebuilt
for text in findings explain ffm calls blame info csv perfetto.json; do
	diff -r "day/$text" "rebuilt/$text" >log || fail "rebuilt: $text: $(head -c 2000 log)"
done
# The page says it where the source is shown.
sed 's/"changed since",//' rebuilt/page.html | grep -qF 'to[i] = from[i * stride % 4096]' || fail "no source in the page"
status 0 "$ctpost" findings study
[ "$(grep -c 'src/solve.cu' err)" = 1 ] || fail "said more than once, or not: $(cat err)"
has err 'project/src/solve.cu'
has err 'changed since the program ran: lines are those of then'
# Resolved again, what is stored stays.
status 0 "$ctpost" resolve study
read_all study again
diff -r -x err -x page.html day again >log || fail "resolved again: $(head -c 2000 log)"
lacks again/explain '// a line'

# A source that is newer than the program: it may have other lines.
touch -d '+1 second' ../project/src/solve.cu
status 0 "$ctrun" -o newer.ctrace -- ../project/solve
status 0 "$ctpost" access newer.ctrace
has err 'modified after the program was built'
rm -r ../project
mv ../gone ../project

# However it ends; the library is gone before the program is, and says so.
for end in _exit abort kill; do
	"$ctrun" -o "$end.ctrace" --calls=on -- ../project/solve $end ../project/librepeat.so >out 2>err || true
	[ -z "$(unnamed $end.ctrace)" ] || fail "$end: without frames: $(unnamed $end.ctrace)"
	"$ctpost" calls --json $end.ctrace >out 2>err
	grep -q 'copy_in' out || fail "$end: no names"
done

# Several processes, each of its own.
cp ../project/solve ../project/other
status 0 "$ctrun" -o several.ctrace -- sh -c '../project/solve & ../project/other; wait'
[ "$(ls several.ctrace | grep -c '^names-')" = 2 ] || fail "parts: $(ls several.ctrace)"
[ -z "$(unnamed several.ctrace)" ] || fail "several: without frames"
# Each names its own directory.
mkdir own
(cd own && status 0 "$ctrun" -- sh -c '../../project/solve; ../../project/other') || exit 1
[ "$(ls own/*.ctrace/names-0.ct | wc -l)" = 2 ] || fail "own: $(ls own/*.ctrace)"

# A rank treats its own parts alone.
for rank in 1 0; do
	OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 "$ctrun" -o ranks.ctrace -- ../project/solve >out 2>err || fail "rank $rank: $(cat err)"
	ls ranks.ctrace >log
	grep -q "^names-$rank.ct" log || fail "rank $rank: $(cat log)"
	[ $rank = 0 ] || ! grep -q '^names-0.ct' log || fail "rank 1 wrote of rank 0"
done

# Sources are kept out: names and what reports changes are there.
status 0 "$ctrun" -o without.ctrace --sources=off -- ../project/solve
"$ctpost" dump --tables=source_line without.ctrace >out
[ ! -s out ] || fail "lines: $(cat out)"
"$ctpost" dump --tables=source --format=jsonl without.ctrace | jq -se 'any(.[]; .path == "src/solve.cu" and .bytes > 0)' >log || fail "no source"
! grep -aq 'stride % 4096' without.ctrace/names-0.ct || fail "a source in the trace"

# Without ctrun; names come later, and only of what ran.
CUDATRACE=on CUDATRACE_OUTPUT=$PWD/alone.ctrace ../project/solve >out
[ ! -e alone.ctrace/names-0.ct ] || fail "names without ctrun"
cp -R alone.ctrace late.ctrace
status 0 "$ctpost" resolve alone.ctrace
grep -q 'names of [1-9][0-9]* of [1-9]' out || fail "$(cat out)"
[ -z "$(unnamed alone.ctrace)" ] || fail "alone: without frames"
sed -i '1i // a line' ../project/src/solve.cu
(cd .. && build)
"$ctpost" calls --json late.ctrace >out 2>err
lacks out 'copy_in'
has err 'its build id is another'
"$ctpost" calls --json alone.ctrace >out 2>err
has out 'copy_in'
# Nor without a build id.
(cd .. && build -Wl,--build-id=none)
CUDATRACE=on CUDATRACE_OUTPUT=$PWD/idless.ctrace ../project/solve >out
"$ctpost" calls --json idless.ctrace >out 2>err
has out 'copy_in'
sed -i '1i // a line' ../project/src/solve.cu
(cd .. && build -Wl,--build-id=none)
"$ctpost" calls --json idless.ctrace >out 2>err
lacks out 'copy_in'
has err 'changed since the program ran (it has no build id)'

# A stored file is damaged, or of another run: the trace is read, and that is said.
cp -R alone.ctrace damaged.ctrace
for at in 80 700; do
	printf '\377\377' | dd of=damaged.ctrace/names-0.ct bs=1 seek=$at conv=notrunc 2>/dev/null
done
"$ctpost" calls damaged.ctrace >out 2>err || fail "damaged: $(cat err)"
status 1 "$ctpost" verify damaged.ctrace
has out 'names-0.ct'
cp -R several.ctrace mixed.ctrace
cp alone.ctrace/names-0.ct mixed.ctrace/names-0.ct
"$ctpost" calls mixed.ctrace >out 2>err || fail "mixed: $(cat err)"

# Another one in the directory: what was there is removed with the rest.
status 0 "$ctrun" -o alone.ctrace --calls=off -- ../project/solve
status 0 "$ctpost" verify alone.ctrace
status 1 "$ctpost" resolve nowhere.ctrace
status 2 "$ctpost" resolve --rank=x alone.ctrace
# One part of several.
rm several.ctrace/names-*
status 0 "$ctpost" resolve several.ctrace/events-1.ct
[ "$(ls several.ctrace | grep '^names-')" = names-1.ct ] || fail "one part: $(ls several.ctrace)"
no_leftovers
