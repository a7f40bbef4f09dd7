# SPDX-License-Identifier: Apache-2.0
# Without CUDA in it, a command line does what clang does with it.
. "$CT_CLI/shared/driver.sh"
echo 'int f(void) { return 1; }' >f.c
printf '#include <cstdio>\n#include <cstdlib>\nint main(int n, char **) { n > 1 ? abort() : n > 2 ? _Exit(3) : (void)puts("plain"); }\n' >m.cpp

status 0 "$cc" -O2 -c f.c -o ours.o
"$CT_CLANG" -O2 -c f.c -o theirs.o
cmp ours.o theirs.o || fail "object differs from clang's"

status 0 "$cxx" -O2 -o plain m.cpp
status 0 ./plain
has out plain
if nm plain | grep -q ct_abi_v6; then
	fail "a program without CUDA got the runtime"
fi
status 0 "$cxx" --ct-target=cpu -o plain-cpu m.cpp
status 0 ./plain-cpu

status 0 "$cxx" --version
cp out ours
"$CT_CLANGXX" --version >theirs
cmp ours theirs || fail "--version differs"
status 0 "$cxx" -v
status 0 "$cxx" -print-resource-dir
status 1 "$cxx"
has err 'no input files'

# The toolkit is needed for CUDA sources only.
status 0 env CUDA_HOME=/nonexistent "$cxx" -c m.cpp -o m.o
kernel_source k.cu
status 1 "$cxx" --cuda-path=/nonexistent -c k.cu
one_line err
has err 'no CUDA toolkit in /nonexistent (include/cuda_runtime.h is missing): set CUDA_HOME'
status 127 env CUDATRACE_CLANG=/nonexistent/clang "$cxx" -c m.cpp
has err 'set CUDATRACE_CLANG'
status 0 env CUDATRACE_CLANG="$CT_CLANG" "$cxx" -o named m.cpp
status 0 ./named
no_leftovers
