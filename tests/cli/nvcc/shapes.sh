# SPDX-License-Identifier: Apache-2.0
# Shapes of programs beyond those that were reported: compiled for GPUs, run on the CPU target plain and traced.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
set_options() {
	status 0 "$nvcc" "$@" -std=c++20 --extended-lambda --expt-relaxed-constexpr -O2 "$CT_CLI/nvcc/shapes.cu"
}
set_options --ct-target=cpu -o shapes
cat >expected <<'END'
specialised 7 14 21 3
shared 84
bounds 128 512 64
constant 28 7
concepts 42 6 3 10
initialisers 11 1 77 77 77
lanes 16 16 32 32
launches 3 4 5
unevaluated 1 10 0
operators 2 3 5 1
cudaSuccess
END
for how in CUDATRACE=off CUDATRACE_OUTPUT=shapes.ctrace; do
	status 0 env "$how" ./shapes
	diff expected out || fail "with $how"
done
set_options --ct-target=gpu -arch=sm_90 --ct-all -c -o shapes.o

# Registers that kernels, and so their clones, are bound to: what nvcc writes of the same source.
status 0 "$nvcc" -Werror all-warnings -arch=sm_90 -ptx -o registers.ptx "$CT_CLI/nvcc/registers.cu"
sed -n 's/^\.maxnreg \([0-9]*\).*/\1/p' registers.ptx | sort -n | tr '\n' ' ' >bounds
[ "$(cat bounds)" = "32 32 32 32 40 40 56 56 64 64 " ] || fail "registers: $(cat bounds)"
