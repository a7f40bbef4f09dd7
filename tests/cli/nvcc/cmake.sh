# SPDX-License-Identifier: Apache-2.0
# cmake.sh CMAKE
# A CMake project for NVIDIA's compiler (project/), with cuda-trace-nvcc in its place and nothing else
# changed: configured, built, its tests run, programs traced, whoever linked them.
. "$CT_CLI/shared/driver.sh"
cmake=$1
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET

status 0 "$cmake" -S "$CT_CLI/nvcc/project" -B build -G Ninja -DCMAKE_CUDA_ARCHITECTURES=90 \
	-DCMAKE_CUDA_COMPILER="$CT_BIN/cuda-trace-nvcc"
has out 'The CUDA compiler identification is NVIDIA'
status 0 "$cmake" --build build -j2
lacks out 'warning:'
status 0 ctest --test-dir build
has out '100% tests passed, 0 tests failed out of 4'
for program in separate from-cxx static-cxx; do
	status 0 "$ctrun" -o $program.ctrace -- build/$program
	has err '[ctrun] traced 1 launch (1 kernel)'
done
status 0 "$ctrun" -o from-cuda.ctrace -- build/from-cuda
has err '[ctrun] traced 2 launches (2 kernels)'
# Nothing is made twice.
status 0 "$cmake" --build build
has out 'no work to do'
no_leftovers
