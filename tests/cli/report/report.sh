# SPDX-License-Identifier: Apache-2.0
# From the compiler to ctpost: one coverage table in both, and values, events,
# call paths and shared memory of a run on the CPU target as the program has them.
. "$CT_CLI/shared/ctpost.sh"
unset CUDATRACE_TARGET CUDATRACE_OUTPUT CUDATRACE || true

cat >walk.cu <<'EOF'
__device__ __noinline__ int depth(const int *list, int n)
{
	return n ? list[n] - depth(list, n - 1) : list[0];
}

__global__ void walk(const int *list, float4 *out, short *small, int *sum)
{
	__shared__ int turned[32];
	int lane = threadIdx.x;

	turned[31 - lane] = 3 * lane;
	__syncthreads();
	small[lane] = (short)-lane;
	out[lane] = make_float4(0.5f, turned[lane], 0, -1);
	if (lane < 2)
		sum[lane] = depth(list, 1 + lane);
	atomicMax(sum + 2, lane);
}

int main()
{
	int *list, *sum;
	float4 *out;
	short *small;

	cudaMalloc(&list, 16);
	cudaMalloc(&out, 32 * sizeof(float4));
	cudaMalloc(&small, 64);
	cudaMalloc(&sum, 12);
	cudaMemset(list, 1, 16);
	cudaMemset(sum, 0, 12);
	walk<<<1, 32>>>(list, out, small, sum);
	return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
"$CT_BIN/cuda-trace-clang++" --ct-target=cpu -O1 --ct-report --ct-values --ct-events=barrier \
	--ct-spaces=global,shared walk.cu -o walk 2>report || {
	cat report
	fail "walk.cu does not compile"
}
"$CT_BIN/ctrun" -o walk.ctrace ./walk 2>log || fail "walk does not run: $(cat log)"

sed -n '/^kernel /,/^  total/p' report >compiler
ctpost info walk.ctrace | sed -n '/^kernel /,/^  total/p' >trace
[ -s compiler ] || fail "no table in the report"
diff -u compiler trace || fail "the report and the trace differ"
ctpost info walk.ctrace >out
grep -q "^recorded: load, store, atomic in global, shared; barrier; values" out ||
	fail "the options are not in the trace"
grep -q "^shared memory: 32 loads, 32 stores" out || fail "shared memory: $(cat out)"
grep -q "barrier 32 by threads (1 by warps)" out || fail "barriers: $(cat out)"
grep -q "32 atomics (32 of them reductions)" out || fail "reductions: $(cat out)"

# dump OPTION...: CSV with a line per thread
dump() {
	ctpost dump --values --threads --format=csv "$@" walk.ctrace
}
i=0
dump --operation=store --space=shared | tail -n +2 | while IFS=, read -r line; do
	case $line in
	*",0x$(printf %x $((4 * (31 - i)))),,,shared,$((3 * i)),,") ;;
	*) fail "thread $i stored in shared memory: $line" ;;
	esac
	i=$((i + 1))
done
dump --site=walk.cu:13 | cut -d, -f19 | tail -n +2 >got
i=0
while [ $i -lt 32 ]; do
	echo $((-i))
	i=$((i + 1))
done >want
diff -u want got || fail "short integers"
ctpost dump --values --paths --site=walk.cu:3 --format=jsonl walk.ctrace >loads
# Thread 1 goes down to list[2], both come back through list[0].
[ "$(wc -l <loads)" -ge 3 ] || fail "loads of depth: $(cat loads)"
grep -c '"value":\[16843009' loads | grep -qx "$(wc -l <loads)" || fail "values: $(cat loads)"
tail -n 1 loads | grep -q '"function":"_Z4walk' || fail "no kernel in the path: $(cat loads)"
grep -q '"line":3.*"line":3.*"line":3' loads || fail "no recursion in a path: $(cat loads)"

# Another run says the same, values and paths included.
"$CT_BIN/ctrun" -o again.ctrace ./walk 2>log
ctpost diff --values --events --paths walk.ctrace again.ctrace >out || fail "$(cat out)"
