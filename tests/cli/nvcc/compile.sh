# SPDX-License-Identifier: Apache-2.0
# Compiles sources in nvcc's dialect with cuda-trace-nvcc, for the CPU target; programs run and
# are traced.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET

cp "$CT_CLI/nvcc/language.cu" .
status 0 "$nvcc" -O1 -std=c++17 --extended-lambda -MD -c language.cu
has err "'reads' is for the other side than this __host__ __device__ function is compiled for"
for object in held several made; do
	has err "'$object' is in shared memory: it is neither constructed nor destroyed"
done
[ "$(grep -c warning: err)" = 5 ] || fail "warnings: $(cat err)"
has language.d 'language.o: '
has language.d cooperative_groups.h
status 0 "$nvcc" language.o -o language
status 0 "$ctrun" -o language.ctrace -- ./language
has out '64 4 49 7 1.5 2 1 1 3 1'
has out '2016 2016 32'
has out 'sides 1232'
has out 'undefined 112 4465'
"$CT_BIN/ctpost" dump --format=csv language.ctrace >dump
has dump language.cu
# A float4 is moved at once; lines and columns are those of the source.
status 0 "$CT_BIN/ctpost" access --json language.ctrace
jq -e '[.accesses[] | select((.kernel | startswith("old_ways")) and .object == "four") | .bytes] == [16, 16]' out >/dev/null ||
	fail "a float4 is not moved at once: $(cat out)"

# nvcc takes these, and clang does not: attributes on one declaration, operands that are not
# evaluated, braces in launches, extern objects in shared memory, unreached functions.
cp "$CT_CLI/nvcc/meaning.cu" .
cuda=$CT_CUDA
status 0 "$nvcc" -std=c++20 -DNDEBUG -isystem "$cuda/include/cccl" meaning.cu -o meaning
status 0 ./meaning
has out '2342 2342 2342 2342'
has out 'sides 2 3 4 5 6 7 8'
has out 'specialised 1 2 3 4 5 6 7'
has out 'not evaluated 3 2 6 4'
has out 'named on the host 798'
has out 'constants 11 3 9'
has out 'members 3 90 14 7 9 20 1 1 5'
has out 'shared 7 38 3'
has out 'warned 5 5 0'
has out 'memory 36 5 9 0 1 2'
cp "$CT_CLI/nvcc/taken.cu" .
status 0 "$nvcc" -std=c++17 taken.cu -o taken
lacks err 'abort at runtime'
status 0 ./taken
has out '0 0 1 2 3 4 0 5 6 braces 3 0 27 11 7'
has out 'device 3 3c00 2.5'
has out 'sizes 1 2 3 4'
for line in '1 2 3 4 5' '5 6 7 8' 'a 9 10' '1 2 3 kept'; do
	grep -qx "$line" out || fail "objects printed by devices: $(cat out)"
done
has out 'passed 2 11 -101 8 1 1 4 2'
has out 'made 12'
has out 'host stringx'
has out 'or 11 12'
has out 'host 1 4294967295 -1 1 1 18446744073709551615 0 1'
has out 'not evaluated 5'
# Initialisers of host variables call functions for devices, with what nvcc's host program has of them.
cp "$CT_CLI/nvcc/initialisers.cu" .
for word in -O0 --expt-relaxed-constexpr; do
	status 0 "$nvcc" -std=c++17 $word initialisers.cu -o initialisers
	lacks err warning:
	status 0 ./initialisers
	has out 'initialised 12 6 15 16 18 21 24 27 30 16'
	has out 'members 39 33 36 42 45 87 48 51 6 24'
	has out 'built 3 3 9 12 54 54'
	has out 'device 18'
	lacks out gone
done
has out 'relaxed 33'
for call in 'of_device(1)' 'Called()(1)' 'as_is(1)'; do
	status 0 "$nvcc" -std=c++17 "-DENDS=$call" initialisers.cu -o ends
	status 1 ./ends
	[ ! -s out ] || fail "$call does not end the program: $(cat out)"
done

# Macros of the command line do not reach what headers before the source name so, and reach the program's own.
names=$(sed -n 's/^"\(.*\)"$/\1/p' "$CT_CLI/../../clang-plugin/prologue_names.def")
for name in $names A B C D E F G H I J K L M N O P Q R S T U V W X Y Z a b c d e f g h i j k l m n o p q r s t u v w x y z c2 rv; do
	echo "-D$name=17"
done >macros
printf '#if Width + N + K != 51\n#error "not defined"\n#endif\n#define rv 3\n' >included.h
printf '__global__ void named(int *of) { *of = N; }\nint main() { return N + x + rv - 37; }\n' >macros.cu
status 0 "$nvcc" -optf macros -DNDEBUG -DW1=1 -UW1 -include included.h -w macros.cu -o macros
status 0 ./macros
no_leftovers
