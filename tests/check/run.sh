#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BIN KINDS WORK SOURCE...
# Compiles the programs for CPU threads, runs each traced, and compares what `ctpost check` lists with
# the marks in its source: `// check: KIND` at the end of a line, or alone on the line before it.
# Each marked line has its row (kind, file, line), and no other row is there; a program without marks
# has no row at all. Races have two lines, of which one is marked.
# KINDS is ctpost check's own list (kinds.def); marks of other kinds ask for no row, and are listed.
# `// check: none yet, KIND` is a fault of a kind of that list that is not found yet. When it is found,
# the mark must be changed.
# Programs go on after their fault, and end by themselves; what they return is not looked at.
# PREBUILT=DIR has the programs compiled already, for a machine with a GPU (tests/gpu/check.sh).
# To compile takes far longer than the rest: programs are compiled together (together.awk), those
# without kernels and those with assembly apart, since of these the trace knows less.
set -eu
BIN=$1 KINDS=$2 WORK=$3 FROM=$PWD HERE=$(cd "$(dirname "$0")" && pwd)
shift 3
. "$HERE/program.sh"
LIMIT=${LIMIT:-60}
command -v jq >/dev/null || {
	echo "SKIPPED: no jq"
	exit 77
}
KINDS=$(sed -n 's/^CT_CHECK_KIND([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$KINDS")
[ -n "$KINDS" ] || {
	echo "FAILED: no list of kinds" >&2
	exit 1
}
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
failures=0

fail() {
	echo "FAILED: $*" >&2
	failures=$((failures + 1))
}

# marks SOURCE: "KIND LINE" of each mark, "KIND LINE yet" of faults that are not found
marks() {
	awk '{
		at = index($0, "// check: ")
		if (!at)
			next
		kind = substr($0, at + 10)
		yet = sub(/^none yet, /, "", kind)
		print kind, NR + (substr($0, 1, at - 1) ~ /^[ \t]*$/) (yet ? " yet" : "")
	}' "$1" | sort -u
}

# rows JSON FILE: "KIND LINE [LINE]" of each row in FILE, "KIND FILE LINE" of others
rows() {
	jq -r --arg file "$2" '.checks[] | [.access_file, .other_file, .file] as $files |
		[.access_line, .other_line, .line] as $lines |
		[range(3) | select($lines[.] != null) | {file: ($files[.] // "?" | sub(".*/"; "")), line: $lines[.]}] as $places |
		[$places[] | select(.file == $file) | .line] as $here |
		if $here == [] then "\(.kind) \($places[0].file // "?") \($places[0].line // "?")" else
			([.kind] + ($here | map(tostring)) | join(" ")) end' "$1" | sort -u
}

is_kind() {
	# shellcheck disable=SC2086
	case " $(echo $KINDS) " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# has_row ROWS KIND LINE
has_row() {
	grep -qE "^$2( [0-9]+)* $3( |\$)" "$1"
}

# compare NAME SOURCE
compare() {
	marks "$2" >"$1.marked"
	rows "$1.json" "$1.cu" >"$1.rows"
	while read -r kind line yet; do
		if ! is_kind "$kind"; then
			echo "$kind" >>later
			[ -z "$yet" ] || fail "$1.cu:$line: there is no kind $kind: the mark is \`// check: $kind\`"
		elif [ -n "$yet" ]; then
			! has_row "$1.rows" "$kind" "$line" ||
				fail "$1.cu:$line: $kind is found now: the mark is \`// check: $kind\`"
		elif ! has_row "$1.rows" "$kind" "$line"; then
			fail "$1.cu:$line: $kind is not found: $(cat "$1.rows")"
		fi
	done <"$1.marked"
	while read -r kind first second; do
		grep -qE "^$kind ($first${second:+|$second})( yet)?\$" "$1.marked" ||
			fail "$1.cu: a false row: $kind $first $second"
	done <"$1.rows"
}

# check_one PROGRAM SOURCE
check_one() {
	name=$(basename "$2" .cu)
	status=0
	timeout -k 5 "$LIMIT" "$BIN/ctrun" --check=on --uses=host -o "$name.ctrace" -- "./$1" "$name" \
		>"$name.out" 2>"$name.err" || status=$?
	[ $status -lt 124 ] || {
		fail "$name: exit status $status: $(cat "$name.err")"
		return
	}
	"$BIN/ctpost" check --json "$name.ctrace" >"$name.json" 2>"$name.log" || {
		fail "$name: ctpost check: $(cat "$name.log")"
		return
	}
	compare "$name" "$2"
	rm -rf "$name.ctrace"
}

# check_together PROGRAM SOURCE...: compiled as one program
check_together() {
	program=$1
	shift
	if [ -n "${PREBUILT:-}" ]; then
		cp "$PREBUILT/$program" .
	else
		awk -f "$HERE/together.awk" -- "$@" >"$program.cu"
	fi
	[ -e "$program" ] || "$BIN/cuda-trace-clang++" --ct-target=cpu --ct-all --ct-spaces=global,shared,local,constant -O2 \
		"$program.cu" -o "$program" 2>"$program.log" || {
		fail "$program: $(cat "$program.log")"
		return
	}
	for source; do
		check_one "$program" "$source"
	done
	rm -f "$program"
}

for source; do
	[ "${source#/}" != "$source" ] || source=$FROM/$source
	printf '%s\n' "$source" >>"$(program_of "$source").list"
done
: >later
for list in *.list; do
	# shellcheck disable=SC2046
	check_together "${list%.list}" $(cat "$list")
done
[ ! -s later ] || echo "not looked for yet, with their marks: $(sort later | uniq -c | tr -s ' \n' ' ')"
exit $((failures > 0))
