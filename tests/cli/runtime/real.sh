# SPDX-License-Identifier: Apache-2.0
# runtime-real.sh ARCHIVE API_DEF
# The runtime's own calls are not the program's: of wrapped calls it uses the
# real ones only, and it has a wrapper for each. (The compiler's stub of our own
# kernel names cudaLaunchKernel; nothing calls it.)
archive=$1 api=$2
sed -n 's/^CT_API\(_GPU\)\{0,1\}(\(.*\))$/\2/p' "$api" | sort >wrapped
[ "$(wc -l <wrapped)" -gt 100 ] || { echo "FAILED: no list of calls in $api" >&2; exit 1; }
nm -u "$archive" | awk '{ print $2 }' | sort -u >used
nm --defined-only "$archive" | sed -n 's/^.* T __wrap_//p' | sort -u >defined
comm -12 wrapped used | grep -v '^cudaLaunchKernel$' >recorded
[ ! -s recorded ] || { echo "FAILED: host-rt would record its own calls of:" $(cat recorded) >&2; exit 1; }
comm -3 wrapped defined >unequal
[ ! -s unequal ] || { echo "FAILED: wrapped without a wrapper, or the other way round:" $(cat unequal) >&2; exit 1; }
