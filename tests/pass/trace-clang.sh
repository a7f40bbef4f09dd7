#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run clang with the plugin and the pass, as the compiler wrapper does.
#   trace-clang.sh CLANG PARTS CUDA INCLUDE new|old UNITS TARGET ARGUMENT...
# new: the directory UNITS is emptied first.
# TARGET is gpu, cpu, or none (plain clang with the same flags).
# Undefined behaviour means what it does to the compiler wrapper.
clang=$1 parts=$2 cuda=$3 include=$4 state=$5 units=$6 target=$7
shift 7
plugin=$parts/ct-clang-plugin.so
pass=$parts/ct-llvm-pass.so
case " $* " in
*" -fgpu-rdc "*) rdc='-Xclang -mllvm -Xclang -ct-rdc' ;;
*) rdc= ;;
esac
[ "$state" = old ] || { rm -rf "$units" && mkdir -p "$units"; } || exit 1

meaning=$(dirname "$0")/../../driver/wrapper/meaning.def
device=$(sed -n 's/^CT_MEANING_DEVICE("\(.*\)").*/-Xarch_device \1/p' "$meaning")
both=$(sed -n 's/^CT_MEANING_BOTH("\(.*\)").*/-Xclang \1/p' "$meaning")
case " $* " in
*" --cuda-host-only "*) both= ;;
esac
# shellcheck disable=SC2086
set -- $device $both --cuda-path="$cuda" --cuda-gpu-arch="${CT_TEST_ARCH:-sm_90}" -I"$cuda/include/cccl" \
	-Wno-unknown-cuda-version -I"$include" -Xarch_device -Rpass=^ct-none$ \
	--end-no-unused-arguments "$@"
if [ "$target" != none ]; then
	set -- -fplugin="$plugin" -fpass-plugin="$pass" -Xclang -load -Xclang "$pass" \
		-Xclang -mllvm -Xclang -ct-unit-seed=5eed \
		-Xclang -mllvm -Xclang -ct-unit-dir="$units" \
		-Xclang -mllvm -Xclang -ct-target="$target" \
		-Xclang -mllvm -Xclang -ct-device-rt="$CT_TEST_RUNTIME" $rdc "$@"
	[ -n "$CT_TEST_NO_HEADER" ] || set -- -include cudatrace/host.h "$@"
fi
exec "$clang" --start-no-unused-arguments "$@"
