# SPDX-License-Identifier: Apache-2.0
# program_of SOURCE: the program that it is compiled into, with others of its kind
program_of() {
	program=kernels
	! grep -q 'asm' "$1" || program=assembly
	grep -q '__global__' "$1" || program=calls
	echo $program
}
