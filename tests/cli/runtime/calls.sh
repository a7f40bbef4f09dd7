# SPDX-License-Identifier: Apache-2.0
# calls.sh PARTS CLANG INCLUDE PACKAGE
# Whoever knows the calls that are hooked has them from api.def, all of them: both runtimes, the
# links of the compiler wrapper, the links of the CMake package.
. "$CT_CLI/shared/driver.sh"
parts=$1 clang=$2 include=$3 package=$4

"$clang" -E -P -I"$include" "$CT_CLI/runtime/calls.c" | tr '|\n' '\n ' | awk 'NF == 4' >list
[ "$(wc -l <list)" -gt 150 ] || fail "no list of calls"
awk '{ print $1 }' list | sort >wrapped
[ "$(uniq <wrapped | wc -l)" = "$(wc -l <wrapped)" ] || fail "named twice: $(uniq -d <wrapped)"

for target in gpu cpu; do
	archive=$parts/libcudatrace-$target.a
	nm --defined-only "$archive" | sed -n 's/^.* T __wrap_//p' | sort >defined
	diff wrapped defined >&2 || fail "$target: wrapped without a wrapper, or the other way round"
	# The runtime's own calls are not the program's: of wrapped calls it uses the real ones only.
	# (The compiler's stub of our own kernel names cudaLaunchKernel; nothing calls it.)
	nm -u "$archive" | awk '{ print $2 }' | sort >used
	comm -12 wrapped used | grep -v '^cudaLaunchKernel$' >recorded || true
	[ ! -s recorded ] || fail "$target: host-rt would record its own calls of" $(cat recorded)
	# A program can do without what not every runtime has.
	awk '{ print ($2 == "EVERY" ? "U" : "w"), "__real_" $1 }' list | sort >expected
	nm -u "$archive" | awk '$2 ~ /^__real_/ { print $1, $2 }' | sort >real
	diff expected real >&2 || fail "$target: strong where it should be weak, or the other way round"
done

kernel_source k.cu
awk '$2 != "GPU" { print $1 }' list | sort >both
for target in gpu cpu; do
	[ $target = gpu ] && calls=wrapped || calls=both
	status 0 "$cxx" --ct-target=$target -### k.cu -o k
	grep -o -e '--wrap=[A-Za-z0-9_]*' err | sed 's/.*=//' | sort -u >linked
	diff $calls linked >&2 || fail "$target: the wrapper links with other calls"
done
for variable in '' _GPU; do
	sed -n "s/^set(CudaTrace_LINK_OPTIONS$variable \"\\(.*\\)\")/\\1/p" "$package"
done | tr ';' '\n' | sed -n 's/^LINKER:--wrap=//p' | sort >linked
diff wrapped linked >&2 || fail "the CMake package links with other calls"
sed -n 's/^set(CudaTrace_LINK_OPTIONS "\(.*\)")/\1/p' "$package" | tr ';' '\n' |
	sed -n 's/^LINKER:--wrap=//p' | sort >linked
diff both linked >&2 || fail "the CMake package links programs for CPUs with other calls"
