# SPDX-License-Identifier: Apache-2.0
# libraries DIRECTORY FILE...: copies the shared libraries that the files need, but for
# the C library's own, to where they have no packages.
libraries() {
	directory=$1
	shift
	mkdir -p "$directory"
	ldd "$@" | awk '$3 ~ /^\// && $3 !~ /\/(libc|libm|libpthread|libdl|librt)\.so/ { print $3 }' |
		sort -u | xargs -r -I{} cp -L {} "$directory"
}
