# SPDX-License-Identifier: Apache-2.0
# comm: one table in full, the density map, transfers, the history of addresses, devices.
. "$CT_CLI/shared/comm.sh"
make_comm shift
make_comm halo

for by in kernel object line cta sm superstep; do
	ctpost comm --by=$by halo.ctrace 2>err
done | grep -v -e '^halo.ctrace:' >out
golden by out
figures --by=sm halo.ctrace
# Half of the CTAs ran on each of two SMs.
is '[.sm_volumes[] | select(.launch == 1) | [.sm, .store_bytes, .communicated_store_bytes]]' '[[0,512,512],[1,512,512]]'
is '[.sm_volumes[] | select(.launch == 27) | [.sm, .load_bytes, .communicated_load_bytes, .store_bytes]]' '[[0,1280,1024,256]]'
figures --by=cta halo.ctrace
is '.cta_volumes | length' $((26 * 8 + 1))
is '.cta_volumes[] | select(.launch == 2 and .cta == 7) | [.kernel, .sm, .load_bytes, .store_bytes, .communicated_load_bytes, .communicated_store_bytes]' \
	'["pass(int*, int const*)",1,256,128,256,128]'

# The map of transfers
ctpost comm --transfers shift.ctrace >out
golden transfers out
figures --transfers halo.ctrace
is '.transfers | length' 536
is '[.transfers[] | .bytes] | add' $((536 * 128))
is '[.transfers[] | .loads] | unique' '[32]'
is '.transfers[0]' \
	'{"source_superstep":1,"source_cta":0,"target_superstep":2,"target_cta":0,"bytes":128,"loads":32,"source_launch":1,"source_kernel":"fill(int*)","target_launch":2,"target_kernel":"pass(int*, int const*)"}'
is '[.transfers[] | [.source_superstep, .source_cta, .target_superstep, .target_cta]] | . == sort' true

# The history of addresses
ctpost comm --address=0x7f000000007e-0x7f0000000081 shift.ctrace >out
golden address out
ctpost comm --address=0x7f0000200000 halo.ctrace >out 2>err
[ "$(wc -l <out)" = 69 ] || fail "a memset, two atomics of 32 lanes, a copy, their titles"
[ "$(grep -c ' own  ' out)" = 32 ] || fail "the second atomic reads what the first one wrote"
[ "$(grep -c " host .* cudaMemset " out)" = 32 ] || fail "the first reads what was there"
grep -q '^ *27  total.* atomic  *0x7f0000200000 .* host .* cudaMemset ' out || fail "from the host"
grep -q ' cudaMemcpy .* read  *0x7f0000200000 .* 1 B .* cta  *27  total  *0 ' out || fail "to the host"
figures --address=0x7f0000000000-0x7f0000000003 halo.ctrace
is '[.history[] | select(.launch == 28) | [.cta, .reads, .writes, .origin, .source_launch, .source_cta]]' \
	'[[0,true,false,"unordered",25,0],[1,true,false,"unordered",25,0]]'
is '[.history[] | select(.launch == 2) | [.cta, .warp, .lane, .sm, .address, .bytes, .line, .origin, .source_superstep, .writing_ctas]]' \
	'[[0,0,0,0,"0x7f0000000000",4,21,"cta",1,1],[1,0,0,1,"0x7f0000000000",4,21,"cta",1,1]]'
ctpost comm --address=0x10 shift.ctrace >out
grep -q "^nothing in the trace accesses these addresses" out || fail "an empty history"

# The density map: these CTAs alone, or joined in bins
ctpost comm --density=2-5 halo.ctrace 2>err | sed -n '/density/,$p' >out
ctpost comm --density=all --density-bins=3 halo.ctrace 2>err | sed -n '/density/,$p' >>out
golden density out
figures --density=6-7 halo.ctrace
is .density '{"first_cta":6,"last_cta":7,"ctas_per_bin":1,"bins":2,"cells":[[0,0,24,3072],[0,1,24,3072],[1,0,24,3072],[1,1,24,3072]]}'

# Devices: each half of a block placement sends 128 B to the other in a pass. With 1 kB/s
# and 1 s a pass costs 1.128 s; to launch 27, of one CTA, four send 512 B.
figures --scale=2 --bandwidth=1k --latency=1s halo.ctrace
is '[.scaling[] | [.devices, .placement]]' '[[2,"block"],[2,"cyclic"],[2,"graph"]]'
is '.scaling[0].crossing_bytes' 6656
near '.scaling[0].predicted_seconds' '24 * 1.128 + 1.512'
is '.scaling[0].superstep_bytes[2]' 256
is '[.scaling[] | select(.best)] | length' 1
is '.interconnect | [.bandwidth, .latency_seconds, .total_seconds]' '[1000,1,null]'
