# SPDX-License-Identifier: Apache-2.0
# export --format=sqlite: questions with known answers.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/export/lib.sh"

# answer FILE SQL EXPECTED
answer() {
	got=$(sqlite3 "$1" "$2")
	[ "$got" = "$3" ] || fail "$1: $2: '$got' instead of '$3'"
}

sound() {
	answer "$1" "PRAGMA foreign_key_check" ""
	answer "$1" "PRAGMA integrity_check" ok
	answer "$1" "PRAGMA user_version" 2
}

# Four CTAs of put store 128 bytes each; CTA c of take loads what CTA c + 1 stored.
make_comm_trace shift
status 0 ctpost export --format=sqlite --history=all -o shift.db shift.ctrace
sound shift.db
answer shift.db "SELECT value FROM meta WHERE key = 'program'" shift
answer shift.db "SELECT * FROM kdv" "put(int*)|0|0|512
take(int*, int const*)|1|512|512"
answer shift.db "SELECT * FROM kcv" "put(int*)|0|0|512
take(int*, int const*)|1|512|0"
answer shift.db "SELECT cta, load, store FROM cdv WHERE superstep = 1" "0|128|128
1|128|128
2|128|128
3|128|128"
answer shift.db "SELECT cta, load, store FROM ccv WHERE superstep = 0 AND cta > 1" "2|0|128
3|0|128"
answer shift.db "SELECT superstep, sm, load, store FROM sdv" "0|0|0|256
0|1|0|256
1|0|256|256
1|1|256|256"
answer shift.db "SELECT superstep, sm, load, store FROM scv" "0|0|0|256
0|1|0|256
1|0|256|0
1|1|256|0"
answer shift.db "SELECT * FROM transfer_map ORDER BY recv_cta" \
	"put(int*)|1|0|take(int*, int const*)|0|1|128|32
put(int*)|2|0|take(int*, int const*)|1|1|128|32
put(int*)|3|0|take(int*, int const*)|2|1|128|32
put(int*)|0|0|take(int*, int const*)|3|1|128|32"
answer shift.db "SELECT communicated_store_bytes FROM comm_totals" 512
answer shift.db "SELECT * FROM transfer_sizes" "128|4|1.0"
answer shift.db "SELECT * FROM distances" "0|512"
answer shift.db "SELECT * FROM degrees" "in|1|4
out|1|4"
answer shift.db "SELECT * FROM bisection" "x|256|0.5
y|0|0.0
z|0|0.0"
answer shift.db "SELECT * FROM strides" "load|4|124
store|4|124"
answer shift.db "SELECT pattern, bytes, sources, targets, partners FROM kernel_pairs" "point-to-point|512|4|4|4"
answer shift.db "SELECT s.file, s.line, t.line, p.bytes FROM line_pairs p
	JOIN sites s ON s.unit = source_unit AND s.site = source_site
	JOIN sites t ON t.unit = target_unit AND t.site = target_site" "shift.cu|3|7|512"
answer shift.db "SELECT o.name, o.line, f.transferred_bytes FROM object_flows f
	JOIN objects o USING (part, object_number) ORDER BY flow" "a|40|512
b|41|0"
# The copy at the end reads what take stored.
answer shift.db "SELECT kind, transfer, launch FROM supersteps WHERE superstep = 2" "copy|1|"
answer shift.db "SELECT to_host_bytes FROM supersteps WHERE superstep = 2" 512
answer shift.db "SELECT bytes, call_name, is_waited FROM transfers_host" "512|cudaMemcpy|1"
# Byte 0x80 of a: stored by CTA 1 of put, loaded by CTA 0 of take.
answer shift.db "SELECT superstep, cta, operation, size, accesses, stride FROM history
	WHERE address <= 0x7f0000000080 AND end_address > 0x7f0000000080 ORDER BY superstep" "0|1|store|4|32|4
1|0|load|4|32|4"
answer shift.db "SELECT sum(size * accesses) FROM history" 1536
# Joins by superstep, and rows by address, are found without a scan.
answer shift.db "EXPLAIN QUERY PLAN SELECT * FROM transfers WHERE target_superstep = 1" \
	"QUERY PLAN
\`--SEARCH transfers USING INDEX transfers_target_superstep (target_superstep=?)"

# Times are since the first event.
make_trace base
status 0 ctpost export --format=sqlite --tables=trace -o base.db base.ctrace
sound base.db
answer base.db "SELECT value FROM meta WHERE key = 'start_ns'" 1750000000000000000
answer base.db "SELECT launch, called_ns, done_ns, is_traced, reason FROM launches WHERE launch > 2" \
	"3|3000|3500|0|kernel not selected
4|4000|4500|1|"
answer base.db "SELECT launch, class, warps, threads, bytes FROM launch_counts WHERE launch IN (1, 4) ORDER BY launch, class" \
	"1|load|4|128|512
1|store|4|64|1024
4|atomic|8|136|544
4|load|4|20|160"
answer base.db "SELECT s.line, c.threads FROM site_counts c JOIN sites s USING (unit, site) ORDER BY s.site" "33|256
34|128
52|128
53|20
54|8"
answer base.db "SELECT inlined FROM sites WHERE line = 52" \
	"count src/bfs.cu:52:9 > atomicAdd /opt/cuda/include/atomics.hpp:112:0 > /usr/lib/clang/functions.h:547:9"
answer base.db "SELECT name FROM sqlite_master WHERE type = 'view'" launch_list

# A part of the addresses.
status 0 ctpost export --format=sqlite --tables=trace --history=0x7f0000000100-0x7f0000000103 -o one.db shift.ctrace
sound one.db
answer one.db "SELECT superstep, cta, address - 0x7f0000000000, accesses FROM history" "0|2|256|1
1|1|256|1"

# The filter.
status 0 ctpost export --format=sqlite --launches=1 -o first.db shift.ctrace
sound first.db
answer first.db "SELECT count(*) FROM transfers" 0
answer first.db "SELECT group_concat(passes) FROM supersteps WHERE launch" "1,0"
answer first.db "SELECT count(*) FROM launches" 2
answer first.db "SELECT value FROM meta WHERE key = 'option launches'" 1

# Two processes with the same launches, and memory of their own.
make_comm_trace parts
status 0 ctpost export --format=sqlite -o parts.db parts.ctrace
sound parts.db
answer parts.db "SELECT part, count(*) FROM launches GROUP BY part" "0|2
1|2"
answer parts.db "SELECT count(*), count(DISTINCT source_superstep) FROM transfers" "8|2"

# Several streams, and what a launch that was not traced leaves out.
make_comm_trace halo
status 0 ctpost export --format=sqlite --history=all -o halo.db halo.ctrace
sound halo.db
answer halo.db "SELECT sum(bytes) = (SELECT transferred_bytes FROM comm_totals) FROM transfers" 1
answer halo.db "SELECT sum(load_bytes) = (SELECT load_bytes FROM comm_totals) FROM cta_volumes" 1
answer halo.db "SELECT count(*) FROM (SELECT superstep, sum(load) l, sum(store) s FROM cdv GROUP BY superstep)
	JOIN supersteps USING (superstep) WHERE l <> load_bytes OR s <> store_bytes" 0
answer halo.db "SELECT count(*) FROM launches WHERE NOT is_traced" 1

# Tables that may be too large are left out, unless they are asked for.
make_comm_trace wide
status 0 ctpost export --format=sqlite -o wide.db wide.ctrace
one_line "table cta_volumes would have up to 12000000 rows and is left out; --tables=all,cta_volumes writes it"
sound wide.db
answer wide.db "SELECT value FROM meta WHERE key = 'left_out'" cta_volumes
answer wide.db "SELECT group_concat(name) FROM sqlite_master WHERE name IN ('cdv', 'cta_volumes', 'sdv')" sdv
status 0 ctpost export --format=sqlite --tables=all,cta_volumes -o wide.db wide.ctrace
[ ! -s err ] || fail "complains: $(cat err)"
answer wide.db "SELECT count(*), sum(store_bytes) FROM cta_volumes" "800|102400"

# Where nothing has addresses, the tables that need none; of tier values those of values, too.
make_trace summaries
status 0 ctpost export --format=sqlite -o tier.db summaries.ctrace
! grep -q 'missing here' err || fail "$(cat err)"
answer tier.db "SELECT line, accesses FROM value_summaries ORDER BY number" "14|96
4|32"
answer tier.db "SELECT count(*) FROM sqlite_master WHERE name = 'transfers'" 0
make_trace counts
status 0 ctpost export --format=sqlite -o counts.db counts.ctrace
answer counts.db "SELECT count(*) FROM sqlite_master WHERE name IN ('transfers', 'value_lines')" 0

# One file answers what people ask first: the least efficient line, the wait that costs most, the
# findings that are worth more than so much time.
for trace in access api ffm; do
	make_trace $trace
	status 0 ctpost export --format=sqlite -o $trace.db $trace.ctrace
	sound $trace.db
done
answer access.db "SELECT line, sectors, ideal_sectors, efficiency FROM accesses ORDER BY efficiency, excess_sectors DESC LIMIT 1" \
	"150|64|2|0.03125"
answer api.db "SELECT function, waited_for, waited_seconds FROM call_waits ORDER BY waited_seconds DESC LIMIT 1" \
	"cudaDeviceSynchronize|expand(int const*)|0.00019"
answer ffm.db "SELECT finding, round(1e6 * coalesce(estimate, worth)) FROM findings
	WHERE coalesce(estimate_unit, worth_unit) = 'seconds' AND coalesce(estimate, worth) > 50e-6 ORDER BY 2 DESC" \
	"unnecessary-synchronization|144.0
unnecessary-synchronization|66.0"
