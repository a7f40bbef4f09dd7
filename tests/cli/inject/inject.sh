# SPDX-License-Identifier: Apache-2.0
# inject.sh PROGRAM CUPTI OLD-CUPTI: ctrun --inject of a program that cuda-trace has not built, with a CUDA and a CUPTI
# that are played (app.c, fake_cuda.c, fake_cupti.c): what is counted, from where, ends, and what
# CUPTI may refuse.
. "$CT_CLI/shared/driver.sh"
app=$1
cupti=$2
old_cupti=$3
sources=$CT_CLI/inject
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH FAKE_CUPTI
export CUDATRACE_CUPTI="$cupti"
ctpost() {
	"$CT_BIN/ctpost" "$@"
}
# calls TRACE: "name count failed" of each
calls() {
	ctpost calls --json "$1" >json 2>err || fail "$1: $(cat err)"
	jq -r '.call_functions[] | "\(.function) \(.calls) \(.failed)"' json | LC_ALL=C sort
}

# Without us it does what it does.
status 0 "$app"
has out '20 launches'

# All calls, once each, outermost ones alone: 10 launches and 5 of two threads, each of which makes
# one of the driver; but none that only asks for state.
status 0 "$ctrun" --inject -o plain.ctrace "$app"
has out '20 launches'
grep -Eq '^\[ctrun\] recorded 2[0-9] calls and 22 kernels and copies' err || fail "the summary: $(cat err)"
calls plain.ctrace >got
LC_ALL=C sort >expected <<'X'
cudaMalloc 1 0
cudaLaunchKernel 20 0
cudaMemcpy 2 0
cudaStreamSynchronize 2 1
cudaStreamBeginCapture 1 0
cuMemAlloc 1 0
X
diff expected got >&2 || fail "calls (< expected, > found)"
jq -r '.kernel_times[] | "\(.kernel) \(.launches) \(.is_traced)"' json >got
[ "$(cat got)" = "step(int*) 20 false" ] || fail "kernels: $(cat got)"
jq -r '.copy_times[] | select(.direction != "memset") | "\(.direction) \(.copies) \(.bytes)"' json | LC_ALL=C sort >got
printf 'device to host 1 8\nhost to device 1 16\n' >expected
diff expected got >&2 || fail "copies (< expected, > found)"
jq -r '.range_times[] | "\(.kind) \(.name) \(.times)"' json >got
[ "$(cat got)" = "range solve 1" ] || fail "ranges: $(cat got)"
ctpost calls plain.ctrace >text 2>&1
has text 'Recorded by injected, CUPTI 13.0'
has text "of the host's, by the tightest of 1 copies to the host that their calls waited for"
lacks text 'lie outside of their calls'
jq -e '(.call_functions[] | select(.function == "cudaMemcpy") | .max_seconds) as $most | .call_parts[0].clock_error_seconds |
	. > 0 and . <= $most' json >log || fail "the clocks agree within $(jq '.call_parts[0].clock_error_seconds' json)"
has text 'accesses, since the program was not built by cuda-trace'
ctpost verify plain.ctrace >log || fail "not sound: $(cat log)"

# The driver has compiled at the first launch.
ctpost dump --tables=compile --format=jsonl plain.ctrace | jq -r '"\(.kind) \(.operation) \(.duration_ns)"' >got
printf 'ptx compile 3000\nptx store 3000\n' | diff - got >&2 || fail "compilations"
mkdir study
cp -r plain.ctrace study/calls.ctrace
ctpost ffm --json study >problems 2>err || fail "$(cat err)"
jq -r '.needless_calls[] | "\(.problem) \(.function) \(.calls) \(.bound_seconds * 1e9 | round) \([.frames[].function] | contains(["launch", "run"]))"' problems >got
[ "$(cat got)" = "jit-compilation cudaLaunchKernel 1 3000 true" ] || fail "a problem: $(cat got)"
jq -r '.needless_calls[].fix' problems | grep -q 'cuda-gpu-arch' || fail "no flag: $(jq '.needless_calls[].fix' problems)"

# Waits that CUPTI reports are of the calls that have waited.
ctpost dump --tables=sync --format=jsonl plain.ctrace | jq -r '"\(.kind) \(.duration_ns) \(.correlation)"' >got
ctpost dump --tables=call --format=jsonl plain.ctrace |
	jq -r 'select(.name == "cudaStreamSynchronize" and .result == 0) | "stream 2000 \(.correlation)"' | diff - got >&2 ||
	fail "waits: $(cat got)"
[ -s got ] || fail "no waits"

# The feed-forward model has its first run alone, and says what it cannot say.
status 0 "$ctrun" ffm --inject -o injected.study "$app"
has err 'it is not known which waits and copies are needless'
has err "ctpost calls $PWD/injected.study/calls.ctrace"
[ "$(ls injected.study | grep -c ctrace)" = 1 ] || fail "more than a run: $(ls injected.study)"
ctpost ffm --json injected.study >problems 2>err || fail "$(cat err)"
[ "$(jq -r '.needless_calls[].problem' problems)" = jit-compilation ] || fail "other problems: $(cat problems)"
has err 'the run of stage 3 (uses.ctrace) is missing'
status 0 "$ctrun" ffm --inject -o injected.study "$app"
has err 'there already'
status 2 "$ctrun" ffm --inject --stage=3 -o injected.study "$app"
has err 'need a program that was built by cuda-trace-clang'

# Commands that need accesses say that there are none.
for command in comm dump "report -o page.html"; do
	ctpost $command plain.ctrace >log 2>err || fail "$command: $(cat err)"
	has err 'recorded by ctrun --inject, which has calls and kernels (ctpost calls) but no accesses'
done

# Stacks go on behind a library that has no unwind information.
line_of() {
	grep -n "/\* at $1 \*/" "$sources/app.c" | cut -d: -f1
}
# stack CALL COUNT FRAME...: so many of these calls have a stack of just these frames of the program,
# "function:line", innermost first
stack() {
	call=$1 count=$2
	shift 2
	frames=$(printf '%s\n' "$@" | jq -R . | jq -sc .)
	jq -r --arg call "$call" --argjson frames "$frames" '[.call_paths[] | select(.function == $call) |
		select([.frames[] | select(.file != null and (.file | endswith("inject/app.c"))) |
			"\(.function):\(.line)"] == $frames) | .calls] | add' json >got
	[ "$(cat got)" = "$count" ] || {
		jq -c --arg call "$call" '.call_paths[] | select(.function == $call) | [.calls, (.frames[] | "\(.function):\(.line)")]' json >&2
		fail "$(cat got) of $call by $*, not $count"
	}
}
run=$(grep -n 'if (run())' "$sources/app.c" | cut -d: -f1)
stack cudaMalloc 1 "run:$(line_of malloc)" "main:$run"
stack cudaLaunchKernel 10 "launch:$(line_of launch)" "run:$(line_of main)" "main:$run"
stack cudaLaunchKernel 10 "launch:$(line_of launch)" "work:$(line_of thread)"
stack cudaMemcpy 1 "run:$(line_of copy)" "main:$run"
stack cuMemAlloc 1 "run:$(line_of driver)" "main:$run"
stack cudaStreamSynchronize 1 "recurse:$(line_of bottom)" \
	$(yes "recurse:$(line_of recursion)" | head -n 12) "run:$(grep -n 'recurse(12)' "$sources/app.c" | cut -d: -f1)" "main:$run"
jq -e '[.call_paths[].frames[].module | select(. != null and endswith("libcupti.so"))] == []' json >log ||
	fail "frames of CUPTI are in stacks"
jq -e '[.call_paths[] | select(.function == "cudaLaunchKernel") | .frames[-1].function] | all(. != "[unknown]")' json >log ||
	fail "a stack ends in [unknown]"

# Ends: by itself, by _exit, killed; a fork before and after CUDA has begun.
for way in kill _exit; do
	"$ctrun" --inject -o $way.ctrace "$app" $way >log 2>&1 || true
	calls $way.ctrace | grep -qx 'cudaLaunchKernel 20 0' || fail "$way: $(calls $way.ctrace)"
done
status 0 "$ctrun" --inject -o fork.ctrace "$app" fork
calls fork.ctrace | grep -qx 'cudaLaunchKernel 21 0' || fail "fork: $(calls fork.ctrace)"
[ ! -e fork.ctrace/events-1.ct ] || fail "the child of a traced process has a part"
status 0 "$ctrun" --inject -o forked.ctrace "$app" forked
calls forked.ctrace | grep -qx 'cudaLaunchKernel 20 0' || fail "a child that begins CUDA itself: $(calls forked.ctrace)"

# A program that never uses CUDA has no trace, and ctrun says why.
status 3 "$ctrun" --inject -o none.ctrace "$app" none
has err "nothing was recorded: $app never initialised CUDA"
[ ! -e none.ctrace ] || fail "an empty trace is left"

# CUPTI may say this: one line, and the program goes on. refused WORDS OPTION...: in the trace and
# on stderr
refused() {
	words=$1
	shift
	status 0 env "$@" "$ctrun" --inject -o refused.ctrace "$app"
	has out '20 launches'
	has err "$words"
	[ "$(grep -c '^cuda-trace:' err)" = 1 ] || fail "not one line: $(cat err)"
	ctpost calls refused.ctrace >text 2>&1
	has text "$words"
}
refused 'CUPTI cannot be loaded' CUDATRACE_CUPTI=/nonexistent/libcupti.so
refused 'this CUPTI is too old, it lacks cuptiActivityFlushAll' CUDATRACE_CUPTI="$old_cupti"
refused 'another tool (a profiler?) uses CUPTI in this process' FAKE_CUPTI=busy
refused 'CUPTI_ERROR_INSUFFICIENT_PRIVILEGES' FAKE_CUPTI=denied
status 0 env FAKE_CUPTI=lossy "$ctrun" --inject -o lossy.ctrace "$app"
ctpost calls lossy.ctrace >text 2>&1
has text 'came faster than they could be written'

# Another tool that is to be injected is not put aside; one for NVTX keeps it.
status 1 env CUDA_INJECTION64_PATH=/other/tool.so "$ctrun" --inject -o other.ctrace "$app"
has err 'CUDA_INJECTION64_PATH names another tool (/other/tool.so)'
one_line err
status 0 env NVTX_INJECTION64_PATH=/other/nvtx.so "$ctrun" --inject -o other.ctrace "$app"
has err 'NVTX_INJECTION64_PATH names another tool (/other/nvtx.so)'
ctpost calls --json other.ctrace | jq -e '.range_times == []' >log || fail "ranges of another tool are recorded"

# Options that need our own build are said to be ignored, and the rest is recorded.
status 0 "$ctrun" --inject --contents=on --uses=host --tier=clock -o ignored.ctrace "$app"
for option in --contents=on --uses=host --tier=clock; do
	has err "$option is ignored: it needs a program that cuda-trace has built"
done
calls ignored.ctrace | grep -qx 'cudaLaunchKernel 20 0' || fail "ignored: $(calls ignored.ctrace)"

# --calls=off, --trace=off.
status 0 "$ctrun" --inject --calls=off -o off.ctrace "$app"
status 0 "$ctrun" --inject --trace=off -o off.ctrace "$app"
[ ! -e off.ctrace/events-0.ct ] || fail "--trace=off records"
