# SPDX-License-Identifier: Apache-2.0
# access: of a trace of shapes made by hand (tests/unit/trace/trace_access.h), whose figures follow
# from what each does, the same for any number of threads and bound of memory.
. "$CT_CLI/shared/ctpost.sh"
make_trace access
make_trace counts

ctpost access --json access.ctrace >out 2>err || fail "$(cat err)"
golden json out
ctpost access --rows=6 access.ctrace >text 2>err || fail "$(cat err)"
golden text text

# site LINE COLUMN: requests, sectors, ideal ones, pattern, object
site() {
	jq -r --argjson line "$1" --argjson column "$2" '.sites[] |
		select(.line == $line and .column == $column) |
		"\(.requests) \(.sectors) \(.ideal_sectors) \(.pattern), \(.object)"' out
}

# is LINE COLUMN REQUESTS SECTORS IDEAL PATTERN, OBJECT
is() {
	line=$1 column=$2
	shift 2
	[ "$(site "$line" "$column")" = "$*" ] || fail "line $line: $(site "$line" "$column"), not $*"
}
# Shapes, by two warps each.
is 10 9 2 8 8 unit stride, x
is 20 9 2 10 8 misaligned by 4 B, x
is 30 9 2 10 8 misaligned by 16 B, x
is 40 9 2 16 8 stride 2, x
is 50 9 2 64 8 stride 8, x
is 60 9 2 64 8 stride 33, x
is 70 9 2 8 8 unit stride, x
is 80 9 2 10 8 misaligned by 4 B, x
is 90 9 2 64 8 stride -8, x
is 100 9 2 16 16 unit stride, x
is 110 9 2 32 32 unit stride, x
is 120 9 2 64 32 stride 2, x
is 130 9 2 24 24 unit stride, x
is 140 9 2 2 2 unit stride, x
is 150 9 2 64 2 stride 32, x
is 160 9 2 4 4 unit stride, x
is 170 9 2 2 2 broadcast, x
is 180 9 2 4 2 broadcast, x
is 190 9 2 2 2 one lane, x
is 200 9 2 4 2 gather, 2.0 sectors each, x
is 210 9 2 8 4 unit stride, x
is 220 9 2 4 4 unit stride, x
is 230 9 2 8 8 unit stride, x
is 240 9 2 10 10 stride 4 B, x
# By one warp.
is 1000 9 1 4 4 rows of 16 lanes, x
is 1010 9 1 32 4 gather, 32.0 sectors each, x
# Two objects in one request have no stride together; two accesses of a line stand apart.
is 1020 9 1 4 4 unit stride, null
jq -e '[.sites[] | select(.several_objects) | .line] == [1020]' out >log || fail "several objects"
is 1030 9 1 2 2 unit stride, left
is 1030 16 1 32 4 stride 8, right
for column in 9 16 23; do
	is 1040 $column 1 12 4 structures of 12 B, p12
done
is 1050 9 1 16 4 structures of 16 B, p16
is 1051 9 1 16 4 structures of 16 B, p16
jq -e '[.sites[] | select(.class == "atomic") | [.line, .contention]] | sort == [[1060, 32], [1070, 8], [1080, 1]]' \
	out >log || fail "lanes at one address"
jq -e '[.sites[] | select(.space == "shared") | [.line, .conflict_degree, .sectors]] | sort == [[1090, 32, 0], [1100, 1, 0]]' \
	out >log || fail "bank conflicts"
jq -e '.hot_addresses[0] | .address == "0x7f0000600000" and .atomics == 32 + 8 + 1' out >log || fail "hot addresses"
# The working set of the last launch: of x, left, right, p12, p16 and the counters.
jq -e '.launches | length == 25 and .[24].unique_bytes == 248 + 64 + 184 + 384 + 256 + 128' out >log ||
	fail "working set: $(jq -c '.launches[24]' out)"

for how in --threads=1 --threads=2 --threads=8 '--threads=3 --memory=8M'; do
	# shellcheck disable=SC2086
	ctpost access --json $how access.ctrace >other 2>err || fail "$how: $(cat err)"
	cmp -s out other || fail "otherwise with $how"
done

ctpost access --json --kernels=every_eighth access.ctrace >out || fail "one kernel"
is 50 9 2 64 8 stride 8, x
[ "$(jq '.sites | length' out)" = 1 ] || fail "kernels that were not chosen: $(jq -c .sites out)"
ctpost findings access.ctrace >out || fail "findings"
grep -q 'shapes.cu:50 reads x with stride 8: 87.5 % of 2.0 kB moved are not used' out || fail "$(cat out)"

status 1 ctpost access counts.ctrace
grep -q '^ctpost: counts.ctrace: no accesses; trace with ctrun --tier=full' err || fail "$(cat err)"

# The heat of objects is where their lines' sectors are; of x, whose rows lie at its beginning, in the first 64ths.
ctpost access --json access.ctrace >out || fail "heat"
jq -e '(.heat | map({key: .object, value: (.sectors_by_64th | add)}) | from_entries) as $heat |
	([.sites[] | select(.space == "global" and .object != null)] | group_by(.object) |
		map({key: .[0].object, value: (map(.sectors) | add)}) | from_entries) == $heat' out >log || fail "heat: $(jq -c .heat out)"

# The same as tables, which are there if asked for.
ctpost export --format=sqlite --tables=all,accesses,object_heat -o run.db access.ctrace || fail "tables"
sqlite3 run.db "select s.line, s.column, a.requests, a.sectors, a.ideal_sectors, a.pattern from accesses a
	join sites s on s.unit = a.unit and s.site = a.site join kernels k on k.kernel = a.kernel" | sort >tables
jq -r '.sites[] | [.line, .column, .requests, .sectors, .ideal_sectors, .pattern] | map(tostring) | join("|")' out |
	sort >sites
diff sites tables || fail "tables say otherwise"
[ "$(sqlite3 run.db 'select sum(sectors) from object_heat')" = \
	"$(jq '[.heat[].sectors_by_64th | add] | add' out)" ] || fail "heat as a table"
ctpost export --format=sqlite -o plain.db access.ctrace || fail "tables without"
[ "$(sqlite3 plain.db "select count(*) from sqlite_master where name = 'accesses'")" = 0 ] ||
	fail "accesses that were not asked for"

# Distances of reuse: a kernel's 8 sectors, read once each; what the whole trace needs at least.
ctpost access --json --reuse --kernels='^unit$' access.ctrace >out || fail "reuse"
jq -e '.reuse.sampled == [1, 1, 1] and ([.reuse.curves[] | select(.object == null)] |
	map([.line_bytes, .references, .cold, .compulsory, .transfers[0]]) ==
	[[32, 8, 8, 8, [1, 8, 8]], [64, 4, 4, 4, [1, 4, 4]], [128, 2, 2, 2, [1, 2, 2]]])' out >log ||
	fail "reuse: $(jq -c .reuse out)"
ctpost access --reuse access.ctrace >one || fail "reuse in words"
ctpost access --reuse --threads=3 access.ctrace >three || fail "reuse by three threads"
cmp -s one three || fail "reuse is otherwise with three threads"
grep -q '^Reuse of lines' one || fail "no table of reuse"
