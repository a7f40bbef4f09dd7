# SPDX-License-Identifier: Apache-2.0
# Calls of programs that run, on the CPU target: how many by name, from which functions and lines,
# times that lie inside each other, and what is left of programs that end badly.
. "$CT_CLI/shared/driver.sh"

# Everything is at -O2, without frame pointers; each `// at NAME` is a line that a stack must have.
cat >library.cu <<'END'
#include <cuda_runtime.h>
__global__ void from_library(int *data) { data[threadIdx.x] += 2; }
extern "C" __attribute__((noinline)) int library_work(int *data, int times)
{
	for (int i = 0; i < times; i++)
		from_library<<<1, 32>>>(data); // at library
	return cudaGetLastError() != cudaSuccess;
}
END
sed 's/library/plugin/g' library.cu >plugin.cu
cat >calls.cu <<'END'
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/prctl.h>
__global__ void step(int *data) { data[threadIdx.x]++; }
extern "C" int library_work(int *data, int times);

static inline __attribute__((always_inline)) void inlined(int *data, cudaStream_t stream)
{
	cudaMemsetAsync(data, 1, 128, stream); // at inlined
}
__attribute__((noinline)) void recursive(int depth, int *data)
{
	if (depth)
		recursive(depth - 1, data); // at recursion
	else
		cudaMemset(data, 2, 64); // at bottom
	asm volatile("" ::: "memory");
}
__attribute__((noinline)) void thrower(int *data)
{
	cudaMemset(data, 3, 32); // at thrower
	throw std::runtime_error("on purpose");
}
__attribute__((noinline)) void catcher(int *data)
{
	try {
		thrower(data); // at catcher
	} catch (const std::runtime_error &) {
		cudaMemset(data, 4, 16); // at caught
	}
}
static void *thread_work(void *data)
{
	prctl(PR_SET_NAME, "worker");
	for (int i = 0; i < 50; i++)
		cudaStreamSynchronize(cudaStreamPerThread); // at thread
	cudaMemset(data, 5, 8);
	return NULL;
}
__attribute__((noinline)) void graphs(int *data, cudaStream_t stream)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	step<<<1, 32, 0, stream>>>(data);
	step<<<1, 32, 0, stream>>>(data);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	for (int i = 0; i < 3; i++)
		cudaGraphLaunch(exec, stream); // at graph
	cudaStreamSynchronize(stream);
}
int main(int, char **argv)
{
	int *data, host[32];
	cudaStream_t stream;
	pthread_t thread[2];
	cudaMalloc(&data, 4096); // at main
	cudaStreamCreate(&stream);
	for (int i = 0; i < 10; i++)
		step<<<2, 32, 0, stream>>>(data); // at launch
	inlined(data, stream); // at outer
	recursive(20, data);
	catcher(data);
	library_work(data, 4); // at static
	void *plugin = dlopen(argv[1], RTLD_NOW);
	((int (*)(int *, int))dlsym(plugin, "plugin_work"))(data, 5); // at plugged
	cudaDeviceSynchronize();
	dlclose(plugin);
	for (pthread_t &t : thread)
		pthread_create(&t, NULL, thread_work, data);
	for (pthread_t &t : thread)
		pthread_join(t, NULL);
	graphs(data, stream);
	cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
	cudaMemcpy(data, host, 64, cudaMemcpyHostToDevice);
	cudaFree((char *)data + 1); // refused
	cudaFree(data);
	return 0;
}
END
options="--ct-target=cpu -O2 -g -fomit-frame-pointer"
"$cxx" $options -c library.cu -o library.o 2>log || fail "the library: $(cat log)"
ar rcs liblibrary.a library.o
"$cxx" $options -shared -fPIC plugin.cu -o plugin.so 2>log || fail "the plugin: $(cat log)"
"$cxx" $options calls.cu liblibrary.a -o calls -ldl -lpthread 2>log || fail "the program: $(cat log)"
"$ctrun" -o calls.ctrace ./calls "$PWD/plugin.so" 2>log || fail "it does not run: $(cat log)"
ctpost() {
	"$CT_BIN/ctpost" "$@"
}
ctpost calls --json calls.ctrace >json 2>err || fail "$(cat err)"

# Exact counts, by hand.
jq -r '.call_functions[] | "\(.function) \(.calls)"' json | sort >got
sort >expected <<'END'
cudaMalloc 1
cudaStreamCreate 1
cudaLaunchKernel 21
cudaMemsetAsync 1
cudaMemset 5
cudaDeviceSynchronize 1
cudaStreamSynchronize 101
cudaGraphInstantiate 1
cudaGraphLaunch 3
cudaMemcpy 2
cudaFree 2
END
diff expected got >&2 || fail "counts (< expected, > found)"
jq -e '.call_functions[] | select(.function == "cudaFree") | .failed == 1' json >log || fail "a refused call is not reported"

# The device did this: 10 + 4 + 5 launches, 3 graphs of 2 kernels; two copies, six memsets.
jq -r '.kernel_times[] | "\(.kernel | sub("\\(.*"; "")) \(.launches) \(.is_traced)"' json | sort >got
sort >expected <<'END'
step 16 true
from_library 4 true
from_plugin 5 true
END
diff expected got >&2 || fail "kernels (< expected, > found)"
jq -r '.copy_times[] | select(.direction != "memset") | "\(.direction) \(.copies) \(.bytes)"' json | sort >got
printf 'device to host 1 128\nhost to device 1 64\n' >expected
diff expected got >&2 || fail "copies (< expected, > found)"

# line_of NAME: in which line of which source it is
line_of() {
	grep -n "// at $1\$" *.cu | head -n 1 | cut -d: -f2
}
# stack CALL COUNT FRAME...: so many of these calls have a stack of these frames, "function:line" or
# "function", innermost first, with others between and behind them
stack() {
	call=$1 count=$2
	shift 2
	frames=$(printf '%s\n' "$@" | jq -R . | jq -sc .)
	jq -r --arg call "$call" --argjson frames "$frames" '
		def has($want): reduce .[] as $frame ($want; if length > 0 and
			(.[0] | split(":")) as $w | ($frame.function | sub("\\(.*"; "")) == $w[0] and
			($w[1] == null or ($frame.line | tostring) == $w[1]) then .[1:] else . end) | length == 0;
		[.call_paths[] | select(.function == $call) | select([.frames[]] as $f | $f | has($frames)) | .calls] | add' json >got
	[ "$(cat got)" = "$count" ] || {
		jq -c --arg call "$call" '.call_paths[] | select(.function == $call) | [.calls, (.frames[] | "\(.function):\(.line)")]' json >&2
		fail "$(cat got) of $call by $*, not $count"
	}
}
stack cudaMalloc 1 main:"$(line_of main)"
stack cudaLaunchKernel 10 main:"$(line_of launch)"
stack cudaMemsetAsync 1 inlined:"$(line_of inlined)" main:"$(line_of outer)"
stack cudaMemset 1 recursive:"$(line_of bottom)" $(yes "recursive:$(line_of recursion)" | head -n 19) main
stack cudaMemset 1 thrower:"$(line_of thrower)" catcher:"$(line_of catcher)" main
stack cudaMemset 1 catcher:"$(line_of caught)" main
stack cudaLaunchKernel 4 library_work:"$(line_of library)" main:"$(line_of static)"
stack cudaLaunchKernel 5 plugin_work main:"$(line_of plugged)"
stack cudaStreamSynchronize 100 thread_work:"$(line_of thread)"
stack cudaGraphLaunch 3 graphs:"$(line_of graph)" main
jq -e '[.call_paths[] | select(.frames[0].function == "thread_work") | .frames[].function] | index("main") == null' json >log ||
	fail "a thread's stack goes on to main"

# Times: calls of a thread lie inside each other or apart, what the device does begins after its call
# began, and nothing is lost.
ctpost dump --tables=call,activity --format=jsonl calls.ctrace >rows 2>err || fail "$(cat err)"
jq -rs '[.[] | select(.table == "call")] | group_by(.thread)[] | sort_by(.begin_ns, -.duration_ns) |
	reduce .[] as $c ({end: [], bad: 0}; .end |= map(select(. > $c.begin_ns)) |
		(if .end | any(. < $c.begin_ns + $c.duration_ns) then .bad += 1 else . end) | .end += [$c.begin_ns + $c.duration_ns]) |
	.bad' rows | sort -u >got
[ "$(cat got)" = 0 ] || fail "calls of a thread overlap"
jq -rs '([.[] | select(.table == "call" and .correlation > 0) | {key: (.correlation | tostring), value: .begin_ns}] | from_entries) as $begin |
	[.[] | select(.table == "activity") | select(.begin_ns < ($begin[.correlation | tostring] // 9e18))] | length' rows >got
[ "$(cat got)" = 0 ] || fail "$(cat got) activities begin before their calls, or have none"
jq -e '[.call_threads[] | select(.name == "worker")] | length == 2' json >log || fail "threads have other names"
ctpost verify calls.ctrace >log || fail "not sound: $(cat log)"

# Kernels are what they are without us, and so are their times; nothing else is recorded.
"$ctrun" --calls=only -o only.ctrace ./calls "$PWD/plugin.so" 2>log || fail "--calls=only: $(cat log)"
ctpost calls --json only.ctrace | jq -e '[.kernel_times[] | select(.is_traced)] == [] and ([.kernel_times[].launches] | add) == 25' >log ||
	fail "--calls=only traces kernels"
"$ctrun" --calls=off -o off.ctrace ./calls "$PWD/plugin.so" 2>log || fail "--calls=off: $(cat log)"
! ctpost calls off.ctrace >log 2>&1 || fail "--calls=off has calls"
grep -q 'no calls are recorded' log || fail "--calls=off: $(cat log)"

# From the host to the device: which functions and lines launched each kernel, and how often.
ctpost info --json --paths calls.ctrace >json 2>err || fail "$(cat err)"
jq -r '(.host_paths | map({key: (.host_path | tostring), value: ([.frames[] |
	"\(.function // "" | sub("\\(.*"; "")):\(.file // "" | sub(".*/"; "")):\(.line)"] | join(" "))}) | from_entries) as $path |
	[.launches[] | "\(.kernel | sub("\\(.*"; "")) \($path[.host_path | tostring])"] | group_by(.)[] | "\(length) \(.[0])"' json | sort >got
sort >expected <<END
10 step main:calls.cu:$(line_of launch)
6 step main:calls.cu:$(grep -n '	graphs(data, stream);' calls.cu | cut -d: -f1) graphs:calls.cu:$(line_of graph)
4 from_library main:calls.cu:$(line_of static) library_work:library.cu:$(line_of library)
5 from_plugin main:calls.cu:$(line_of plugged) plugin_work:plugin.cu:$(line_of plugin)
END
diff expected got >&2 || fail "host paths (< expected, > found)"
ctpost info --paths calls.ctrace >out 2>err || fail "$(cat err)"
grep -qxF "path 2: host main calls.cu:$(line_of static) > library_work library.cu:$(line_of library) > launch" out || fail "text: $(cat out)"
tr -s ' ' <out | grep -qxF ' 4 step 6' || fail "kernels of paths: $(cat out)"

# In front of the device's part of each record's path, by launch: the same kernel on two paths.
ctpost dump --paths --kernels='^from_library' calls.ctrace >out 2>err || fail "$(cat err)"
[ "$(wc -l <out)" -gt 0 ] && [ "$(sed 's/.* path //; s/ library.cu:[0-9]*:[0-9]*$//' out | sort -u)" = \
	"host main calls.cu:$(line_of static) > library_work library.cu:$(line_of library) > launch > from_library(int*)" ] ||
	fail "paths of records: $(head -n 1 out)"
ctpost dump --paths --kernels='^step' --format=jsonl calls.ctrace 2>err |
	jq -r '"\(.launch <= 10) \([.host_path[].function | sub("\\(.*"; "")] | join(" ")) \([.path[].function] | join(" "))"' | sort -u >got
printf 'false main graphs _Z4stepPi\ntrue main _Z4stepPi\n' >expected
diff expected got >&2 || fail "paths of records as JSON (< expected, > found)"
ctpost dump --paths --limit=1 --format=csv calls.ctrace 2>err | tail -n 1 |
	grep -q ",host main calls.cu:$(line_of launch) > launch > step(int\*) calls.cu:[0-9]*:[0-9]*\$" || fail "paths of records as CSV"

# Who writes and who reads, by path.
ctpost comm --json --paths calls.ctrace >json 2>err || fail "$(cat err)"
jq -e '[.line_pairs[] | select((.source_file | endswith("calls.cu")) and (.target_file | endswith("calls.cu"))) | .source_kernel, .target_kernel] as $kernels |
	$kernels | length > 0 and all(.[]; . == "step")' json >log || fail "kernels of lines: $(jq -c .line_pairs json)"
jq -e '([.launch_paths[] | select(.kernel == "step") | [.host_path, .launches]] == [[1, 10], [4, 6]]) and
	(.host_paths[:4] | all(.[]; .frames[0].function == "main"))' json >log || fail "paths: $(jq -c .launch_paths,.host_paths json)"
jq -r '[.supersteps[] | select(.launch) | {path: .host_path, bytes: .load_bytes}] | group_by(.path)[] | "\(.[0].path) \(map(.bytes) | add)"' json >got
printf '1 2560\n2 512\n3 640\n4 768\n' >expected # 10 launches of 64 threads; 4, 5 and 6 of 32
diff expected got >&2 || fail "bytes by path (< expected, > found)"
ctpost comm --by=line --paths calls.ctrace >out 2>err || fail "$(cat err)"
tr -s ' ' <out | grep -qE '^ 4 step 6 768 B ' || fail "volumes by path: $(cat out)"
grep -qE '^path 4: host main ' out || fail "paths: $(cat out)"

# Without calls everything is as without --paths.
for what in 'info' 'info --each-launch' 'comm'; do
	# shellcheck disable=SC2086
	ctpost $what off.ctrace >without 2>&1 && ctpost $what --paths off.ctrace >with 2>&1 || fail "$what: $(cat with)"
	diff without with >&2 || fail "$what --paths without calls differs"
done
ctpost dump --paths --limit=1 off.ctrace >out 2>&1
grep -q ' path step(int\*) calls.cu:' out || fail "dump --paths without calls: $(cat out)"

# Ends: killed, by _exit, in a fork, within a call.
cat >ends.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
__global__ void step(int *data) { data[threadIdx.x]++; }
__global__ void endless() { while (clock64() != 1); } // records nothing

// Waits until the journal writes: the second time that it grows, everything before is in it.
static void wait_for_journal(int *data)
{
	char path[4096];
	struct stat before, now;
	snprintf(path, sizeof(path), "%s/tables-0.ct", getenv("CUDATRACE_OUTPUT"));
	for (int i = 0; i < 2; i++) {
		if (stat(path, &before) != 0)
			before.st_size = 0;
		do {
			cudaMemset(data, 0, 8);
			usleep(10000);
		} while (stat(path, &now) != 0 || now.st_size == before.st_size);
	}
}

// The program leaves from within a call, whenever it gets there.
static volatile sig_atomic_t is_waiting;
static void on_alarm(int)
{
	if (is_waiting && ++is_waiting > 2)
		exit(0);
	alarm(1);
}

int main(int, char **argv)
{
	int *data;
	cudaMalloc(&data, 4096);
	cudaMemset(data, 0, 4096);
	for (int i = 0; i < 100; i++)
		step<<<1, 32>>>(data);
	cudaDeviceSynchronize();
	if (!strcmp(argv[1], "fork")) {
		int status;
		if (fork() == 0)
			_exit(7); // a child may not call CUDA
		wait(&status);
		step<<<1, 32>>>(data);
		return cudaDeviceSynchronize() != cudaSuccess || WEXITSTATUS(status) != 7;
	}
	if (!strcmp(argv[1], "within")) {
		signal(SIGALRM, on_alarm);
		endless<<<1, 1>>>();
		alarm(1);
		is_waiting = 1;
		cudaDeviceSynchronize(); // never returns
	}
	wait_for_journal(data);
	if (!strcmp(argv[1], "_exit"))
		_exit(0);
	raise(SIGKILL);
}
END
"$cxx" $options ends.cu -o ends 2>log || fail "the program that ends: $(cat log)"
# left WAY COUNT: so many launches are in the trace of a program that ends that way
left() {
	"$ctrun" --patience=1 -o "$1".ctrace ./ends "$1" >log 2>&1 || true
	ctpost calls --json "$1".ctrace >json 2>err || fail "$1: $(cat err log)"
	jq -r '.call_functions[] | select(.function == "cudaLaunchKernel") | .calls' json >got
	[ "$(cat got)" = "$2" ] || fail "$1: $(cat got) launches are left, not $2"
}
left kill 100
left _exit 100
left fork 101
[ ! -e fork.ctrace/events-1.ct ] || fail "the child has a part"
left within 101
ctpost dump --tables=call --format=jsonl within.ctrace | jq -rs '[.[] | select(.flags | index("open"))] | length' >got
[ "$(cat got)" = 1 ] || fail "the call that never returned is reported $(cat got) times"
