# SPDX-License-Identifier: Apache-2.0
# comm: the worked example of docs/communication.md, and every figure of a larger program.
. "$CT_CLI/shared/comm.sh"

# docs/communication.md, section 3
make_comm shift
ctpost comm shift.ctrace >out
golden shift out
figures shift.ctrace
is .schema '"cudatrace-comm-2"'
is .volume.load_bytes 512
is .volume.store_bytes 1024
is .volume.communicated_bytes 512
is .volume.fraction 0.5
is .volume.exchanged_store_bytes 512
is .volume.communicated_load_bytes 512
is '[.volume.transfers, .volume.transferred_bytes, .volume.self_transfers]' '[4,512,0]'
is '[.transfer_size_cdf[] | [.bytes, .cumulative]]' '[[128,1]]'
is .degree.in.histogram '{"1":4}'
is .degree.out.histogram '{"1":4}'
is .bisection '{"x":{"bytes":256,"relative":0.5},"y":{"bytes":0,"relative":0},"z":{"bytes":0,"relative":0}}'
is .strides.load '{"4":124}'
is .strides.store '{"4":124}'
is .density.cells '[[0,3,1,128],[1,0,1,128],[2,1,1,128],[3,2,1,128]]'
is .superstep_distance '{"0":512}'
is '[.supersteps[] | [.launch, .load_bytes, .store_bytes, .communicated_load_bytes, .communicated_store_bytes, .out_degree_mean, .out_degree_sd, .in_degree_mean, .in_degree_sd]]' \
	'[[1,0,512,0,512,1,0,0,0],[2,512,512,512,0,0,0,1,0]]'
is .host.to_host_bytes 512
is '[.kernel_pairs[] | [.source, .target, .transfers, .bytes, .partners, .pattern]]' \
	'[["put(int*)","take(int*, int const*)",4,512,4,"point-to-point"]]'
is '[.lines[] | [.source.line, .target.line, .bytes]]' '[[3,7,512]]'
is '[.objects[] | [.name, .transferred_bytes]]' '[["a",512],["b",0]]'

# Eight CTAs; a pass loads 22 parts of 128 B (8 * 3 less the ends' 2) and stores 8.
#   launch 1 fill, 2 to 25 pass, 26 not traced, 27 one CTA reads all 8 parts and makes
#   two atomics of 32 lanes, 4 B each, 28 pass in a stream that nothing orders after launch 25
make_comm halo
ctpost comm halo.ctrace >out 2>err
golden halo out
one_line "1 of 28 launches were not traced"
COLUMNS=72 ctpost comm --by=kernel halo.ctrace >out 2>err
golden narrow out
figures halo.ctrace
is .volume.load_bytes $((25 * 22 * 128 + 1024 + 2 * 128))
is .volume.store_bytes $((26 * 1024 + 2 * 128))
is .volume.communicated_bytes $((25 * 1024))
near .volume.fraction "25600 / 26880"
# All of it crosses to a neighbour or to another kernel.
is .volume.exchanged_store_bytes 25600
is .volume.communicated_load_bytes $((24 * 22 * 128 + 1024))
is '[.volume.transfers, .volume.self_transfers]' "[$((24 * 22 + 8)),$((24 * 8 + 1))]"
is .volume.transferred_bytes $((536 * 128))
# CTA 0 receives from all others at last; the ends have one neighbour.
is .degree.in.histogram '{"1":1,"2":6,"7":1}'
is .degree.out.histogram '{"1":1,"2":2,"3":5}'
# 3 to 4 and 4 to 3 in each pass; 4 to 7 to the one CTA of launch 27
is .bisection.x.bytes $((24 * 2 * 128 + 4 * 128))
near .bisection.x.relative "6656 / ((536 - 193) * 128)"
is .superstep_distance "{\"0\":$((24 * 22 * 128)),\"1\":1024}"
is .strides.load "{\"4\":$((24 * (6 * 95 + 2 * 63) + 255))}"
is .strides.store "{\"4\":$((25 * 8 * 31))}"
is '[.host.from_host_bytes, .host.to_host_bytes]' '[4,4]'
is .unordered.bytes $((22 * 128))
is '.sampling | [.launches, .traced_launches]' '[28,27]'
near '.supersteps[0].out_degree_mean' 1.75
near '.supersteps[0].out_degree_sd' '(0.1875 | sqrt)'
near '.supersteps[24].out_degree_mean' 0.875
near '.supersteps[24].out_degree_sd' '(0.875 * 0.125 | sqrt)'
# fill reads nothing; the last pass reads the neighbours' parts, launch 27 those of 7 others.
is '.supersteps[0] | [.in_degree_mean, .in_degree_sd]' '[0,0]'
near '.supersteps[24].in_degree_mean' 1.75
near '.supersteps[24].in_degree_sd' '(0.1875 | sqrt)'
is '.supersteps[25] | [.traced, .level, .load_bytes]' '[false,25,0]'
is '.kernel_pairs | length' 3
is '.kernel_pairs[] | select(.target == "total(int const*)") | [.pattern, .sources, .targets]' '["gather",7,1]'

# A CTA's messages to itself: one partner more for each, CTA 0 twice and once.
figures --self halo.ctrace
is .self true
is .degree.in.histogram '{"2":1,"3":6,"8":1}'
near .bisection.x.relative "6656 / (536 * 128)"

# Without what a CTA sends itself: 14 of the 22 parts that a pass loads are another CTA's, and 7 of
# the 8 that the last one does. All that is stored is read by a neighbour, too, but for the part of
# CTA 0 of launch 25. The same of the map's diagonal.
figures --exchanged halo.ctrace
is '[.exchanged, .self]' '[true,false]'
is '.volume | [.load_bytes, .store_bytes]' "[$((25 * 22 * 128 + 1024 + 2 * 128)),$((26 * 1024 + 2 * 128))]"
is '.volume | [.communicated_load_bytes, .communicated_bytes]' "[$(((24 * 14 + 7) * 128)),$((25 * 1024 - 128))]"
near .volume.fraction "25472 / 26880"
is '.volume | [.transfers, .transferred_bytes]' "[$((24 * 14 + 7)),$(((24 * 14 + 7) * 128))]"
is '.volume | [.self_transfers, .self_bytes]' "[193,$((193 * 128))]"
is '[.transfer_size_cdf[] | [.bytes, .cumulative, .transfers]]' '[[128,1,343]]'
is .superstep_distance "{\"0\":$((24 * 14 * 128)),\"1\":896}"
is .bisection.x.bytes 6656
is '[.density.cells[] | select(.[0] == .[1])]' '[]'
is '[.density.cells[] | .[3]] | add' 43904
is '.supersteps[24] | [.communicated_load_bytes, .communicated_store_bytes, .received_bytes, .sent_bytes]' \
	'[1792,896,1792,896]'
is '[.kernels[] | [.communicated_load_bytes, .communicated_store_bytes]]' '[[0,1024],[43008,24448],[896,0]]'
is '[.kernel_pairs[] | .bytes]' '[41216,1792,896]'
is '[.objects[] | [.transferred_bytes, .communicated_load_bytes, .communicated_store_bytes]]' \
	'[[22400,22400,13184],[21504,21504,12288],[0,0,0]]'
is '[.lines[] | [.bytes, .loaded_bytes]]' '[[41216,41216],[1792,1792],[896,896]]'
is '.ctas[0] | [.received_bytes, .sent_bytes]' "[$(((24 + 7) * 128)),$((24 * 128))]"
figures --exchanged --transfers halo.ctrace
is '[.transfers[] | select(.source_cta == .target_cta)] | length' 0
is '.transfers | length' 343
ctpost comm --exchanged halo.ctrace >out 2>err
grep -q '^exchanged      25.5 kB of 26.9 kB stored .*another thread block in a later launch (94.8 %)$' out || fail "exchanged: stores"
grep -q '^transfers      343, 43.9 kB; left out: 193, 24.7 kB, from a thread block to itself$' out || fail "exchanged: transfers"
grep -q '^128 B        343  100.0 %' out || fail "exchanged: sizes"

# Filters: both ends must pass, and what does not pass overwrites.
figures --kernels='^pass' halo.ctrace
is .volume.store_bytes $((25 * 1024))
is .volume.transfers $((23 * 22))
figures --kernels=total halo.ctrace
is '[.volume.transfers, .volume.load_bytes]' '[0,1280]'
figures --launches=24-27 halo.ctrace
is '[.supersteps[].launch]' '[24,25,26,27]'
is .volume.transfers 30
figures --stream=7 halo.ctrace
is '[.volume.load_bytes, .volume.transfers]' '[2816,0]'
figures --object=b halo.ctrace
is .volume.transferred_bytes $((12 * 22 * 128))
figures --object=halo.cu:41 halo.ctrace
is '[.objects[].name]' '["b"]'

# Strides are within an array: 31 in each of three that each of four CTAs reads. CTA 0 reads the
# end of one array and the beginning of the one that lies behind it.
make_comm arrays
figures arrays.ctrace
is .strides.load '{"4":372}'
is '.strides.spreads[0] | [.class, .times, .percentile_5, .median, .percentile_95, .most, .mean]' '["load",372,4,4,4,4,4]'
is .strides.store '{"4":372}'
is '[.findings[] | select(.section == "strides")]' '[]'
is '[.ctas[] | .load_stride_max]' '[4,4,4,4]'

# Every CTA reads all 512 B. On two devices each lacks the other's 256 B, which its two CTAs share;
# on four each lacks 384 B. Pairs of CTAs on different devices are 8 and 12.
make_comm all
figures --scale=2-4 all.ctrace
is '[.scaling[] | select(.placement != "graph") | select(.devices != 3) | [.devices, .placement, .crossing_bytes, .crossing_transfers]]' \
	'[[2,"block",512,8],[2,"cyclic",512,8],[4,"block",1536,12],[4,"cyclic",1536,12]]'
is '[.scaling[].is_upper_bound] | unique' '[false]'

# Tables of other formats say what JSON says; those that are asked for are among them.
sum=$(jq '[.kernel_pairs[].bytes] | add' json)
ctpost comm --format=sqlite -o all.db all.ctrace
[ "$(sqlite3 all.db 'select sum(bytes) from kernel_pairs')" = "$sum" ] || fail "sqlite: not $sum bytes"
ctpost comm --format=csv --transfers --by=cta --scale=2 --address=0x7f0000000000 -o all.csv all.ctrace
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bytes") c = i; next } { s += $c } END { print s }' all.csv/transfers.csv)" = "$sum" ] ||
	fail "csv: not $sum bytes"
for table in address_history cta_volumes scaling scaling_supersteps; do
	[ "$(wc -l <all.csv/$table.csv)" -gt 1 ] || fail "no $table"
done
ctpost comm --format=hdf5 -o all.hdf5 all.ctrace
h5dump -d /kernel_pairs/bytes all.hdf5 | grep -q " $sum$" || fail "hdf5: not $sum bytes"

# Two processes use the same addresses and communicate nothing.
make_comm parts
figures parts.ctrace
one_line "several processes"
is .volume.transfers 8
is '[.supersteps[] | [.part, .launch, .communicated_load_bytes]]' '[[0,1,0],[0,2,512],[1,1,0],[1,2,512]]'
