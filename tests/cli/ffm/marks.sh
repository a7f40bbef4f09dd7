# SPDX-License-Identifier: Apache-2.0
# Reads what the marks in a source say (truth.h), and whether ctpost ffm has found that: read with
# "." by truth.sh and by tests/gpu/ffm.sh, which have a function `fail`.
far=120ms # for --far: between LONG_MS and FAR_MS

# marks SOURCE: "line kind" or "line kind n of m"; a mark alone on its line is of the next one
marks() {
	sed -n 's|^\(.*\)// problem: \([a-z-]*\)\( \([0-9]* of [0-9]*\) times\)\{0,1\}$|\1:\2 \4|p; t; s/.*//p' "$1" |
		awk -F: '{ sub(/ *$/, "") }
			$2 { print NR + ($1 ~ /^[ \t]*$/), $2 }' | sort
}

# problems JSON: the same of what was found; each line with and without counts
problems() {
	jq -r '[.needless_calls[] | select(.file // "" | endswith(".cu"))] | group_by([.line, .problem])[] |
		"\(.[0].line) \(.[0].problem)",
		"\(.[0].line) \(.[0].problem) \(map(.calls) | add) of \(map(.all_calls) | add)"' "$1" | sort
}

# as_marked SOURCE JSON: they are the same, or fail
as_marked() {
	marks "$1" >marked
	problems "$2" >found
	cut -d ' ' -f 1,2 marked | sort -u >places
	cut -d ' ' -f 1,2 found | sort -u | diff places - >differ || fail "$2: marked, found: $(cat differ)"
	comm -23 marked found >other
	[ ! -s other ] || fail "$2: another number of times: $(cat other)"
	jq -r '.needless_calls[] | select(.file // "" | endswith(".cu") | not)' "$2" >strays
	[ ! -s strays ] || fail "$2: a problem elsewhere: $(cat strays)"
}

# in_library JSON: waits in library.c are determined by function and place in the file that has them
in_library() {
	jq -r '.needless_calls[] | "\(.problem) \(.function) \(.caller) \(.calls) of \(.all_calls) \(.file // "") \(.line // 0)",
		(select((.module | endswith("liblibrary.so") | not) or .offset == null) | "in \(.module) at \(.offset)")' "$1" |
		sort >found
	sort >expected <<-X
	misplaced-synchronization cudaDeviceSynchronize library_finish 1 of 1  0
	unnecessary-synchronization cudaStreamSynchronize library_complete 2 of 2  0
	X
	diff expected found >differ || fail "$1: expected, found: $(cat differ)"
}
