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
	jq -r '.findings[] | select(.analysis == "banks") | "\(.text) \(.worth) \(.lines[0].line) \(.fix[:7])"' json
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
ctpost explain 1 transpose.ctrace >out 2>err || fail "no text"
tr -s ' \n' ' ' <out | grep -q "32 warp-wide loads of shared memory in transpose<float, 32>. line .*transpose.cu:$columns:" ||
	fail "where: $(cat out)"
ctpost report transpose.ctrace -o page.html 2>err || fail "no report: $(cat err)"
sed -n 's/.*id="report-data">//p' page.html | sed 's/<\/script>.*//' | jq -f "$CT_CLI/shared/page.jq" >page.json
[ "$(jq '[.findings[] | select(.finding == "bank-conflicts")] | length' page.json)" = 2 ] || fail "the report has other conflicts"

# The report's section has all lines, in text, JSON and the page: rows of floats need no more than one
# wavefront each.
cat >rows.expected <<END
$columns transpose<float, 32> load 32 32 1024 32 992 0.96875 column
$columns transpose<double, 32> load 32 16 1024 64 960 0.9375 column
$words pairs load 1 2 2 1 1 0.5 constant
END
others="$rows transpose<float, 32> store 32 1 32 32 0 0 null"
ctpost findings --json transpose.ctrace >json 2>err || fail "$(cat err)"
jq -r '.bank_conflicts[] | "\(.line) \(.function) \(.operation) " +
	"\(.requests) \(.ways) \(.wavefronts) \(.ideal_wavefronts) \(.excess_wavefronts) \(.excess_share) \(.lane_stride)"' json >all
head -3 all >got
diff rows.expected got >&2 || fail "rows of JSON (< expected, > found)"
[ "$(wc -l <all)" = 9 ] && grep -qxF "$others" all || fail "lines without excess: $(cat all)"
jq -r '.bank_conflicts[] | "\(.line[1]) \(.function) \(.operation) " +
	"\(.requests) \(.ways) \(.wavefronts) \(.ideal_wavefronts) \(.excess_wavefronts) \(.excess_share) \(.lane_stride)"' page.json >of_page
diff all of_page >&2 || fail "rows of the page (< of JSON, > of the page)"
jq -e '.findings | map(select(.analysis == "banks") | .section) | unique == ["bank_conflicts"]' page.json >log || fail "findings link elsewhere"

# table OPTION...: the text's table, without its blanks
table() {
	ctpost findings --tables "$@" transpose.ctrace >out 2>err || fail "$(cat err)"
	sed -n '/^Bank conflicts/,/^$/p' out | sed -n '/^line /,/^$/p' | sed '/^$/d' | tr -s ' '
}
cat >text.expected <<END
line function operation requests ways wavefronts ideal excess share stride
transpose.cu:$columns:20 transpose<float, 32> load 32 32 1 024 32 992 96.9 % column
END
table >got
grep -qxF "$(tail -n 1 text.expected)" got || fail "rows of text: $(cat got)"
grep -qx "transpose.cu:$rows:13 transpose<float, 32> store 32 1 32 32 0 0.0 % –" got || fail "rows of text: $(cat got)"
[ "$(wc -l <got)" = 10 ] || fail "not all nine rows: $(cat got)"
echo '… and 8 more rows: --rows=all' >>text.expected
table --rows=1 >got
diff text.expected got >&2 || fail "one row (< expected, > found)"
[ "$(table --rows=all)" = "$(table --rows=9)" ] || fail "all rows are nine"
[ -z "$(table --rows=0)" ] && ! grep -q '^Bank conflicts' out || fail "--rows=0 has a table"
grep -q '^ *32-way' out || fail "--rows=0 has no findings"
[ "$(ctpost findings --json --rows=1 transpose.ctrace | jq '.bank_conflicts | length')" = 9 ] || fail "JSON lacks rows"
for rows_are in x -1 '' 1x ALL; do
	status=0
	ctpost findings --rows="$rows_are" transpose.ctrace >out 2>err || status=$?
	[ $status = 2 ] && grep -q 'a number of rows, or all' err || fail "--rows='$rows_are': $status, $(cat err)"
done

# A narrow terminal shows all lines, with fewer columns.
COLUMNS=80 ctpost findings --tables transpose.ctrace >out 2>err || fail "$(cat err)"
grep -qx '… and 3 more columns in a wider terminal' out || fail "at 80: $(cat out)"
sed -n '/^line /,/^$/p' out | sed 's/…/./g; s/–/./g' | awk 'length > 80 { print; long = 1 } END { exit long }' >&2 || fail "wider than 80"
tr -s ' ' <out | grep -q 'float, 32> load 32 1 024 992 column' || fail "at 80: $(cat out)"

# A reversed row of pairs: every second word, so two words in each bank. The row itself, one word for
# eight lanes, and atomics do not count. It is in the table, and one wavefront is no finding.
nothing --kernels='^pairs'
table --kernels='^pairs' --rows=1 >got
grep -q "^transpose.cu:$words:[0-9]* pairs load 1 2 2 1 1 50.0 % constant$" got || fail "selected conflicts: $(cat got)"
nothing --kernels='float, 33'
nothing --sites="transpose.cu:$rows"

# Memory that is not recorded is not judged.
compiled global
nothing
jq -e 'has("bank_conflicts") | not' json >log || fail "a table of nothing: $(jq -c .bank_conflicts json)"
ctpost findings --tables transpose.ctrace >out 2>err && ! grep -q '^Bank conflicts' out || fail "a table of nothing"
