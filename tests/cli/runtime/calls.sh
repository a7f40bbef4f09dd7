# SPDX-License-Identifier: Apache-2.0
# calls.sh PARTS CLANG INCLUDE HOST_RT
# Whoever knows the calls that are hooked has them from api.def, all of them: both runtimes as archive
# and as library, NVIDIA's under the names that ours calls it by.
. "$CT_CLI/shared/driver.sh"
parts=$1 clang=$2 include=$3 host_rt=$4

"$clang" -E -P -I"$include" "$CT_CLI/runtime/calls.c" | tr '|\n' '\n ' | awk 'NF == 4' >list
[ "$(wc -l <list)" -gt 150 ] || fail "no list of calls"
awk '{ print $1 }' list | sort >wrapped
[ "$(uniq <wrapped | wc -l)" = "$(wc -l <wrapped)" ] || fail "named twice: $(uniq -d <wrapped)"

awk '$2 != "GPU" { print $1 }' list | sort >both
for target in gpu cpu; do
	archive=$parts/libcudatrace-$target.a
	[ $target = gpu ] && calls=wrapped || calls=both
	nm --defined-only "$archive" | sed -n 's/^.* T \(cu[dA-Z].*\)/\1/p' | sort >defined
	comm -23 $calls defined >missing
	[ ! -s missing ] || fail "$target: without a wrapper:" $(cat missing)
	nm -D --defined-only "$parts/libcudatrace-$target.so" | awk '{ print $3 }' | sort >exported
	comm -23 defined exported >missing
	[ ! -s missing ] || fail "$target: not in the library:" $(cat missing)
	if nm "$archive" | grep ' T __wrap_'; then fail "$target: wrappers with names of their own"; fi
	# A runtime can do without the real one of calls that not every runtime has.
	awk '{ print ($2 == "EVERY" ? "U" : "w"), "__real_" $1 }' list | sort >expected
	nm -u "$archive" | awk '$2 ~ /^__real_/ { print $1, $2 }' | sort >real
	if [ $target = gpu ]; then
		diff expected real >&2 || fail "strong where it should be weak, or the other way round"
	elif grep '^U' real; then
		fail "the CPU target lacks calls that every runtime has"
	fi
done
# A call of the program's that only GPUs have: its name belongs to none on the CPU target.
nm --defined-only "$parts/libcudatrace-cpu.a" | sed -n 's/^.* T //p' | sort >defined
awk '$2 == "GPU" { print $1 }' list | sort | comm -12 - defined >known
[ ! -s known ] || fail "the CPU target defines calls of GPUs:" $(cat known)
# The runtime calls the real ones, by names that are not the program's.
awk '$2 == "EVERY" { print "__real_" $1 }' list | sort >expected
nm --defined-only "$parts/libcudatrace-cudart.a" 2>nul | sed -n 's/^.* T //p' | sort >defined
comm -23 expected defined >missing
[ ! -s missing ] || fail "NVIDIA's runtime lacks:" $(cat missing)
comm -12 wrapped defined >twice
[ ! -s twice ] || fail "NVIDIA's runtime has the program's names:" $(cat twice)
nm -u "$host_rt" | awk '{ print $2 }' | sort -u | comm -12 wrapped - >recorded
[ ! -s recorded ] || fail "host-rt would record its own calls of" $(cat recorded)
