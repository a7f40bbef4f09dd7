# SPDX-License-Identifier: Apache-2.0
# samples.sh RECORD SASS-LINES PTXAS APP CUPTI FORBID: program counters as a played CUPTI samples them, from
# ctrun to lines; places of PTX that our compiler has written; what is said where there are none.
. "$CT_CLI/shared/driver.sh"
record=$1 sass_lines=$2 ptxas=$3 app=$4 cupti=$5 forbid=$6
sources=$CT_CLI/samples
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH FAKE_CUPTI CUDATRACE_SAMPLES
export LC_ALL=C
ctpost() {
	"$CT_BIN/ctpost" "$@"
}
# Memory that the C library keeps for dlerror is a leak to the sanitizer, depending on when
# threads end.
without_leaks() {
	ASAN_OPTIONS=detect_leaks=0 "$@"
}
# json TRACE EXPRESSION EXPECTED: what jq makes of the samples
json() {
	ctpost samples --json "$1" >json 2>err || fail "$1: $(cat err)"
	jq -rc ". as \$root | $2" json >got || fail "$1: $(cat json)"
	[ "$(cat got)" = "$3" ] || fail "$1: $2: $(cat got)"
}

"$ptxas" -arch=sm_80 -lineinfo "$sources/step.ptx" -o step.cubin >log 2>&1 || fail "ptxas: $(cat log)"
"$sass_lines" step.cubin >lines || fail "no lines"
# The load, and the addition that waits for it, by their lines of the PTX.
at() {
	awk -F'\t' -v line="$1" '$5 == line { print $2; exit }' lines
}
load=$(at 13) use=$(at 15)
[ -n "$load" ] && [ -n "$use" ] || fail "lines: $(cat lines)"
awk -F'\t' '$5 == 13 && $4 != 4 || $5 == 15 && $4 != 5 || $5 == 17 && $4 != 6' lines >wrong
[ ! -s wrong ] || fail "lines of the PTX: $(cat wrong)"
cat >rows <<X
_Z4stepPi $load 2 10
_Z4stepPi $use 0 90
_Z4stepPi $use 1 80
X

# A trace by hand (tests/unit/trace/trace_samples.h), in every form.
"$CT_CLI_BUILD/ctpost-make-trace" hand.ctrace samples
ctpost samples hand.ctrace >text || fail "text"
if [ "${CT_UPDATE:-}" = 1 ]; then
	cp text "$sources/hand.expected"
fi
diff "$sources/hand.expected" text >&2 || fail "text"
json hand.ctrace '.sample_kernels[0] as $k | $k | [.samples, .latency_samples] + [$root.sample_lines[] | select(.symbol == $k.symbol) | [.file, .line, .samples, .latency_samples, .waited_samples, .function]]' \
	'[120,85,["step.cu",3,110,85,15,"_Z5twicej"],["step.cu",8,10,0,90,"_Z5chasePj"]]'
json hand.ctrace '.sample_totals[0] | [.all_samples, .dropped_samples, .missing_cubins, .samples_without_line]' '[136,6,1,10]'
ctpost samples --json --launches=2 hand.ctrace | jq -c '[.sample_kernels[] | .samples]' >got
[ "$(cat got)" = "[30]" ] || fail "launch 2: $(cat got)"
ctpost findings --facts hand.ctrace >text 2>err || fail "findings: $(cat err)"
has text '75.0 % of the samples of chase wait for loads from global or local memory'
has text '75.0 % of the kernel'"'"'s samples are due to step.cu:8'
ctpost export --format=csv --tables=samples -o table hand.ctrace || fail "export"
# Blamed on variables: all of the product flows into what the call makes of it; the load is waited for.
blame() {
	"$CT_BIN/ctpost" blame --json "$1" >json 2>err || fail "$1: $(cat err)"
	jq -rc "$2" json >got || fail "$1: $(cat json)"
	[ "$(cat got)" = "$3" ] || fail "$1: $2: $(cat got)"
}
# The shares are of 130 samples.
samples='* 130 | round'
blame hand.ctrace ".blame_totals[0] | [.weights, .weights_of, .total_weight, (.blamed_share, .known_path_share, .unattributed_share | . $samples), .most_period_cycles]" \
	'["samples","warps",130,120,120,10,1024]'
blame hand.ctrace ".blame_variables[] | [.variable, (.blame_share, .exclusive_share, .reads_share, .waits_share | . $samples)]" '["out",110,110,0,0]
["sum",10,10,0,0]
["x",0,0,110,15]
["list",0,0,10,90]'
blame hand.ctrace ".blame_variables[0].reasons | map([.reason, (.samples_share $samples)])" '[["long_scoreboard",90],["wait",5],["short_scoreboard",15]]'
blame hand.ctrace ".blame_variables[3].lines | map([.file, .line, .reason, (.waits_share $samples)])" '[["step.cu",8,"long_scoreboard",90]]'
blame hand.ctrace ".blame_waits[] | [.variable, .file, .line, .reason, (.waits_share $samples)]" '["list","step.cu",8,"long_scoreboard",90]
["x","step.cu",3,"short_scoreboard",15]'
blame hand.ctrace '.wait_causes | map([.variable, .file, .line, .reason, .method, (.run_gain * 120 | round)])' \
	'[["list","step.cu",8,"long_scoreboard","elimination",390],["x","step.cu",3,"short_scoreboard","elimination",136],["out","step.cu",3,"wait","elimination",125]]'
cp json blame.json
ctpost blame --launches=2 hand.ctrace >text || fail "blame of launch 2"
has text 'Weights are samples of where warps were: 30, one every 1 024 cycles of an SM'
has text 'list, step.cu:8: Load it earlier'
ctpost blame --folded hand.ctrace >text || fail "folded"
printf '%s\n' 'chase(unsigned int*) 10' 'chase(unsigned int*);twice(unsigned int) 110' 'library 10' | diff - text >&2 || fail "folded"
status 2 ctpost blame --by=launch hand.ctrace
has err 'not kept by launch'
status 1 ctpost blame --weights=warps hand.ctrace
has err 'no basic blocks'
docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
tables_of blame.json

has table/samples.csv '0,2,1,_Z5chasePj,32,long_scoreboard,0,60,step.cu,3,5,_Z5twicej,step.cu:9'

# Twenty launches, 100 samples of each: the addition waits, and the load makes it.
export CUDATRACE_CUPTI="$cupti" FAKE_CUBIN="$PWD/step.cubin" FAKE_SAMPLES="$PWD/rows"
status 0 without_leaks "$ctrun" --inject --samples=1024 -o serial.ctrace "$app"
has out '20 launches'
json serial.ctrace '.sample_totals[0] | [.looks, .all_samples, .dropped_samples, .most_period_cycles, .is_concurrent, .missing_cubins]' \
	'[20,2040,40,1024,false,0]'
json serial.ctrace '.sample_kernels[] | [.kernel, .samples, .latency_samples]' '["step(int*)",2000,1600]'
json serial.ctrace '.sample_lines[] | [.line, .samples, .latency_samples, .waited_samples]' '[5,1800,1600,0]
[4,200,0,1800]'
json serial.ctrace '.sample_lines[0] | [.file, .function, .reasons]' \
	'["step.cu","_Z4stepPi",[{"reason":"long_scoreboard","samples":1800}]]'
ctpost verify serial.ctrace >log || fail "not sound: $(cat log)"
ctpost samples serial.ctrace >text || fail "text"
has text '2 000 samples of 0 launches, one every 1 024 cycles of an SM; 40 dropped'
grep -q 'step.cu:4  *200  10.0 %  *10.0 %  *0.0 %  *90.0 %  selected 100.0 %' text || fail "no line: $(cat text)"
ctpost dump --tables=look --format=jsonl serial.ctrace | jq -r .correlation | sort -u | wc -l >got
[ "$(cat got)" = 20 ] || fail "launches: $(cat got) of 20 have looks of their own"

# Those of clones and of our own kernels are left out, but the device took them: 20 times 130 more.
{ echo "__ct__Z4stepPi $use 0 70" && cat rows && echo "ct_digest $load 0 60"; } >rows.ours
FAKE_SAMPLES=$PWD/rows.ours status 0 without_leaks "$ctrun" --inject --samples=1024 -o ours.ctrace "$app"
json ours.ctrace '[.sample_totals[0].all_samples, (.sample_kernels[] | .kernel, .samples)]' '[4640,"step(int*)",2000]'

status 0 without_leaks "$ctrun" --inject --samples --samples-mode=concurrent -o both.ctrace "$app"
json both.ctrace '.sample_totals[0] | [.is_concurrent, .least_period_cycles]' '[true,262144]'
json both.ctrace '.sample_kernels[].samples' 2000
ctpost samples both.ctrace >text || fail "text"
has text 'Kernels ran at the same time'

# These cannot be, and it says why.
FAKE_CUPTI=nosample status 0 without_leaks "$ctrun" --inject --samples -o denied.ctrace "$app"
has out '20 launches'
has err 'this user may not read'
status 1 ctpost samples denied.ctrace
has err 'denied.ctrace: nothing was sampled: this user may not read the device'
status 0 without_leaks "$ctrun" --inject -o none.ctrace "$app"
status 1 ctpost samples none.ctrace
has err 'no samples; trace with ctrun --samples, on a GPU'
for wrong in 1000 16 on ''; do
	status 2 "$ctrun" "--samples=$wrong" "$app"
	has err 'expected auto, off, or a power of two from 32'
done
FAKE_CUBIN=/nonexistent status 0 without_leaks "$ctrun" --inject --samples -o blind.ctrace "$app"
json blind.ctrace '[(.sample_totals[0] | .missing_cubins, .samples_without_line), .sample_lines[0].line]' '[1,2000,null]'

# The same code by our compiler: places have the functions that were inlined, and the same lines.
cat >inline.cu <<'X'
__device__ __forceinline__ int twice(int x)
{
	return x / 7 * 2;
}
struct Pair {
	int a, b;
};
__global__ void apply(int *p, const Pair *q)
{
	p[0] = twice(q->a);
	p[2] = twice(q->b) + 1;
}
int main()
{
	int *p;

	cudaMalloc(&p, 16);
	apply<<<1, 1>>>(p, (Pair *)p);
	return cudaDeviceSynchronize() != cudaSuccess;
}
X
"$cxx" -O2 -g --ct-events=block --cuda-gpu-arch=sm_80 -c inline.cu -o inline.o 2>log || fail "$(cat log)"
"$cxx" -O2 -g --ct-events=block --cuda-gpu-arch=sm_80 --cuda-device-only -S inline.cu -o inline.s 2>log || fail "$(cat log)"
"$ptxas" -arch=sm_80 -lineinfo inline.s -o inline.cubin >log 2>&1 || fail "ptxas: $(cat log)"
objcopy -O binary -j .rodata inline.o rodata
# piece SYMBOL: its bytes, which are packed
piece() {
	nm -S inline.o | awk -v name="$1" '$4 == name { print $1, $2 }' >symbol
	read -r begin bytes <symbol || fail "no $1 in the object"
	tail -c +$((0x$begin + 1)) rodata | head -c $((0x$bytes)) | zstd -dcq
}
piece __ct_places >places
piece __ct_unit >unit
"$sass_lines" inline.cubin | awk -F'\t' '$1 == "_Z5applyPiPK4Pair" {
	print 0, $1, $2, "smsp__pcsamp_warps_issue_stalled_selected", 1 }' >pcs
[ -s pcs ] || fail "no instructions"
"$record" with.ctrace x inline.cubin places <pcs || fail record
"$record" without.ctrace x inline.cubin - <pcs || fail record
lines='.sample_lines | map([(.file | sub(".*/"; "")), .line, .samples]) | sort'
ctpost samples --json with.ctrace | jq -c "$lines" >with
ctpost samples --json without.ctrace | jq -c "$lines" >without
diff without with >&2 || fail "places and .debug_line disagree (<, >)"
json with.ctrace '[.sample_lines[] | select(.line == 3) | .function] | unique' '["_Z5twicei"]'
json without.ctrace '[.sample_lines[] | select(.line == 3) | .function] | unique' '["_Z5applyPiPK4Pair"]'

# With the variables that the compiler has noted: what first uses a load waits for the field that it reads.
"$sass_lines" inline.cubin | awk -F'\t' '$1 == "_Z5applyPiPK4Pair" && $4 != 12 {
	reason = $4 == 3 && !seen[$5]++ ? "long_scoreboard" : "selected"
	print 0, $1, $2, "smsp__pcsamp_warps_issue_stalled_" reason, 1 }' >waiting
"$record" blame.ctrace x inline.cubin places unit <waiting || fail record
longs=$(grep -c long_scoreboard waiting)
[ "$longs" -ge 2 ] || fail "nothing waits: $(cat waiting)"
blame blame.ctrace '.blame_totals[0].blamed_share as $all | .blame_variables[0] | [$all > 0.9, .variable, .blame_share == $all]' '[true,"p",true]'
blame blame.ctrace '.blame_totals[0].total_weight as $total | .blame_variables | map({key: .variable, value: (.waits_share * $total | round)}) |
	from_entries | .q == '"$longs"' and ."q.a" > 0 and ."q.b" > 0 and ."q.a" + ."q.b" == .q and .p == 0' true
blame blame.ctrace '[.blame_variables[] | select(.variable == "q") | .lines[].line] | sort' '[10,11]'

# On the CPU target nothing is sampled, and the program runs on.
"$cxx" --ct-target=cpu -O0 inline.cu -o inline 2>log || fail "$(cat log)"
# Kernels are pristine while they are sampled, but in mode beside.
for mode in serial concurrent beside; do
	status 0 "$ctrun" --samples --samples-mode=$mode -o $mode.ctrace ./inline
	ctpost info --json $mode.ctrace | jq -c '[.processes[] | .traced_launches > 0 and .traced_launches == .launches]'
done >traced
[ "$(tr '\n' ' ' <traced)" = "[false] [false] [true] " ] || fail "traced by mode: $(cat traced)"
status 0 "$ctrun" --samples -o cpu.ctrace ./inline
has err 'on the CPU target there are no warps to sample'
status 1 ctpost samples cpu.ctrace
has err 'nothing was sampled: on the CPU target'
status 0 "$ctrun" --samples --calls=off -o off.ctrace ./inline
has err '--samples is ignored: it needs --calls'
has err 'traced 1 launch'

# Damaged code is left out, and said.
head -c 2000 inline.cubin >cut.cubin
"$record" cut.ctrace x cut.cubin places <pcs || fail record
json cut.ctrace '.sample_totals[0].samples_without_line == (.sample_kernels | map(.samples) | add)' true
head -c 100 places >cut
"$record" cutplaces.ctrace x inline.cubin cut <pcs || fail record
ctpost samples --json cutplaces.ctrace | jq -c "$lines" | diff without - >&2 || fail "cut places"

# Says what is wrong where warps wait, from a trace of the same program with accesses: figures by
# hand.
cat >joined.cu <<'X'
#include <cuda_runtime.h>
__global__ void joined(const int *in, volatile const int *same, int *out)
{
	__shared__ int tile[32][32];
	int i = threadIdx.x, sum = 0;

	sum += in[i * 32];
	tile[i][0] = sum;
	__syncthreads();
	sum += tile[31 - i][0];
	for (int j = 0; j < 4; j++)
		sum += same[i];
	if (i % 4 == 0)
		for (int j = 0; j < 50; j++)
			sum = sum * 3 + out[j];
	out[64 + i] = sum;
}
int main()
{
	int *in, *same, *out;

	cudaMalloc(&in, 4096);
	cudaMalloc(&same, 128);
	cudaMalloc(&out, 512);
	cudaMemset(in, 0, 4096);
	cudaMemset(same, 0, 128);
	cudaMemset(out, 0, 512);
	joined<<<1, 32>>>(in, same, out);
	return cudaDeviceSynchronize() != cudaSuccess;
}
X
how='-O1 -g --ct-events=block --ct-values --ct-spaces=global,shared'
"$cxx" $how --ct-target=cpu joined.cu -o joined 2>log || fail "$(cat log)"
status 0 "$ctrun" -o traced.ctrace ./joined
"$cxx" $how --cuda-gpu-arch=sm_80 -c joined.cu -o inline.o 2>log || fail "$(cat log)"
"$cxx" $how --cuda-gpu-arch=sm_80 --cuda-device-only -S joined.cu -o joined.s 2>log || fail "$(cat log)"
"$ptxas" -arch=sm_80 -lineinfo joined.s -o joined.cubin >log 2>&1 || fail "ptxas: $(cat log)"
objcopy -O binary -j .rodata inline.o rodata
piece __ct_places >places
piece __ct_unit >unit
"$sass_lines" joined.cubin | awk -F'\t' '$1 == "_Z6joinedPKiPVS_Pi" || $1 ~ /^_Z6joined/ {
	for (i = split("long_scoreboard short_scoreboard lg_throttle mio_throttle barrier", reasons, " "); i > 0; i--)
		print 1, $1, $2, "smsp__pcsamp_warps_issue_stalled_" reasons[i], $4 == 12 ? 100 : 10 }' >pcs
"$record" waits.ctrace "$(cut -d' ' -f2 pcs | head -n 1)" joined.cubin places unit <pcs || fail record
"$CT_BIN/ctpost" blame --json --samples=waits.ctrace traced.ctrace >json 2>err || fail "$(cat err)"
# 32 sectors for 4, 32 wavefronts for 1, three of four loads redundant, a quarter of the lanes in a loop.
jq -c '.wait_causes | map(select(.cause)) | map([.cause, .line, .object, .variable, .method, (.saved_share * 10000 | round)]) | unique | .[]' json >got
for expected in '["bank conflict",10,null,"tile","wavefronts",9688]' \
	'["redundant value",12,null,"same","redundancy",7500]' '["uncoalesced",7,"in","in","sectors",8750]'; do
	grep -qF "$expected" got || fail "causes: no $expected: $(cat got)"
done
jq -e '.wait_causes | map(select(.method == "active lanes")) | length == 1 and (.[0] | .cause == "divergent" and .reason == null and .line >= 13 and .line <= 14 and
	.saved_share > 0.5 and .saved_share <= 0.75)' json >log || fail "divergent: $(jq -c '.wait_causes | map(select(.cause == "divergent"))' json)"
# Without the waits; those at barriers, a fifth of all samples, shrink with what is before them.
jq -e '.wait_causes | length > 10 and all((if .cause then 0.8 else 1 end) as $all |
	(.gain - $all / ($all - .waits_share * .saved_share) | fabs) < 1e-6)' json >log || fail "gains: $(jq -c .wait_causes json)"
# Each lane has a sector of its own, and uses 4 bytes of it, so no cache helps.
jq -e '.wait_causes | map(select(.cause == "uncoalesced" and .line == 7)) | length == 1 and .[0].least_gain == .[0].gain' json >log ||
	fail "cached: $(jq -c '.wait_causes | map(select(.cause == "uncoalesced"))' json)"
"$CT_BIN/ctpost" blame --samples=waits.ctrace traced.ctrace >text 2>err || fail "$(cat err)"
has text 'uncoalesced, 88 % of the sectors too many'
has text 'in, joined.cu:7: Let neighbouring lanes'
ctpost findings --facts --tables --samples=waits.ctrace traced.ctrace >text 2>err || fail "findings: $(cat err)"
has text 'which accesses in: uncoalesced'
ctpost report --samples=waits.ctrace -o page.html traced.ctrace >text 2>err || fail "report: $(cat err)"
has page.html 'Weights are samples of where warps were'
status 2 "$CT_BIN/ctpost" blame --samples=waits.ctrace --weights=lanes traced.ctrace
has err '--samples weighs samples'
status 1 "$CT_BIN/ctpost" blame --samples=traced.ctrace traced.ctrace
has err 'traced.ctrace: no samples'
status 1 ctpost findings --samples=nowhere traced.ctrace
has err 'nowhere'

# Host threads, in the same tree, where the kernel allows it; else it is said, and the program runs on.
cat >host.cu <<'X'
#include <thread>
static volatile double sink;
__attribute__((noinline)) void burn(long times)
{
	for (long i = 0; i < times; i++)
		sink = sink + 0.5;
}
__attribute__((noinline)) void light()
{
	burn(10000000);
	sink = 0;
}
__attribute__((noinline)) void heavy()
{
	burn(60000000);
	sink = 0;
}
__global__ void fill(int *p)
{
	*p = 1;
}
int main()
{
	int *p;

	cudaMalloc(&p, 4);
	fill<<<1, 1>>>(p);
	std::thread other(heavy);
	light();
	heavy();
	other.join();
	return cudaFree(p) != cudaSuccess;
}
X
"$cxx" --ct-target=cpu -O1 -g host.cu -o host -lpthread 2>log || fail "$(cat log)"
status 0 "$ctrun" --samples -o host.ctrace ./host
if grep -q 'host threads are not sampled' err; then
	echo "perf events are forbidden here: host threads are not sampled"
else
	"$CT_BIN/ctpost" blame --by=code --json host.ctrace >json 2>err || fail "$(cat err)"
	jq -e '.blame_functions as $all | ([$all[] | select(.function == "heavy()") | .cpu_share] | sort) as $heavy |
		([$all[] | select(.function == "light()") | .cpu_share] | add) as $light | ($heavy | length) == 2 and $heavy[0] > 2 * $light and
		.blame_totals[0].cpu_samples > 8 and ([$all[] | select(.depth == 0) | .cpu_share] | add) > 0.999 and ([$all[].cpu_self_share] | add) > 0.999 and
		([$all[] | select(.depth == 1 and $all[.parent].function == "main") | .function] | sort | .[-2:]) == ["heavy()", "light()"]' json >log ||
		fail "host threads: $(jq -c '[.blame_functions[] | [.function, .cpu_share]]' json)"
	"$CT_BIN/ctpost" blame --by=code host.ctrace >text 2>err || fail "$(cat err)"
	has text 'samples of host threads, one every 10 ms'
	ctpost verify host.ctrace >log || fail "not sound: $(cat log)"
fi
status 0 "$ctrun" --samples --samples-host=off -o off.ctrace ./host
status 1 "$CT_BIN/ctpost" blame --by=code off.ctrace
FAKE_SAMPLES=$PWD/rows status 0 without_leaks "$forbid" "$ctrun" --inject --samples -o forbidden.ctrace "$app"
has err 'host threads are not sampled: the kernel does not let this process use perf events'
json forbidden.ctrace '.sample_kernels[].samples' 2000
"$CT_BIN/ctpost" blame --by=code forbidden.ctrace >text 2>err || fail "$(cat err)"
has text 'CPU: not all was sampled: the kernel does not let'
