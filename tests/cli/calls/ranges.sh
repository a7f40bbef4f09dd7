# SPDX-License-Identifier: Apache-2.0
# Ranges and marks of NVTX and regions of programs that run, on the CPU target: how often, from where,
# what lies inside what, what is open at the end, and what a program sees of it.
. "$CT_CLI/shared/driver.sh"
unset NVTX_INJECTION64_PATH
cuda=$(sed -n 's/^CT_CUDA_PATH:[A-Z]*=//p' "$CT_BIN/../CMakeCache.txt")
ctpost() {
	"$CT_BIN/ctpost" "$@"
}

cat >ranges.cu <<'END'
#include <cstdlib>
#include <cerrno>
#include <cuda_runtime.h>
#include <cudatrace/cudatrace.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef ANY_LEVEL // whatever a tool or none returns
#define check(condition) ((void)(condition))
#else
#define check(condition) ((condition) ? (void)0 : abort())
#endif
__global__ void step(int *data) { data[threadIdx.x]++; }
static int *data;
static nvtxRangeId_t handed_on;

__attribute__((noinline)) void solve()
{
	nvtxRangePushA("solve"); // at push
	for (int i = 0; i < 3; i++) {
		nvtxRangePushW(L"gr\u00fcn \U0001F600");
		step<<<1, 32>>>(data);
		nvtxMarkA("launched");
		nvtxRangePop();
	}
	cudaDeviceSynchronize();
	nvtxRangePop();
}
static nvtxEventAttributes_t with(int32_t type, uint32_t category)
{
	nvtxEventAttributes_t attributes = {};
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = type;
	attributes.category = category;
	return attributes;
}
// Its own stack of ranges: what it pushes and pops overlaps what the default domain does.
static void domains()
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
	check(domain == nvtxDomainCreateW(L"library"));
	nvtxDomainNameCategoryA(domain, 7, "sorting");
	nvtxEventAttributes_t attributes = with(NVTX_MESSAGE_TYPE_REGISTERED, 7);
	attributes.message.registered = nvtxDomainRegisterStringA(domain, "merge");
	check(nvtxDomainRangePushEx(domain, &attributes) == 0);
	nvtxRangePushA("across");
	check(nvtxDomainRangePop(domain) == 0); // before what was pushed after it
	nvtxRangePop();
	attributes = with(NVTX_MESSAGE_TYPE_UNICODE, 0);
	attributes.message.unicode = L"wide";
	nvtxDomainMarkEx(domain, &attributes);
	attributes = with(NVTX_MESSAGE_UNKNOWN, 3);
	nvtxMarkEx(&attributes);
	check(nvtxDomainRangePop(domain) < 0);
}
static void *thread_work(void *)
{
	nvtxNameOsThreadA(syscall(SYS_gettid), "solver thread of the program");
	cudaStreamSynchronize(0);
	nvtxRangeEnd(handed_on);
	nvtxRangePushA("left open");
	return NULL;
}
int main()
{
	pthread_t thread;
	nvtxRangePushA("before CUDA");
	nvtxRangePop();
	cudaMalloc(&data, 4096);
	check(nvtxRangePushA("outer") == 0);
	check(nvtxRangePushA("inner") == 1);
	check(nvtxRangePop() == 1);
	check(nvtxRangePop() == 0);
	ct_region_begin("phase");
	ct_region_begin("part"); // at region
	solve();
	ct_region_end("part");
	ct_region_end(NULL);
	errno = 77;
	nvtxRangeId_t one = nvtxRangeStartA("one"), two = nvtxRangeStartA("two");
	check(errno == 77 && one != two);
	nvtxRangeEnd(one);
	nvtxRangeEnd(two);
	nvtxRangeEnd(two); // again, and one that never was
	nvtxRangeEnd(12345);
	domains();
	handed_on = nvtxRangeStartA("handed on");
	pthread_create(&thread, NULL, thread_work, NULL);
	pthread_join(thread, NULL);
	nvtxRangeStartA("never stopped");
	nvtxRangePushA("at the end");
	ct_region_begin("and within");
	return 0;
}
END
"$cxx" --ct-target=cpu -O2 -g ranges.cu -I"$cuda/include" -o ranges -lpthread 2>log || fail "the program: $(cat log)"
"$ctrun" -o ranges.ctrace ./ranges 2>log || fail "it does not run: $(cat log)"
ctpost verify ranges.ctrace >log || fail "not sound: $(cat log)"
ctpost calls --json ranges.ctrace >json 2>err || fail "$(cat err)"
ctpost dump --tables=call --format=jsonl ranges.ctrace >rows.ns 2>err || fail "$(cat err)"
# Nanoseconds since 1970 have more digits than jq has: since the first row's second.
awk '{
	match($0, /"begin_ns": [0-9]*/)
	ns = substr($0, RSTART + 12, RLENGTH - 12)
	if (NR == 1)
		first = substr(ns, 1, length(ns) - 9) - 1000
	ns = sprintf("%.0f", (substr(ns, 1, length(ns) - 9) - first) * 1e9 + substr(ns, length(ns) - 8))
	print substr($0, 1, RSTART + 11) ns substr($0, RSTART + RLENGTH)
}' rows.ns >rows

# By hand: what there is, how often, how many are open.
jq -r '.range_times[] | "\(.kind) \(.name) \(.times) \(.open)"' json | sort >got
LC_ALL=C sort >expected <<'END'
range before CUDA 1 0
range outer 1 0
range inner 1 0
region phase 1 0
region part 1 0
range solve 1 0
range grün 😀 3 0
mark launched 3 0
range one 1 0
range two 1 0
range library: merge [sorting] 1 0
range across 1 0
mark library: wide 1 0
mark (unnamed) [category 3] 1 0
range handed on 1 0
range left open 1 1
range never stopped 1 1
range at the end 1 1
region and within 1 1
END
LC_ALL=C sort got | diff expected - >&2 || fail "ranges (< expected, > found)"
jq -r 'select(.flags | index("overlaps")) | .name' rows | LC_ALL=C sort >got
printf '%s\n' 'handed on' 'library: merge [sorting]' 'never stopped' one two >expected
diff expected got >&2 || fail "what overlaps (< expected, > found)"

# lies INNER OUTER: each row of that name lies inside one of the other, on the same thread
lies() {
	jq -es --arg inner "$1" --arg outer "$2" '[.[] | select(.name == $outer)] as $outers |
		[.[] | select(.name == $inner)] | length > 0 and all(. as $i | $outers | any(.thread == $i.thread and
			.begin_ns <= $i.begin_ns and .begin_ns + .duration_ns >= $i.begin_ns + $i.duration_ns))' rows >log ||
		fail "$1 is not inside $2"
}
lies inner outer
lies part phase
lies solve part
lies "grün 😀" solve
lies launched "grün 😀"
lies cudaLaunchKernel "grün 😀"
lies cudaDeviceSynchronize solve
lies "and within" "at the end"

# Ranges that do not overlap nest, calls among them, and come in the order of their ends.
jq -s '[.[] | select(.flags | index("overlaps") | not)] | group_by(.thread)[] | sort_by(.begin_ns, -.duration_ns) |
	reduce .[] as $c ({end: [], bad: 0}; .end |= map(select(. > $c.begin_ns)) |
		(if .end | any(. < $c.begin_ns + $c.duration_ns) then .bad += 1 else . end) | .end += [$c.begin_ns + $c.duration_ns]) |
	.bad' rows | sort -u >got
[ "$(cat got)" = 0 ] || fail "spans of a thread overlap"
jq -s '[.[] | select(.flags | index("overlaps") | not)] | group_by(.thread) | map(map(.begin_ns + .duration_ns)) | all(. == sort)' rows >got
[ "$(cat got)" = true ] || fail "rows of a thread are not in the order of their ends"

# Threads: one that NVTX has named, and whose the range is that another one has ended.
jq -e '[.call_threads[].name] | index("solver thread of the program")' json >log || fail "the thread has another name"
main=$(jq -r 'select(.name == "outer") | .thread' rows)
[ "$(jq -r 'select(.name == "handed on") | .thread' rows)" = "$main" ] || fail "a range is of the thread that ended it"

# From where: the rows' stacks, with the names of functions and lines.
ctpost export --format=sqlite ranges.ctrace -o ranges.db >log 2>&1 || fail "export: $(cat log)"
from() {
	sqlite3 ranges.db "SELECT f.function, f.line FROM calls c JOIN frames f USING (stack)
		WHERE c.name = '$1' AND f.file LIKE '%ranges.cu' ORDER BY f.position LIMIT 1"
}
line_of() {
	grep -n "// at $1\$" ranges.cu | cut -d: -f1
}
if command -v sqlite3 >/dev/null; then
	[ "$(from solve)" = "solve()|$(line_of push)" ] || fail "solve was pushed at $(from solve)"
	[ "$(from part)" = "main|$(line_of region)" ] || fail "part began at $(from part)"
fi

# Perfetto: slices of the thread's track, marks, and what overlaps apart.
ctpost export --format=perfetto ranges.ctrace -o ranges.json >log 2>&1 || fail "perfetto: $(cat log)"
phase() {
	jq -r --arg name "$1" '[.traceEvents[] | select(.name == $name) | .ph] | unique | join("")' ranges.json
}
[ "$(phase solve)$(phase part)$(phase launched)$(phase one)" = XXibe ] ||
	fail "phases are $(phase solve) $(phase part) $(phase launched) $(phase one)"
jq -e '[.traceEvents[] | select(.ph == "X" and (.name == "solve" or .name == "cudaDeviceSynchronize")) | .tid] | unique | length == 1' ranges.json >log ||
	fail "a range and its calls are on different tracks"
COLUMNS=200 ctpost calls --timeline ranges.ctrace >text 2>&1 || fail "$(cat text)"
grep -q '^  ranges .*\[phase' text || fail "no ranges in the time line: $(cat text)"

# A shared library has a copy of NVTX of its own, which finds the program's runtime by the library that
# ctrun names: one trace, nothing twice.
cat >library.cu <<'END'
#include <nvtx3/nvToolsExt.h>
extern "C" void library_work()
{
	nvtxRangePushA("of the library");
	nvtxRangePop();
}
END
cat >uses.cu <<'END'
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
extern "C" void library_work();
__global__ void step(int *data) { data[threadIdx.x]++; }
int main()
{
	int *data;
	nvtxRangePushA("of the program");
	cudaMalloc(&data, 16);
	step<<<1, 4>>>(data);
	library_work();
	nvtxRangePop();
	return 0;
}
END
"$cxx" --ct-target=cpu -O2 -shared -fPIC library.cu -I"$cuda/include" -o liblibrary.so 2>log || fail "the library: $(cat log)"
"$cxx" --ct-target=cpu -O2 uses.cu -I"$cuda/include" -L. -llibrary -Wl,-rpath,"$PWD" -o uses 2>log || fail "its user: $(cat log)"
"$ctrun" -o uses.ctrace ./uses 2>log || fail "it does not run: $(cat log)"
ctpost calls --json uses.ctrace | jq -r '.range_times[] | "\(.name) \(.times)"' | LC_ALL=C sort >got
printf 'of the library 1\nof the program 1\n' >expected
diff expected got >&2 || fail "ranges of a library (< expected, > found)"
CUDATRACE_OUTPUT=alone.ctrace ./uses 2>log || fail "without ctrun: $(cat log)"
ctpost calls --json alone.ctrace | jq -e '[.range_times[].name] == ["of the program"]' >log || fail "without ctrun: $(cat log)"

# Without calls, and without a trace, the program sees what it sees without a tool.
"$cxx" --ct-target=cpu -O2 -DANY_LEVEL ranges.cu -I"$cuda/include" -o plain -lpthread 2>log || fail "the program: $(cat log)"
for options in --calls=off --trace=off; do
	"$ctrun" $options -o off.ctrace ./plain 2>log || fail "$options: $(cat log)"
	! ctpost calls off.ctrace >log 2>&1 || fail "$options records calls"
done
