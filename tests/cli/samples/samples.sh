# SPDX-License-Identifier: Apache-2.0
# samples.sh RECORD SASS-LINES PTXAS APP CUPTI: program counters as a played CUPTI samples them, from
# ctrun to lines; places of PTX that our compiler has written; what is said where there are none.
. "$CT_CLI/shared/driver.sh"
record=$1 sass_lines=$2 ptxas=$3 app=$4 cupti=$5
sources=$CT_CLI/samples
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH FAKE_CUPTI CUDATRACE_SAMPLES
export LC_ALL=C
ctpost() {
	"$CT_BIN/ctpost" "$@"
}
# What the C library keeps for dlerror is a leak to the sanitizer, depending on when threads end.
without_leaks() {
	ASAN_OPTIONS=detect_leaks=0 "$@"
}
# json TRACE EXPRESSION EXPECTED: what jq makes of the samples
json() {
	ctpost samples --json "$1" >json 2>err || fail "$1: $(cat err)"
	jq -rc "$2" json >got || fail "$1: $(cat json)"
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
json hand.ctrace '.kernels[0] | [.samples, .latency_samples, (.lines[] | [.file, .line, .samples, .latency_samples, .waited_samples, .function])]' \
	'[120,85,["step.cu",3,110,85,15,"_Z5twicej"],["step.cu",8,10,0,90,"_Z5chasePj"]]'
json hand.ctrace '[.sampling.total, .sampling.dropped, .sampling.missing_cubins, .sampling.without_line]' '[136,6,1,10]'
ctpost samples --json --launches=2 hand.ctrace | jq -c '[.kernels[] | .samples]' >got
[ "$(cat got)" = "[30]" ] || fail "launch 2: $(cat got)"
ctpost findings hand.ctrace >text 2>err || fail "findings: $(cat err)"
has text '75.0 % of the samples of chase(unsigned int*) wait for loads from global or local memory'
has text '75.0 % of the kernel'"'"'s samples are due to step.cu:8'
ctpost export --format=csv --tables=samples -o table hand.ctrace || fail "export"
has table/samples.csv '0,2,1,_Z5chasePj,32,long_scoreboard,0,60,step.cu,3,5,_Z5twicej,step.cu:9'

# Twenty launches, 100 samples of each: the addition waits, and the load makes it.
export CUDATRACE_CUPTI="$cupti" FAKE_CUBIN="$PWD/step.cubin" FAKE_SAMPLES="$PWD/rows"
status 0 without_leaks "$ctrun" --inject --samples=1024 -o serial.ctrace "$app"
has out '20 launches'
json serial.ctrace '.sampling | [.looks, .total, .dropped, .most_period_cycles, .is_concurrent, .missing_cubins]' \
	'[20,2040,40,1024,false,0]'
json serial.ctrace '.kernels[] | [.name, .samples, .latency_samples]' '["step(int*)",2000,1600]'
json serial.ctrace '.kernels[].lines[] | [.line, .samples, .latency_samples, .waited_samples]' '[5,1800,1600,0]
[4,200,0,1800]'
json serial.ctrace '.kernels[].lines[0] | [.file, .function, .reasons]' \
	'["step.cu","_Z4stepPi",[{"reason":"long_scoreboard","samples":1800}]]'
ctpost verify serial.ctrace >log || fail "not sound: $(cat log)"
ctpost samples serial.ctrace >text || fail "text"
has text '2 000 samples of 0 launches, one every 1 024 cycles of an SM; 40 dropped'
has text 'step.cu:4      200  10.0 %           0.0 %      90.0 %  selected 100.0 %'
ctpost dump --tables=look --format=jsonl serial.ctrace | jq -r .correlation | sort -u | wc -l >got
[ "$(cat got)" = 20 ] || fail "launches: $(cat got) of 20 have looks of their own"

status 0 without_leaks "$ctrun" --inject --samples --samples-mode=concurrent -o both.ctrace "$app"
json both.ctrace '.sampling | [.is_concurrent, .least_period_cycles]' '[true,262144]'
json both.ctrace '.kernels[].samples' 2000
ctpost samples both.ctrace >text || fail "text"
has text 'Kernels ran at the same time'

# What cannot be, and why.
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
json blind.ctrace '[.sampling.missing_cubins, .sampling.without_line, .kernels[0].lines[0].line]' '[1,2000,null]'

# The same code by our compiler: places have the functions that were inlined, and the same lines.
cat >inline.cu <<'X'
__device__ __forceinline__ int twice(int x)
{
	return x / 7 * 2;
}
__global__ void apply(int *p)
{
	p[0] = twice(p[1]);
	p[2] = twice(p[3]) + 1;
}
int main()
{
	int *p;

	cudaMalloc(&p, 16);
	apply<<<1, 1>>>(p);
	return cudaDeviceSynchronize() != cudaSuccess;
}
X
"$cxx" -O2 -g --cuda-gpu-arch=sm_80 -c inline.cu -o inline.o 2>log || fail "$(cat log)"
"$cxx" -O2 -g --cuda-gpu-arch=sm_80 --cuda-device-only -S inline.cu -o inline.s 2>log || fail "$(cat log)"
"$ptxas" -arch=sm_80 -lineinfo inline.s -o inline.cubin >log 2>&1 || fail "ptxas: $(cat log)"
nm -S inline.o | awk '$4 == "__ct_places" { print $1, $2 }' >symbol
objcopy -O binary -j .rodata inline.o rodata
read -r begin bytes <symbol || fail "no places in the object"
tail -c +$((0x$begin + 1)) rodata | head -c $((0x$bytes)) >places
"$sass_lines" inline.cubin | awk -F'\t' '$1 == "_Z5applyPi" {
	print 0, $1, $2, "smsp__pcsamp_warps_issue_stalled_selected", 1 }' >pcs
[ -s pcs ] || fail "no instructions"
"$record" with.ctrace x inline.cubin places <pcs || fail record
"$record" without.ctrace x inline.cubin - <pcs || fail record
lines='.kernels[].lines | map([(.file | sub(".*/"; "")), .line, .samples]) | sort'
ctpost samples --json with.ctrace | jq -c "$lines" >with
ctpost samples --json without.ctrace | jq -c "$lines" >without
diff without with >&2 || fail "places and .debug_line disagree (<, >)"
json with.ctrace '[.kernels[].lines[] | select(.line == 3) | .function] | unique' '["_Z5twicei"]'
json without.ctrace '[.kernels[].lines[] | select(.line == 3) | .function] | unique' '["_Z5applyPi"]'

# On the CPU target nothing is sampled, and the program runs on.
"$cxx" --ct-target=cpu -O0 inline.cu -o inline 2>log || fail "$(cat log)"
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
json cut.ctrace '.sampling.without_line == (.kernels | map(.samples) | add)' true
head -c 100 places >cut
"$record" cutplaces.ctrace x inline.cubin cut <pcs || fail record
ctpost samples --json cutplaces.ctrace | jq -c "$lines" | diff without - >&2 || fail "cut places"
