# SPDX-License-Identifier: Apache-2.0
# findings of bank conflicts: of a transpose on the CPU target, by hand. Tiles of 32 x 32 elements
# are written by rows and read by columns, by 32 warps.
. "$CT_CLI/shared/ctpost.sh"
unset CUDATRACE_TARGET CUDATRACE_OUTPUT CUDATRACE || true

cat >transpose.cu <<'EOT'
template<typename T, int width> __global__ void transpose(T *out, const T *in)
{
	__shared__ T tile[32][width];
	int x = threadIdx.x, y = threadIdx.y;

	tile[y][x] = in[32 * y + x]; // rows
	__syncthreads();
	out[32 * y + x] = tile[x][y]; // columns
}

__global__ void pairs(int *out)
{
	__shared__ int2 both[32];
	int lane = threadIdx.x;

	both[lane] = make_int2(lane, -lane);
	__syncthreads();
	out[lane] = both[31 - lane].x; // every second word
	__syncthreads();
	if (lane < 8)
		out[lane] += both[0].y; // one word
	atomicAdd(&both[lane % 2].x, 1);
}

int main()
{
	dim3 block(32, 32);
	void *in, *out;

	cudaMalloc(&in, 8192);
	cudaMalloc(&out, 8192);
	cudaMemset(in, 0, 8192);
	transpose<float, 32><<<1, block>>>((float *)out, (const float *)in);
	transpose<float, 33><<<1, block>>>((float *)out, (const float *)in);
	transpose<double, 32><<<1, block>>>((double *)out, (const double *)in);
	pairs<<<1, 32>>>((int *)out);
	return cudaDeviceSynchronize() != cudaSuccess;
}
EOT
rows=$(grep -n '// rows' transpose.cu | cut -d: -f1)
columns=$(grep -n '// columns' transpose.cu | cut -d: -f1)
words=$(grep -n '// every second' transpose.cu | cut -d: -f1)

# compiled SPACES: the trace of what records in these
compiled() {
	"$CT_BIN/cuda-trace-clang++" --ct-target=cpu -O1 --ct-spaces="$1" transpose.cu -o transpose 2>log ||
		fail "does not compile: $(cat log)"
	"$CT_BIN/ctrun" -o transpose.ctrace ./transpose 2>log || fail "does not run: $(cat log)"
}

# found OPTION...: text and first line of each finding about banks
found() {
	ctpost findings --json "$@" transpose.ctrace >json 2>err || fail "$(cat err)"
	jq -r '.findings[] | select(.analysis == "banks") | "\(.text) \(.worth.value) \(.lines[0].line) \(.fix[:7])"' json
}

nothing() {
	found "$@" >got
	[ ! -s got ] || fail "conflicts where there are none: $(cat got)"
}

# By columns, the floats of a warp meet in one bank, 32 words: 32 x 32 wavefronts for 32 loads that need
# one each; with a column more in none. Doubles: 16 words in each of two banks per half warp, 32 x 2 x 16
# wavefronts for 32 loads that need two each.
compiled global,shared
for kind in float:32:992 double:16:960; do
	excess=${kind##*:} ways=${kind#*:}
	echo "${ways%:*}-way bank conflicts at transpose.cu:$columns: $excess of 1 024 wavefronts are excess. $excess $columns Pad eac"
done >expected
found >got
diff expected got >&2 || fail "conflicts (< expected, > found)"
ctpost findings transpose.ctrace >out 2>err || fail "no text"
tr -s ' \n' ' ' <out | grep -q "32 warp-wide loads of shared memory in transpose<float, 32>). At transpose.cu:$columns:" ||
	fail "where: $(cat out)"
ctpost report transpose.ctrace -o page.html 2>err || fail "no report: $(cat err)"
[ "$(grep -o 'finding":"bank-conflicts' page.html | wc -l)" = 2 ] || fail "the report has other conflicts"

# A reversed row of pairs: every second word, so two words in each bank. The row itself, one word for
# eight lanes, and atomics do not count.
echo "2-way bank conflicts at transpose.cu:$words: 1 of 2 wavefronts are excess. 1 $words Let nei" >expected
found --kernels='^pairs' >got
diff expected got >&2 || fail "selected conflicts (< expected, > found)"
nothing --kernels='float, 33'
nothing --sites="transpose.cu:$rows"

# What is not recorded is not judged.
compiled global
nothing
