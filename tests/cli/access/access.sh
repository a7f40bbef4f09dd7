# SPDX-License-Identifier: Apache-2.0
# access: of a trace of shapes made by hand (tests/unit/trace/trace_access.h), whose figures follow
# from what each does, the same for any number of threads and bound of memory.
. "$CT_CLI/shared/ctpost.sh"
make_trace access
make_trace counts

ctpost access --json access.ctrace >out 2>err || fail "$(cat err)"
ctpost access --rows=6 access.ctrace >text 2>err || fail "$(cat err)"
golden text text

# site LINE COLUMN: requests, sectors, ideal ones, pattern, object
site() {
	jq -r --argjson line "$1" --argjson column "$2" '.accesses[] |
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
is 1020 9 1 4 4 unit stride, several objects
jq -e '[.accesses[] | select(.several_objects) | .line] == [1020]' out >log || fail "several objects"
is 1030 9 1 2 2 unit stride, left
is 1030 16 1 32 4 stride 8, right
for column in 9 16 23; do
	is 1040 $column 1 12 4 structures of 12 B, p12
done
is 1050 9 1 16 4 structures of 16 B, p16
is 1051 9 1 16 4 structures of 16 B, p16
jq -e '[.accesses[] | select(.class == "atomic") | [.line, .contention]] | sort == [[1060, 32], [1070, 8], [1080, 1]]' \
	out >log || fail "lanes at one address"
jq -e '[.other_accesses[] | [.line, .space, .conflict_degree, .wavefronts]] == [[1090, "shared", 32, 32], [1100, "shared", 1, 1]]' \
	out >log || fail "bank conflicts"
# Checks a request's pattern, how far apart its lanes are, how many sectors it takes.
jq -e '[.accesses[] | select(.line == 50 or .line == 1010 or .line == 1000) |
	[.line, (.patterns[] | .pattern, .requests), (.spread[] | .most_sectors, .requests), .least_stride_bytes, .most_stride_bytes, .least_row_lanes]] |
	sort == [[50, "strided", 2, 32, 2, 32, 32, null], [1000, "rows", 1, 4, 1, null, null, 16], [1010, "gather", 1, 32, 1, null, null, null]]' \
	out >log || fail "patterns: $(jq -c '.accesses[] | [.line, .patterns, .spread, .least_stride_bytes]' out)"
jq -e '.access_totals[0] | .requests == 61 and .sectors == 650 and .ideal_sectors == 262 and .atomics == 96 and .atomic_addresses == 32' \
	out >log || fail "totals: $(jq -c .access_totals out)"
jq -e '.hot_addresses[0] | .address == "0x7f0000600000" and .atomics == 32 + 8 + 1' out >log || fail "hot addresses"
# The working set of the last launch: of x, left, right, p12, p16 and the counters.
jq -e '.access_launches | length == 25 and .[24].unique_bytes == 248 + 64 + 184 + 384 + 256 + 128' out >log ||
	fail "working set: $(jq -c '.access_launches[24]' out)"

for how in --threads=1 --threads=2 --threads=8 '--threads=3 --memory=8M'; do
	# shellcheck disable=SC2086
	ctpost access --json $how access.ctrace >other 2>err || fail "$how: $(cat err)"
	cmp -s out other || fail "otherwise with $how"
done

ctpost access --json --kernels=every_eighth access.ctrace >out || fail "one kernel"
is 50 9 2 64 8 stride 8, x
[ "$(jq '.accesses | length' out)" = 1 ] || fail "kernels that were not chosen: $(jq -c .accesses out)"
ctpost findings access.ctrace >out || fail "findings"
# Two warps of a kernel save less than an SM would notice: advice of the table, and no finding.
! grep -q 'reads x with' out || fail "$(cat out)"
grep -q 'shapes.cu:50 reads x with stride 8: 87.5 % of 2.0 kB moved are not used' text || fail "$(cat text)"

status 1 ctpost access counts.ctrace
grep -q '^ctpost: counts.ctrace: no accesses; trace with ctrun --tier=full' err || fail "$(cat err)"

# The heat of objects is where their lines' sectors are; of x, whose rows lie at its beginning, in the first 64ths.
ctpost access --json access.ctrace >out || fail "heat"
jq -e '(.access_heat | map({key: .object, value: (.parts | map(.sectors) | add)}) | from_entries) as $heat |
	([.accesses[] | select(.has_object)] | group_by(.object) |
		map({key: .[0].object, value: (map(.sectors) | add)}) | from_entries) == $heat' out >log || fail "heat: $(jq -c .access_heat out)"

# The same as tables, which are there if asked for.
ctpost export --format=sqlite --tables=all,accesses,access_heat -o run.db access.ctrace || fail "tables"
sqlite3 run.db "select s.line, s.column, a.requests, a.sectors, a.ideal_sectors, a.pattern from accesses a
	join sites s using (unit, site) join kernels k using (symbol)" | sort >tables
jq -r '.accesses[] | [.line, .column, .requests, .sectors, .ideal_sectors, .pattern] | map(tostring) | join("|")' out |
	sort >sites
diff sites tables || fail "tables say otherwise"
[ "$(sqlite3 run.db 'select sum(sectors) from access_heat_parts')" = \
	"$(jq '[.access_heat[].parts[].sectors] | add' out)" ] || fail "heat as a table"
ctpost export --format=sqlite --tables=trace -o plain.db access.ctrace || fail "tables without"
[ "$(sqlite3 plain.db "select count(*) from sqlite_master where name = 'accesses'")" = 0 ] ||
	fail "accesses that were not asked for"

# Distances of reuse: a kernel's 8 sectors, read once each; what the whole trace needs at least.
ctpost access --json --reuse --kernels='^unit$' access.ctrace >out || fail "reuse"
jq -e '[.reuse_curves[] | select(.object == null)] |
	map([.line_bytes, .sampled, .references, .cold, .compulsory, (.transfers[0] | .lines, .cold_transfers, .warm_transfers)]) ==
	[[32, 1, 8, 8, 8, 1, 8, 8], [64, 1, 4, 4, 4, 1, 4, 4], [128, 1, 2, 2, 2, 1, 2, 2]]' out >log ||
	fail "reuse: $(jq -c .reuse_curves out)"
ctpost access --reuse access.ctrace >one || fail "reuse in words"
ctpost access --reuse --threads=3 access.ctrace >three || fail "reuse by three threads"
cmp -s one three || fail "reuse is otherwise with three threads"
grep -q '^Reuse of lines' one || fail "no table of reuse"

# Every format has the same; a query answers which line wastes most.
for format in csv sqlite hdf5 json; do
	status 0 ctpost access --format=$format -o access.$format access.ctrace
done
jq '.trace = ""' access.json >one
ctpost access --json access.ctrace | jq '.trace = ""' | cmp - one || fail "JSON in a file is otherwise"
[ "$(sqlite3 access.sqlite "select line, excess_sectors from accesses order by excess_sectors desc limit 1")" = "150|62" ] ||
	fail "the database: $(sqlite3 access.sqlite 'select line, excess_sectors from accesses')"
[ "$(sqlite3 access.sqlite "select p.pattern, p.requests from access_patterns p join accesses using (number) where line = 1010")" = "gather|1" ] ||
	fail "patterns in the database"
[ "$(sqlite3 access.sqlite "select count(*) from findings where worth > 1000 and worth_unit = 'bytes'")" = 5 ] || fail "findings in the database"
[ "$(wc -l <access.csv/access_launches.csv)" = 26 ] && [ -s access.csv/finding_lines.csv ] || fail "tables as CSV"
h5dump -d /accesses/excess_sectors access.hdf5 >log && grep -q ' 62, 56' log || fail "HDF5: $(cat log)"
for wrong in '--format=csv' '--format=sqlite' '--json --format=csv -o x' '-o x' '--format=xml'; do
	# shellcheck disable=SC2086
	status 2 ctpost access $wrong access.ctrace
done
status 1 ctpost access --format=json -o nowhere/x.json access.ctrace
grep -q nowhere err || fail "$(cat err)"
