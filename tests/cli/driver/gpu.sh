# SPDX-License-Identifier: Apache-2.0
# The GPU target compiles and links without a GPU: what is in the program is seen in its symbols.
. "$CT_CLI/shared/driver.sh"
kernel_source k.cu

status 0 "$cxx" -O2 -c k.cu
nm k.o >symbols
has symbols 'U __ct_register_unit'
has symbols 'U ct_abi_v3'
status 0 "$cxx" k.o -o k
nm k >symbols
has symbols '__wrap_cudaLaunchKernel'
has symbols 'ct_abi_v3'
status 0 "$cxx" -O2 k.cu -o k2
nm k2 >symbols
has symbols '__wrap_cudaLaunchKernel'

# A C++ source beside it is compiled as it would be alone.
printf '#include <cstdio>\nvoid other() { puts("other"); }\n' >other.cpp
status 0 "$cxx" -O2 -MD k.cu other.cpp -o both
[ -e both.d ] || fail "no dependencies"
status 0 "$cxx" --ct-verbose -c k.cu other.cpp
[ "$(grep -c ct-llvm-pass err)" = 1 ] || fail "the pass was loaded for C++"
[ -e k.o ] && [ -e other.o ] || fail "several inputs with -c"

# Device and host halves alone.
status 0 "$cxx" -O2 --cuda-device-only -S -emit-llvm k.cu -o device.ll
has device.ll '__ct__Z5twicePi'
status 0 "$cxx" -O2 --cuda-host-only -c k.cu -o host.o

# Two static CUDA runtimes in one process would not know of each other's kernels.
status 0 "$cxx" -fPIC -O2 -c k.cu
status 0 "$cxx" -shared -o libk.so k.o -lcudart_static
one_line err
has err 'warning: -lcudart_static in a shared library'
status 0 "$cxx" -shared -o libk.so k.o
[ ! -s err ] || fail "a warning without cause"
no_leftovers
