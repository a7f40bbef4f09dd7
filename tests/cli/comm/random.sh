# SPDX-License-Identifier: Apache-2.0
# comm: on random traces, the tables of each analysis add up to the same volumes, and
# histories report the same transfers as the map of transfers.
. "$CT_CLI/shared/comm.sh"

cat >sums.jq <<'END'
def total(f): map(f) | add // 0;
def volumes: [total(.load_bytes), total(.store_bytes), total(.communicated_load_bytes), total(.communicated_store_bytes)];
.volume as $v
| [$v.load_bytes, $v.store_bytes, $v.communicated_load_bytes, $v.communicated_store_bytes] as $volumes
| [$v.transfers, $v.transferred_bytes] as $moved
| {
	supersteps: ((.supersteps | volumes) == $volumes),
	kernels: ((.kernels | volumes) == $volumes),
	objects: ((.objects | volumes) == $volumes),
	cta_volumes: (if .cta_volumes then (.cta_volumes | volumes) == $volumes else true end),
	sm_volumes: (if .sm_volumes then (.sm_volumes | volumes) == $volumes else true end),
	transfers: (if .transfers then (.transfers | [length, total(.bytes)]) == $moved else true end),
	density: ((.density.cells | [total(.[2]), total(.[3])]) == $moved),
	sizes: ((.transfer_size_cdf | [total(.transfers), total(.transfers * .bytes)]) == $moved),
	kernel_pairs: ((.kernel_pairs | [total(.transfers), total(.bytes), total(.self_bytes)])
		== [$v.transfers - $v.self_transfers, $v.transferred_bytes, $v.self_bytes]),
	bytes: ([(.superstep_distance | [.[]] | add // 0),
		(.lines | total(.bytes)),
		(.objects | total(.transferred_bytes)),
		(.ctas | total(.received_bytes)), (.ctas | total(.sent_bytes)),
		(.supersteps | total(.received_bytes)), (.supersteps | total(.sent_bytes))]
		| map(. == $v.transferred_bytes) | all),
	degrees: ((.ctas | length) as $ctas | [.degree.in.histogram, .degree.out.histogram]
		| map([.[]] | add == $ctas) | all),
}
| to_entries | map(select(.value | not) | .key) | join(" ")
END

# A read from one CTA is in the map of transfers.
cat >history.jq <<'END'
(.transfers | map("\(.source_superstep) \(.source_cta) \(.target_superstep) \(.target_cta)")) as $map
| (.history | map(select(.reads and .launch and .origin == "cta" and .writing_ctas == 1)
	| "\(.source_superstep) \(.source_cta) \(.superstep) \(.cta)") | unique) as $reported
| "\($reported | length) \($reported - $map | length)"
END

seed=0 reported=0
while [ $seed -lt 6 ]; do
	seed=$((seed + 1))
	"$CT_BIN/comm-random-trace" random.ctrace $seed 30 || fail "no trace $seed"
	figures --transfers --by=cta random.ctrace
	wrong=$(jq -r -f sums.jq json)
	[ -z "$wrong" ] || fail "seed $seed: $wrong"
	figures --by=sm --self random.ctrace
	wrong=$(jq -r -f sums.jq json)
	[ -z "$wrong" ] || fail "seed $seed, --by=sm --self: $wrong"
	ctpost info --json random.ctrace | jq -r '.objects[] | "\(.address) \(.bytes)"' | head -3 >objects
	while read -r address bytes; do
		end=$((address + (bytes < 65536 ? bytes : 65536) - 1))
		figures --transfers --address="$address-$end" random.ctrace
		set -- $(jq -r -f history.jq json)
		[ "$2" = 0 ] || fail "seed $seed: $2 transfers that only the history of $address knows"
		reported=$((reported + $1))
	done <objects
done
[ $reported -gt 100 ] || fail "only $reported transfers in all histories"

# Figures do not go by who has read what: in these, elements lie across the end of a page.
for seed in 28 108; do
	"$CT_BIN/comm-random-trace" random.ctrace $seed 60 || fail "no trace $seed"
	ctpost comm --json --threads=1 random.ctrace >one 2>err
	for threads in 3 8; do
		ctpost comm --json --threads=$threads random.ctrace >json 2>err
		cmp -s one json || fail "seed $seed: $threads threads count otherwise than one"
	done
done
