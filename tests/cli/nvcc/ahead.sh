# SPDX-License-Identifier: Apache-2.0
# Headers that every CUDA source begins with are compiled ahead from the second source on. Objects, dependencies and
# messages are the same without them; changed headers, spoilt files and folders of others are seen.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
ahead=$PWD/cache/cuda-trace/ahead
kept() { find "$ahead" -name '*.pch' | sort; }

cat >unit.cu <<'END'
#include <cmath>
#include <cstdio>
#include "own.h"
struct pair { half2 a; float2 b; }; struct less { __device__ bool operator()(int a, int b) const { return a < b; } };
template <class T> __global__ void k(T *p) { p[threadIdx.x] = min(p[0], T(MOST)) + sqrt(float(__COUNTER__)); }
int main()
{
	int *p, first = __COUNTER__;
	cudaMalloc(&p, 128);
	k<<<dim3{1, 1}, 32>>>(p);
	printf("%s:%d %d %d\n", __FILE__, __LINE__, first, max(3u, 4));
	if (first > 99) std::sort(&first, &first + 1, less()); // nvcc lets headers of the system do that
#ifdef NDEBUG
	return 3;
#endif
	unused(p);
}
END
cat >wrong.cu <<'END'
__global__ void k(float *p) { *p = min(p, 1); }
int main() { k<<<1, 1>>>(std::pair<int, void>()); return missing; }
END
mkdir -p one two
printf '#pragma once\n#include <algorithm>\n#include <cuda_fp16.h>\ninline void unused(int *) { int none; }\n' >one/own.h
cp one/own.h two
echo '#error' >two/cuda.h # which the headers name, and find elsewhere

# make NAME WORDS...: the object, its dependencies and messages, of a source that compiles and of one that does not.
make() {
	name=$1
	shift
	status 0 "$nvcc" -O2 -Xcompiler -Wall -DMOST=7 -MD -MF "$name.d" -MT unit "$@" -c unit.cu -o "$name.o"
	cp err "$name.err"
	"$nvcc" "$@" -c wrong.cu -o "$name.wrong" 2>"$name.wrong.err" && fail "wrong.cu is taken"
	return 0
}
same() {
	for what in o d err wrong.err; do
		cmp "without.$what" "$1.$what" || fail "$1: another $what"
	done
}
(CUDATRACE_CACHE=off && export CUDATRACE_CACHE && make without -Ione)
[ ! -e "$ahead" ] || fail "kept although it is off"
has without.err 'unused variable'
has without.d math.h
make first -Ione
same first
make second -Ione
same second
[ "$(kept | wc -l)" = 2 ] || fail "not one of each side: $(kept)"
kept >kept.first
touch stamp

# Macros that the headers do not mention, and where the program's own are, make no difference.
status 0 "$nvcc" -O2 -Xcompiler -Wall -DMOST=3 -DOTHER='"a b"' -Itwo -c unit.cu
make third -Ione
same third
status 0 "$nvcc" -O2 -Xcompiler -Wall -DMOST=7 -DN=17 -DX= -Ione -c unit.cu
kept | cmp - kept.first || fail "others: $(kept)"
[ "$(find "$ahead" -name '*.pch' -newer stamp)" = "" ] || fail "made once more"
# Macros that they do mention, do; made for macros that come twice.
for time in 1 2; do
	status 0 "$nvcc" -O2 -Xcompiler -Wall -DMOST=7 -DNDEBUG -Ione unit.cu -o program
	status 3 ./program
	has out 'unit.cu:11 1 4'
done
[ "$(kept | wc -l)" = 4 ] || fail "not for NDEBUG: $(kept)"
make fourth -Ione
same fourth

# A header of the program's that stands before one of them is read.
cp two/own.h two/math.h
printf '#include_next <math.h>\n#define MOST 1\n' >two/math.h
status 0 "$nvcc" -O2 -Xcompiler -Wall -Itwo -c unit.cu
# A file that is spoilt, or stands for other headers, is made again.
for file in $(kept); do
	printf x | dd of="$file" bs=1 seek=4000 conv=notrunc 2>dd
done
make fifth -Ione
same fifth
for list in $(find "$ahead" -name '*.list'); do
	sed 's/^\(file [su]\) [0-9]* \(.*\/limits.h\)$/\1 1 \2/' "$list" >other
	cmp other "$list" >out && fail "no limits.h in $list"
	cat other >"$list"
done
touch stamp2
make sixth -Ione
make sixth -Ione
same sixth
[ "$(find "$ahead" -name '*.list' -newer stamp2 | wc -l)" -ge 2 ] || fail "of headers that changed"
# Nothing of a folder that others may write to, none where there is no folder to write to.
chmod 777 "$ahead"
make seventh -Ione
same seventh
chmod 700 "$ahead"
rm -r "$ahead"
: >"$ahead"
make eighth -Ione
same eighth
rm "$ahead"
# Files of that size cannot be written: nothing is left, and no object is another.
for time in 1 2; do
	(ulimit -f 4000 && make limited -Ione && same limited) || exit 1
done
[ "$(find "$ahead" -type f ! -name '*.seen')" = "" ] || fail "left: $(find "$ahead")"
rm -r "$ahead"
# Several compiles at once, of which each could make them.
make first -Ione
for job in 1 2 3; do
	"$nvcc" -O2 -Xcompiler -Wall -DMOST=7 -Ione -c unit.cu -o "job$job.o" 2>"job$job.err" &
done
wait
for job in 1 2 3; do
	cmp without.o "job$job.o" || fail "another object beside others"
	cmp without.err "job$job.err" || fail "other messages beside others"
done
[ "$(kept | wc -l)" = 2 ] || fail "not one of each side: $(kept)"
# Debug information, a header of the program before the source, a preprocessed source: as without.
for words in -g -lineinfo '-include own.h' -keep; do
	(CUDATRACE_CACHE=off && export CUDATRACE_CACHE && make without -Ione $words)
	for time in 1 2; do
		make often -Ione $words
		same often
	done
done
no_leftovers
