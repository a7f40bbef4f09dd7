# SPDX-License-Identifier: Apache-2.0
# ctpost ffm against programs whose problems are marked in their sources (truth.h): each mark is
# found, at its line, of its kind, as often as it says, and nothing else; with host code that tells
# and with protected pages, at -O0 and -O2, in one run with everything on and by the stages of ctrun
# ffm. The output is the same in all.
. "$CT_CLI/shared/driver.sh"
here=$(dirname "$0")
programs="waits places copies"
far=120ms # between LONG_MS and FAR_MS

# marks SOURCE: "line kind" or "line kind n of m"; a mark alone on its line is of the next one
marks() {
	sed -n 's|^\(.*\)// problem: \([a-z-]*\)\( \([0-9]* of [0-9]*\) times\)\{0,1\}$|\1:\2 \4|p; t; s/.*//p' "$here/$1.cu" |
		awk -F: '{ sub(/ *$/, "") }
			$2 { print NR + ($1 ~ /^[ \t]*$/), $2 }' | sort
}

# problems JSON: the same of what was found; each line with and without counts
problems() {
	jq -r '[.problems[] | select(.file // "" | endswith(".cu"))] | group_by([.line, .kind])[] |
		"\(.[0].line) \(.[0].kind)",
		"\(.[0].line) \(.[0].kind) \(map(.count) | add) of \(map(.occurrences) | add)"' "$1" | sort
}

# as_marked SOURCE JSON
as_marked() {
	marks "$1" >marked
	problems "$2" >found
	cut -d ' ' -f 1,2 marked | sort -u >places
	cut -d ' ' -f 1,2 found | sort -u | diff places - >differ || fail "$2: marked, found: $(cat differ)"
	comm -23 marked found >other
	[ ! -s other ] || fail "$2: another number of times: $(cat other)"
	jq -r '.problems[] | select(.file // "" | endswith(".cu") | not)' "$2" >strays
	[ ! -s strays ] || fail "$2: a problem elsewhere: $(cat strays)"
}

# recorded MEANS PROGRAM: NAME.MEANS.json of a run with everything on
recorded() {
	"$ctrun" --calls=only --uses="$1" --contents=on -o "$2.$1.ctrace" "./$2" >"$2.$1.out" 2>"$2.$1.log" ||
		fail "$2 $1: $(cat "$2.$1.log")"
	diff "$2.plain" "$2.$1.out" >&2 || fail "$2 $1: another output"
	"$CT_BIN/ctpost" ffm --json --far=$far "$2.$1.ctrace" >"$2.$1.json" 2>"$2.$1.log" ||
		fail "$2 $1: $(cat "$2.$1.log")"
}

# studied PROGRAM: by stages
studied() {
	"$ctrun" ffm -o "$1.study" -- "./$1" >"$1.study.out" 2>"$1.study.log" || fail "$1: $(cat "$1.study.log")"
	"$CT_BIN/ctpost" ffm --json --far=$far "$1.study" >"$1.study.json" 2>>"$1.study.log" ||
		fail "$1: $(cat "$1.study.log")"
}

means="host pages"
for program in $programs; do
	for level in 0 2; do
		"$cxx" --ct-target=cpu -O$level -g --ct-host "$here/$program.cu" -o $program.$level 2>log ||
			fail "$program -O$level: $(cat log)"
		CUDATRACE=off ./$program.$level >$program.$level.plain || fail "$program -O$level does not run"
	done
	# The sanitizer's malloc has other memory on the same pages.
	! nm $program.2 | grep -q __asan_init || means=host
done
# They hardly use the processor.
running=''
for program in $programs; do
	for level in 0 2; do
		for mean in $means; do
			recorded $mean $program.$level &
			running="$running $!"
		done
	done
	studied $program.2 &
	running="$running $!"
done
for one in $running; do
	wait "$one"
done
for program in $programs; do
	for level in 0 2; do
		for mean in $means; do
			as_marked $program $program.$level.$mean.json
		done
	done
	as_marked $program $program.2.study.json
done
