# SPDX-License-Identifier: Apache-2.0
# The programs of cli.nvcc-compile, which runs them on CPU threads, compile for a GPU.
. "$CT_CLI/shared/driver.sh"

for source in meaning taken; do
	cp "$CT_CLI/nvcc/$source.cu" .
	status 0 "$CT_BIN/cuda-trace-nvcc" -std=c++17 -arch=sm_90 -c $source.cu
done
no_leftovers
