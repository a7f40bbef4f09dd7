# SPDX-License-Identifier: Apache-2.0
# Traces that anybody may have made: one whose loop stands for more accesses than can be read, and
# one whose names hold control characters, formulas, markup and paths of files that are no sources.
. "$CT_CLI/shared/ctpost.sh"
unset CTPOST_EXPAND CUDATRACE CUDATRACE_OUTPUT CUDATRACE_TARGET || true

# 8 * 10^11 iterations in 40 bytes, which would take hours.
cp -r "$CT_CLI/../golden/bad-work.ctrace" work.ctrace
refused() { # COMMAND...
	got=0
	ctpost "$@" >out 2>err || got=$?
	[ $got -ne 0 ] || fail "taken: $*"
	grep -q "stand for more accesses" err || fail "$*: $(cat err)"
}
for command in info comm access model blame values findings dump verify; do
	refused $command work.ctrace
done
refused comm --threads=3 work.ctrace
refused diff work.ctrace work.ctrace
refused report -o work.html work.ctrace
for format in sqlite hdf5 csv json perfetto memtrace; do
	refused export --format=$format -o work.$format work.ctrace
	[ ! -e work.$format ] || fail "export --format=$format leaves something behind"
done

cat >odd.cu <<EOF
#include <cudatrace/cudatrace.h>
extern "C" __global__ void one(int *p) asm("=1+1\\033]0;TITLE\\007\\033[31m\\r\\n\\tx\\001\\177\\302\\233\\342\\200\\256\\200");
extern "C" __global__ void one(int *p) { p[threadIdx.x * 2] += 3; }
#line 2 "$PWD/.hidden.cu"
__global__ void two(int *p) { p[threadIdx.x] += 1; }
#line 2 "$PWD/secret"
__global__ void three(int *p) { p[threadIdx.x] += 1; }
#line 2 "$PWD/link.cu"
__global__ void four(int *p) { p[threadIdx.x] += 1; }
#line 2 "$PWD/shown.cu"
__global__ void five(int *p) { p[threadIdx.x] += 1; }
#line 2 "@SUM(1)|</script>.cu"
__global__ void six(int *p) { p[threadIdx.x] += 1; }
int main()
{
	int *d;

	cudaMalloc(&d, 4096);
	ct_region_begin("-2+3\\033[2J\\302\\205");
	one<<<1, 32>>>(d), two<<<1, 32>>>(d), three<<<1, 32>>>(d);
	four<<<1, 32>>>(d), five<<<1, 32>>>(d), six<<<1, 32>>>(d);
	ct_region_end(0);
	return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
"$CT_BIN/cuda-trace-clang++" --ct-target=cpu -O1 -g odd.cu -o odd 2>log || fail "odd.cu: $(cat log)"
"$CT_BIN/ctrun" -o odd.ctrace ./odd 2>log || fail "odd does not run: $(cat log)"

# Nothing but lines of characters that are seen.
plain() { # FILE WHAT
	if tr -d '\n' <"$1" | tr -d '\40-\176\200-\377' | grep -q .; then
		fail "control characters in $2"
	fi
	for bytes in '\302\205' '\302\233' '\342\200\256'; do
		! grep -qF "$(printf "$bytes")" "$1" || fail "$bytes in $2"
	done
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null || fail "$2 is not UTF-8"
}
for command in info comm calls access values findings "dump --format=csv" "info --json" dump; do
	status 0 ctpost $command odd.ctrace
	tr -d '\r' <out >text
	plain text "the output of $command"
	plain err "messages of $command"
done
ctpost calls odd.ctrace | grep -qF '=1+1?]0;TITLE??[31m' || fail "the kernel has no name"

# Cells that are text are not computed.
status 0 ctpost export --format=csv -o odd.csv odd.ctrace
cat odd.csv/*.csv | tr -d '\r' >cells
! grep -E '(^|,)"?[=@]' cells || fail "formulas in CSV"
! grep -E '(^|,)"?-2\+3' cells || fail "the region's name is a formula"
grep -qF "'=1+1" cells || fail "the kernel's name is not in CSV"

# A page quotes this.
echo 'int hidden_text;' >.hidden.cu
echo 'int secret_text;' >secret
echo 'int shown_text;' >shown.cu
ln -s secret link.cu
for mode in auto off all; do
	status 0 ctpost report --sources=$mode odd.ctrace -o $mode.html
done
status 0 ctpost report odd.ctrace -o default.html
for page in auto default; do
	grep -q shown_text $page.html || fail "$page.html has no source"
	! grep -q 'hidden_text\|secret_text' $page.html || fail "$page.html quotes what is no source"
done
! grep -q 'shown_text\|hidden_text\|secret_text' off.html || fail "--sources=off quotes"
grep -q secret_text all.html && grep -q hidden_text all.html || fail "--sources=all does not quote"
status 2 ctpost report --sources=some odd.ctrace -o some.html
