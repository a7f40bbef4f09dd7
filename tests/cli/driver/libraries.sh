# SPDX-License-Identifier: Apache-2.0
# NVIDIA's libraries on the CPU target: dropped, refused by name, or explained.
. "$CT_CLI/shared/driver.sh"
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET
kernel_source k.cu

status 0 "$cxx" -c k.cu
status 0 "$cxx" k.o -o k -L/nonexistent -lcudart -lcudart_static -lcudadevrt -lcuda
status 0 ./k
status 0 "$cxx" k.o -o k /nonexistent/lib64/libcudart.so -l cudart
for library in -lcublas -lcufft -lcudnn -lnvrtc /opt/lib/libcusparse.so.12; do
	status 1 "$cxx" k.o -o refused $library
	one_line err
	has err "error: $library: NVIDIA's lib"
	has err 'has no CPU version'
	[ ! -e refused ] || fail "linked with $library"
done

# A name that only begins like one of them is the user's own.
echo 'int own(void) { return 0; }' >own.c
status 0 "$cc" -c own.c
ar rc libcublas_mine.a own.o
status 0 "$cxx" k.o -o k -L. -lcublas_mine

# Functions that the CPU runtime lacks are named after the linker's own words.
cat >graph.cu <<'END'
extern "C" int cudaNoSuchCall(int);
int main() { return cudaNoSuchCall(1) + cudaNoSuchCall(2); }
END
status 1 "$cxx" graph.cu -o graph
has err "undefined reference to \`cudaNoSuchCall'"
tail -n 1 err >last
has last 'cuda-trace-clang++: the CPU target does not implement cudaNoSuchCall (build for the GPU'
echo 'int missing(); int main() { return missing(); }' >missing.cpp
status 1 "$cxx" missing.cpp -o missing
lacks err 'CPU target'

# Objects of the two targets are told apart.
status 1 "$cxx" --ct-target=gpu k.o -o mixed
has err 'link with --ct-target=cpu'
no_leftovers
