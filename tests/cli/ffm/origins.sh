# SPDX-License-Identifier: Apache-2.0
# Where pageable memory comes from that copies wait for: each copy of origins.cu has its mark, and
# what its memory comes from another one of the same name, or none.
. "$CT_CLI/shared/driver.sh"
here=$(dirname "$0")

# marked WORD: "name line" of each mark of that word
marked() {
	sed -n "s|.*// $1 \([a-z]*\)\$|\1|p" "$here/origins.cu" >names
	grep -n "// $1 [a-z]*\$" "$here/origins.cu" | cut -d: -f1 | paste -d ' ' names - | sort
}

# found: "line of the copy, role, call, line" of each copy that waits redundantly
found() {
	jq -r '.needless_calls[] | select(.problem == "unnecessary-synchronization") | .line as $line |
		([.related[] | select(.role == "allocated" or .role == "variable" or .role == "on-stack")] | if length == 0 then [{role: "unknown"}] else . end)[] |
		"\($line) \(.role) \(.function // "" | if . == "" then "-" else . end) \(.line // 0)"' json | sort -u
}

# expected: the same by the marks
expected() {
	marked copy | while read -r name line; do
		origin=$(marked origin | sed -n "s/^$name //p")
		case $name in
		stack) echo "$line on-stack - 0" ;;
		variable) echo "$line variable variable 0" ;;
		small) echo "$line unknown - 0" ;;
		vector | early | both) echo "$line allocated malloc $origin" ;;
		*) echo "$line allocated $name $origin" ;;
		esac
	done | sort
}

"$cxx" --ct-target=cpu --ct-host -O1 -g "$here/origins.cu" -o origins 2>log || fail "$(cat log)"
./origins >plain || fail "the program does not run"
expected >wanted
[ "$(wc -l <wanted)" = 10 ] || fail "marks are missing: $(cat wanted)"
for uses in host auto; do
	rm -rf trace.ctrace
	"$ctrun" --calls=only --uses=$uses -o trace.ctrace ./origins >out 2>log || fail "$uses: $(cat log)"
	cmp -s out plain || fail "$uses: the output is another one"
	"$CT_BIN/ctpost" ffm --json trace.ctrace >json 2>log || fail "$uses: $(cat log)"
	found >got
	cmp -s got wanted || fail "$uses: $(diff wanted got)"
done
jq -r '.needless_calls[].condition' json >conditions
grep -q 'Shown: it is allocated by calloc at origins.cu:' conditions || fail "no condition names calloc"
grep -q 'Shown: it is the variable variable;' conditions || fail "no condition names the variable"
grep -q 'Not known: where it is allocated' conditions || fail "the small block is said to be known"
both=$(marked origin | sed -n 's/^both //p')
grep -q "Shown: it is allocated by malloc at origins.cu:$both; pin it" conditions ||
	fail "the line of two blocks is reported twice: $(cat conditions)"
# Who frees them is a line of the program, too.
grep -q 'It is freed by operator delete at origins.cu:' conditions || fail "no condition names operator delete"
! grep -E '_Zd|new_allocator' conditions || fail "a free is reported as the C++ library's"
