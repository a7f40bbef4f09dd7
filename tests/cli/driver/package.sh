# SPDX-License-Identifier: Apache-2.0
# package.sh BUILD CPACK
# The package for Debian: lintian has nothing to say, what it depends on is there, what is in it compiles and
# traces.
. "$CT_CLI/shared/driver.sh"
build=$1
cpack=$2

command -v dpkg-shlibdeps >/dev/null || exit 0
status 0 "$cpack" --config "$build/CPackConfig.cmake" -B packed
package=$(find packed -maxdepth 1 -name '*.deb')
if command -v lintian >/dev/null; then
	status 0 lintian --allow-root --fail-on error,warning "$package"
	[ ! -s out ] || fail "lintian: $(cat out)"
fi
status 0 dpkg-deb -f "$package" Depends
for name in clang- llvm- binutils libzstd libjansson; do has out "$name"; done
status 0 dpkg-deb -x "$package" unpacked
kernel_source k.cu
status 0 unpacked/usr/bin/cuda-trace-clang++ --ct-target=cpu -O1 k.cu -o k
status 0 unpacked/usr/bin/ctrun -o k.ctrace ./k
has err 'traced 1 launch (1 kernel)'
status 0 unpacked/usr/bin/ctpost info k.ctrace
status 0 unpacked/usr/bin/cuda-trace-clang++ -O1 k.cu -o k
