# SPDX-License-Identifier: Apache-2.0
# ctrun --uses: for each wait the first access to what it protects, with host code that tells
# (--ct-host), with protected pages, and with both: function, line, bytes; the output is the same.
. "$CT_CLI/shared/driver.sh"
here=$(dirname "$0")
ctpost() {
	"$CT_BIN/ctpost" "$@"
}

# kind, bytes of the access, its offset in the memory, for each case; - for bytes that the means
# does not know. on_stack, and who comes late of many threads, are not seen in pages.
cat >expected <<'END'
late_read load 4 20
refill store 4 28
two_waits load 4 8
two_streams load 4 12
freed free 8192 0
by_event load 4 16
after_event load 4 24
pageable load 4 12
managed load 4 36
mapped_flag load 4 0
other_free load 4 32
on_stack load 4 -
copied_on copy 128 0
freed_source free 8192 0
in_rows load 1 575
written_out system 64 4
by_memcpy load - -
by_thread load 4 44
by_exception load 4 48
END

line_of() {
	awk -v mark="// $1\$" '$0 ~ mark { print FNR }' "$here/uses.cu"
}

# uses TRACE: for each use "function line kind means bytes offset line-of-the-wait reason", by the
# innermost frame of uses.cu or uses.h
uses() {
	ctpost export --format=json --tables=calls,stacks,frames,waits,uses -o tables "$1" 2>err || fail "$(cat err)"
	jq -r '
		(.frames | group_by(.stack) | map({key: (.[0].stack | tostring), value: .}) | from_entries) as $frames |
		(.stacks | map({key: (.stack | tostring), value: .caller_stack}) | from_entries) as $caller |
		def site: if . == null then null else
			([$frames[tostring][] | select((.file // "") | endswith("uses.cu"))][0]) //
			($caller[tostring] | site) end;
		(.calls | map(select(.id) | {key: (.id | tostring), value: (.stack | site)}) | from_entries) as $call |
		.uses[] | (.stack | site) as $at |
		"\($at.function // "-" | sub("\\(.*"; "")) \($at.line // "-") \(.kind) \(.means) " +
		"\(.access_bytes // "-") \(.object_offset // "-") \($call[.wait | tostring].line // "-") \(.reason // "")"' tables
	rm tables
}

# as_expected MEANS: the cases in got are as expected
as_expected() {
	while read -r name kind bytes offset; do
		case $1:$name in
		pages:on_stack)
			grep -q "^- - unknown pages - - .* it is on a stack" got || fail "$1: $name is known"
			continue
			;;
		pages:pageable)
			# The sanitizer's malloc has other memory on the same pages.
			if nm plain | grep -q __asan_init; then
				grep -q "^- - unknown pages - - .* its pages hold other memory" got || fail "$1: $name is known"
				continue
			fi
			;;
		esac
		line=$(line_of "use $name") wait=$(line_of "wait $name")
		awk -v line="$line" -v kind="$kind" -v bytes="$bytes" -v offset="$offset" -v wait="$wait" '
			$2 == line && $3 == kind && (bytes == "-" || $5 == bytes || kind == "free") &&
			(offset == "-" || $6 == offset) && (wait == "" || $7 == wait) { found++ }
			$2 == line && $3 !~ /free|again/ { all++ }
			END { exit !(found == 1 && (all <= 1)) }' got || {
			grep " $line " got >&2 || true
			cat got >&2
			fail "$1: $name: not one $kind of $bytes bytes at $offset, line $line, wait $wait"
		}
	done <expected
	grep -q "^- - none" got || fail "$1: what is never used is not reported"
	[ "$(grep -c ' replaced ' got)" = 1 ] || fail "$1: what is replaced is not reported"
	# The memory of each case but those that are expected to be freed is accessed before that.
	awk '$3 == "free"' got | grep -v " $(line_of "use freed") \| $(line_of "use freed_source") " >freed || true
	[ ! -s freed ] || fail "$1: freed without an access: $(cat freed)"
}

for level in 0 2 3; do
	options="--ct-target=cpu -O$level -g -fexceptions"
	"$cxx" $options "$here/uses.cu" -o plain 2>log || fail "-O$level: $(cat log)"
	"$cxx" $options --ct-host "$here/uses.cu" -o reported 2>log || fail "-O$level --ct-host: $(cat log)"
	./plain >output || fail "it does not run"
	for means in host auto pages; do
		program=./reported
		[ $means != pages ] || program=./plain
		"$ctrun" --uses=$means -o $means.ctrace $program >out 2>log || fail "-O$level $means: $(cat log)"
		diff output out >&2 || fail "-O$level $means: another output"
		uses $means.ctrace >got
		as_expected $means
	done
done
"$ctrun" -o off.ctrace ./reported >out 2>log || fail "off: $(cat log)"
diff output out >&2 || fail "off: another output"
ctpost dump --tables=use,wait off.ctrace >got
[ ! -s got ] || fail "--uses=off records uses"
