# SPDX-License-Identifier: Apache-2.0
# model: what two kernels execute, load and miss is as counted by hand from model.cu; rankings; what
# cannot be modelled is said.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost

"$cxx" --ct-target=cpu --ct-events=block,barrier --ct-spaces=global,shared -O2 "$CT_CLI/model/model.cu" -o app 2>log ||
	fail "$(cat log)"
status 0 "$ctrun" -o run.ctrace -- ./app
"$ctpost" model --json --cold run.ctrace >out 2>err || fail "$(cat err)"

# The row of a kernel, and those of other tables that are of it.
whole='. as $all | .model_kernels[] | select(.kernel | startswith($kernel)) | .kernel as $name |
	def of(table): $all[table] | map(select(.kernel == $name)); . + {gpuperf: of("model_gpuperf")[0],
	instructions: (of("model_instructions") | map({(.instruction): .executed}) | add), simulation: of("model_simulations")[0],
	caches: of("model_caches")[0], changes: of("model_changes"), roofline: of("model_points"), nodes: of("model_nodes"),
	arcs: of("model_arcs"), ceilings: $all.model_ceilings} |'
# is KERNEL EXPRESSION: true of the kernel
is() {
	jq -e --arg kernel "$1" "$whole $2" out >log 2>&1 ||
		fail "$1: not $2: $(jq -c --arg kernel "$1" "$whole ." out)"
}
is sum '.launches == 2 and .ctas == 4 and .cta_threads == 64 and .active_lanes == 32'
# By 8 warps: 10 multiply-adds and loads, and a store.
is sum '.instructions | .fma32 == 80 and .load == 80 and .store == 8'
is sum '.flops == 2 * 10 * 256 and .gpuperf.transactions == 4'
# 10 * 256 + 256 elements are 352 sectors, each of which is accessed once; nothing is reused.
is sum '[(.roofline | map({(.memory_level): .bytes}) | add), (.caches | {requested: .requested_bytes, dram: .dram_bytes, compulsory: .compulsory_bytes})][] | .requested == 11264 and .dram == 11264 and .compulsory == 11264'
is sum '.caches | .l1_hits == 0 and .is_reliable'
# Two instructions of barriers; eight requests each of 32 sectors for loads and stores.
is column '.instructions | .barrier == 8 and .load == 16 and .store == 16'
is column '.gpuperf | .transactions == 32 and .mlp == 1 and .o_bank == 0'
is column '.caches | .requested_bytes == 2048 and .dram_bytes == 16384'
is column '[.changes[].change] | any(startswith("let neighbouring lanes"))'
# Only what is loaded again can be kept.
is sum '[.changes[].change] | any(startswith("keep what is used again")) | not'
is column '[.changes[].change] | any(startswith("keep what is used again")) | not'
is again '[.changes[].change] | any(startswith("keep what is used again"))'
jq -e '.model_machine[0] | .is_measured == false and .kernels_without_blocks == 0' out >log || fail "machine"

# The loop of sum: 10 times a warp, and one warp more enters it than leaves it; each node but the entry
# is reached as often as it runs.
is sum '[.nodes[] | select(.kind == "global") | .executions] | sort == [1, 10]'
is sum '. as $f | all(range(1; $f.nodes | length); . as $n |
	([$f.arcs[] | select(.to_node == $n and (.is_dependence | not)) | .executions] | add) as $in |
	($in - $f.nodes[$n].executions | fabs) < 1e-4)'
is sum 'any(.arcs[]; .is_dependence) and any(.nodes[]; .is_bottleneck and .kind == "global")'
is column '[.nodes[].kind] | map(select(. != "compute")) == ["entry", "global", "shared", "barrier", "shared", "global", "exit"]'

# One CTA of two is recorded: instructions are those of all, and so are bytes, for each CTA has its own.
cp out whole.json
status 0 "$ctrun" --sample-blocks=2 -o half.ctrace -- ./app
"$ctpost" model --json --cold half.ctrace >out 2>err || fail "$(cat err)"
is sum '.ctas == 4 and (.instructions | .fma32 == 80 and .load == 80 and .store == 8) and .flops == 2 * 10 * 256'
is sum '.caches | .requested_bytes == 11264 and .dram_bytes == 11264 and .compulsory_bytes == 11264'
cp whole.json out

# Its fields are documented.
docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
cp out model.json
tables_of model.json
in_all_formats model run.ctrace
"$ctpost" model --rank --json run.ctrace run.ctrace >ranking.json 2>err || fail "$(cat err)"
tables_of ranking.json

# The second launch finds this in the L2.
"$ctpost" model --json run.ctrace >out 2>err || fail "$(cat err)"
is sum '.caches.l2_hits == 1'
for how in --threads=1 --threads=4; do
	"$ctpost" model --json "$how" run.ctrace >other 2>err || fail "$how: $(cat err)"
	cmp -s out other || fail "otherwise with $how"
done

"$ctpost" model run.ctrace >text 2>err || fail "$(cat err)"
grep -q '^sum.*bound by' text || fail "$(cat text)"
grep -q 'not measured' text || fail "no word of defaults"
grep -q 'of this: waiting for memory' text && grep -q "instructions: of LLVM's IR" text || fail "$(cat text)"
"$ctpost" model --rank run.ctrace run.ctrace >text 2>err || fail "$(cat err)"
[ "$(grep -c '^run.ctrace ' text)" = 2 ] || fail "$(cat text)"

# Blocks that are counted on the device are as many as those that are recorded; accesses are not known.
status 0 "$ctrun" --tier=blocks -o blocks.ctrace -- ./app
"$ctpost" model --json blocks.ctrace >out 2>err || fail "$(cat err)"
is sum '.launches == 2 and .flops == 5120 and (.evidence | startswith("of computation alone"))'
counts='[[.model_kernels[] | [.kernel, .active_lanes, .work]], [.model_instructions[] | [.kernel, .instruction, .executed]] | sort]'
jq -c "$counts" out >counted
jq -c "$counts" model.json >recorded
cmp -s counted recorded || fail "counted: $(cat counted), recorded: $(cat recorded)"

# Registers that ptxas has put into local memory: of a kernel that is bounded to 32, not without bounds.
spill=$CT_CLI/../gpu/fixes/spill.cu
"$cxx" --ct-target=cpu --ct-events=block -O2 "$spill" -o spill 2>log || fail "$(cat log)"
status 0 "$ctrun" --launches=1 -o spill.ctrace -- ./spill 4 20
for fix in NONE BOUNDS; do
	"$cxx" --ct-target=gpu --cuda-gpu-arch=sm_90 -O2 "-DFIX_$fix" --cuda-device-only -c "$spill" -o $fix.cubin 2>log || fail "$(cat log)"
	status 0 "$ctpost" findings --json --cubin=$fix.cubin spill.ctrace
	jq -r '.findings[] | select(.finding == "spills") | "\(.kernels[0].kernel // .kernels[0]) \(.evidence)"' out >$fix
	cp out $fix.json
done
grep -q 'sums.*loads and .* stores of a warp that are not in the source, 32 registers' NONE || fail "no spills: $(cat NONE)"
[ ! -s BOUNDS ] || fail "spills without bounds: $(cat BOUNDS)"
# They cost at most their share of requests; half way there from what loads one behind the other take, each the 33 cycles of an
# H100's L1 at 1.755 GHz, beside what the simulation has.
status 0 "$ctpost" model --json --cubin=NONE.cubin spill.ctrace
jq -e --slurpfile found NONE.json '.model_kernels[0].running_seconds as $running |
	($found[0].findings[] | select(.finding == "spills")) as $spills | ($found[0].problems[] | select(.finding == "spills")) as $problem |
	($spills.evidence | capture("^(?<loads>[0-9]+) loads").loads | tonumber * 33 / 1.755e9) as $waited |
	(2 * $problem.worth_seconds - $problem.bound_seconds) / $problem.bound_seconds * $spills.figure * ($waited + $running) / $waited | . > 0.99 and . < 1.01' out >log ||
	fail "spills: $(jq -c '.problems[] | select(.finding == "spills")' NONE.json)"

# Registers and shared memory of the machine code: 64 floats of column; ptxas tells the same.
"$cxx" --ct-target=gpu --cuda-gpu-arch=sm_90 -O2 --cuda-device-only -Xcuda-ptxas -v -c "$CT_CLI/model/model.cu" -o kernels.cubin 2>reported ||
	fail "$(cat reported)"
"$ctpost" model --json --cubin=kernels.cubin run.ctrace >out 2>err || fail "$(cat err)"
for kernel in sum column again; do
	registers=$(sed -n "/function.* '_Z[0-9]*$kernel/,/Used/s/.*Used \([0-9]*\) registers.*/\1/p" reported)
	is $kernel ".registers == $registers and .registers_from == \"cubin\" and .machine_instructions > 5"
done
is column '.shared_bytes == 256'
# Times of instructions are of the machine code: of each kernel its loops and the whole.
is again '.loops == 2 and .machine_loops == 2 and .machine_share > 0.9'
is nest '.loops >= 3 and .machine_loops == .loops and .machine_share > 0.9'
is column '.machine_loops >= 1 and .machine_loops <= .loops'
is sum '.shared_bytes == 0'
"$ctpost" model --cubin=run.ctrace/part-0.json run.ctrace 2>err && fail "a cubin that is none"
grep -q 'no cubin\|No such file' err || fail "$(cat err)"

# The same as tables, and beside other findings.
"$ctpost" export --format=csv --tables=model_kernels,model_changes,model_points,model_ceilings -o tables run.ctrace 2>err || fail "$(cat err)"
"$ctpost" model --json run.ctrace >out 2>err || fail "$(cat err)"
jq -r '(.model_kernels | length), (.model_points | length)' out | tr '\n' ' ' >counts
[ "$(($(wc -l <tables/model_kernels.csv) - 1)) $(($(wc -l <tables/model_points.csv) - 1)) " = "$(cat counts)" ] ||
	fail "tables of $(wc -l tables/model_kernels.csv tables/model_points.csv), not $(cat counts)"
exported run
for table in model_kernels model_changes model_points model_ceilings model_instructions model_simulations model_caches \
	branches branch_kernels; do
	grep -qx $table seen || fail "no rows of the table $table"
done
"$ctpost" findings --json run.ctrace >reported 2>err || fail "$(cat err)"
jq -e --slurpfile model out '[.model_kernels[].predicted_seconds * 1e10 | round] | sort ==
	([$model[0].model_kernels[].predicted_seconds * 1e10 | round] | sort)' reported >log 2>&1 || fail "otherwise than among findings: $(jq -c .model_kernels reported)"

jq -e --slurpfile model out '[.model_changes | length] == [$model[0].model_changes | length]' \
	reported >log 2>&1 || fail "changes: $(jq -c .model_changes reported)"

# On several devices, with times of one.
status 0 "$ctrun" --calls=only -o times.ctrace -- ./app
printf '{"schema": "cudatrace-calibration-1", "device": "D", "compute_capability": "9.0", "machine": {"peer_both_bandwidth": 1e9, "peer_seconds": 3e-6}}' >machine.json
"$ctpost" comm --scale=2-4 --times=times.ctrace --machine=machine.json --json run.ctrace >out 2>err || fail "$(cat err)"
jq -e '.scaling_totals[0] as $one | [$one.bandwidth, $one.latency_seconds, $one.untimed_launches] == [1e9, 3e-6, 0] and $one.total_seconds > 0 and (.scaling | length == 9)
	and all(.scaling[]; .devices as $k | .kernels_seconds < $one.total_seconds and .efficiency <= 1
		and (.speedup - .efficiency * $k | fabs) < 1e-4 and .overlapped_seconds <= .total_seconds and .total_seconds <= .replicated_seconds)
	and ([.scaling[] | select(.is_best)] | length == 3)' out >log 2>&1 || fail "several devices: $(cat out)"
# Something crosses into two of exchange.cu's five launches. Calls of the host take seconds here,
# kernels do not: one device is asked five times for 2 s, two are three times for 2 and twice for
# 3. An older file knows launches alone.
"$cxx" --ct-target=cpu -O2 "$CT_CLI/model/exchange.cu" -o exchange 2>log || fail "$(cat log)"
status 0 "$ctrun" -o exchange.ctrace -- ./exchange
status 0 "$ctrun" --calls=only -o exchange-times.ctrace -- ./exchange
asked() {
	printf '{"schema": "cudatrace-calibration-1", "device": "D", "compute_capability": "9.0", "machine": {"peer_both_bandwidth": 1e9, "peer_seconds": 3e-6, "launch_seconds": 2%s}}' "$1" >machine.json
	"$ctpost" comm --scale=2 --times=exchange-times.ctrace --machine=machine.json --json exchange.ctrace >out 2>err || fail "$(cat err)"
	jq -e "(.scaling_totals[0] | .latency_seconds == $2 and .host_seconds == 10 and (.total_seconds - 10 | . >= 0 and . < 1))
		and ([.scaling[0].supersteps[] | .crossing_bytes | select(. > 0)] | length == 2)
		and (.scaling[0] | .host_seconds == $3 and (.total_seconds - $3 | . >= 0 and . < 1) and (.overlapped_seconds - $3 | . >= 0 and . < 1)
			and (.exchange_seconds - 2 * $2 | . > 0 and . < 1e-5))" out >log 2>&1 || fail "the host: $(jq -c '.scaling_totals, .scaling[0]' out)"
}
asked ', "peer_step_seconds": 2e-5, "peer_issue_seconds": 3' 2e-5 24
asked '' 3e-6 20
"$ctpost" comm --scale=2 --times=times.ctrace run.ctrace >text 2>err || fail "$(cat err)"
grep -q 'efficiency' text || fail "$(cat text)"
printf '{"schema": "cudatrace-calibration-1", "device": "D", "compute_capability": "9.0", "machine": {"clock_hz": 1e9}}' >machine.json
"$ctpost" comm --scale=2 --machine=machine.json --json run.ctrace >out 2>err || fail "$(cat err)"
grep -q 'links between devices are not measured' err || fail "$(cat err)"
jq -e '.scaling_totals[0] | [.bandwidth, .latency_seconds] == [450e9, 5e-6]' out >log || fail "links of one device: $(jq -c .scaling_totals out)"
"$ctpost" comm --scale=2 --times=run.ctrace run.ctrace 2>err && fail "times of a run that has none"
grep -q 'it has no times of these kernels' err || fail "$(cat err)"

# A machine of a file.
printf '{"schema": "cudatrace-calibration-1", "device": "D", "compute_capability": "9.0", "machine": {"clock_hz": 1e9, "sm_count": 2}}' >machine.json
"$ctpost" model --json --machine=machine.json run.ctrace >out 2>err || fail "$(cat err)"
jq -e '(.model_machine[0] | .name == "D" and .is_measured) and any(.model_parameters[]; .parameter == "sm_count" and .amount == 2)' out >log ||
	fail "$(jq .model_machine out)"
is sum '.gpuperf.active_sms == 2 and .gpuperf.sm_warps == 4'
printf '{"schema": "cudatrace-calibration-1", "machine": {}}' >machine.json
"$ctpost" model --json --kernel=sum --machine=machine.json run.ctrace >out 2>err || fail "$(cat err)"
jq -e '.model_machine[0] | .is_measured == false and (.origin | endswith("compute capability unknown"))' out >log || fail "$(jq .model_machine out)"

# Times by hand: 100 loads of one element, one behind the other, the first from memory; four CTAs,
# one at a time, of ten loads each.
printf '{"schema": "cudatrace-calibration-1", "device": "D", "compute_capability": "9.0", "machine": {"clock_hz": 1e9,
	"sm_count": 1, "ctas_per_sm": 1, "dram_latency": 10000, "l2_latency": 5000, "l1_latency": 2000, "kernel_seconds": 1e-3}}' >machine.json
"$ctpost" model --json --cold --machine=machine.json run.ctrace >out 2>err || fail "$(cat err)"
is again '.simulation.cycles | . >= 208000 and . < 215000'
is again '.bound == "its beginning and end" and .predicted_seconds > 0.001208'
is sum '.simulation | .cycles >= 400000 and .cycles < 410000 and .memory_share > 0.9 and .barrier_share == 0'
is column '.simulation.barrier_share > 0'
# One of two CTAs of the mean launch is simulated, and the SM has one after another.
cp out alone
is grown '.ctas == 2 and .simulation.ctas == 1 and (.simulation.cycles | . > 80000 and . < 82000)'
sed 's/"sm_count": 1/"sm_count": 2/' machine.json >two.json
"$ctpost" model --json --cold --machine=two.json run.ctrace >out 2>err || fail "$(cat err)"
is grown '.simulation.cycles | . > 40000 and . < 41000'
"$ctpost" model --cold --machine=two.json run.ctrace >text 2>err || fail "$(cat err)"
grep -q 'of 1 of 2 thread blocks' text || fail "$(cat text)"
cp alone out
# Half of the loads are waited for together with others: nearly half of the time.
is again '.changes[] | select(.change | startswith("issue twice")) | .saved_seconds > 0.00008 and .saved_seconds < 0.00012'
is column 'all(.changes[]; .saved_seconds > 0 and .left_seconds > 0.001)'
is sum '.ceilings | map({(.what): .}) | add | .["no multiply-adds"].flops_per_second * 2 == .["multiply-adds"].flops_per_second and .l1.bytes_per_second > 0'

if command -v dot >/dev/null; then
	"$ctpost" model --graph --kernels=sum run.ctrace | dot -Tsvg >svg || fail "no graph for dot"
fi
"$ctpost" model --graph --kernels=sum run.ctrace >graph 2>err || fail "$(cat err)"
[ "$(grep -c 'color=red' graph)" = 1 ] || fail "no bottleneck: $(cat graph)"

# Mistakes.
"$ctpost" model run.ctrace run.ctrace 2>err && fail "two traces without --rank"
grep -q 'several traces are for --rank' err || fail "$(cat err)"
echo '{}' >machine.json
"$ctpost" model --machine=machine.json run.ctrace 2>err && fail "an empty machine"
grep -q 'it is no calibration' err || fail "$(cat err)"
"$cxx" --ct-target=cpu -O2 "$CT_CLI/model/model.cu" -o plain 2>log || fail "$(cat log)"
status 0 "$ctrun" -o plain.ctrace -- ./plain
"$ctpost" model plain.ctrace 2>err && fail "a trace without blocks"
grep -q 'no basic blocks; compile with --ct-events=block' err || fail "$(cat err)"
