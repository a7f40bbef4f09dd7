# SPDX-License-Identifier: Apache-2.0
# export --format=memtrace: files per stream, record layout byte by byte, warnings.
. "$CT_CLI/shared/ctpost.sh"
make_trace base

status 0 ctpost export --format=memtrace -o pipes base.ctrace
grep -q "8 accesses of operation atomic_nand were exported as atomic_and" err || fail "no word of atomic_nand"
grep -q "1 launches were not traced and are left out" err || fail "no word of launch 3"
[ "$(ls pipes | tr '\n' ' ')" = "MemTrace-pipe-0 MemTrace-pipe-5 " ] || fail "files: $(ls pipes)"

# Stream 0: size, LF, name, LF, 192 records, end.
file=pipes/MemTrace-pipe-0
[ "$(wc -c <$file)" = $((2 + 19 + 193 * 24)) ] || fail "size $(wc -c <$file)"
[ "$(head -c 21 $file | tail -n 1)" = "expand(int const*)" ] || fail "kernel name"

# bytes FILE OFFSET COUNT: in hexadecimal
bytes() {
	od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'
}
[ "$(bytes $file 0 2)" = 180a ] || fail "first line"
# Thread 0: a load (1 << 28) of 4 bytes on SM 0 from 0x7f0000000000 by CTA (0,0,0).
[ "$(bytes $file 21 24)" = 040000100000000000000000007f00000000000000000000 ] ||
	fail "first record $(bytes $file 21 24)"
# Warp 0 of CTA 1: 96 records later, SM 3, element 64, CTA.x 1.
[ "$(bytes $file $((21 + 96 * 24)) 24)" = 040000100300000000010000007f00000000000001000000 ] ||
	fail "record of CTA 1 $(bytes $file $((21 + 96 * 24)) 24)"
[ "$(bytes $file $((21 + 192 * 24)) 24)" = 000000000000000000000000000000000000000000000000 ] ||
	fail "end of trace"

# Stream 5: two launches, the second with CTA.y and atomics.
file=pipes/MemTrace-pipe-5
[ "$(wc -c <$file)" = $((2 + 19 + 193 * 24 + 11 + (4 * 39 + 1) * 24)) ] || fail "size $(wc -c <$file)"
second=$((21 + 193 * 24 + 11))
# CTA (0,1,0) is the third: an atomic_add (3 << 28) of 4 bytes on SM 6.
[ "$(bytes $file $((second + 2 * 39 * 24)) 24)" = 040000300600000000000200007f00000000010000000000 ] ||
	fail "atomic $(bytes $file $((second + 2 * 39 * 24)) 24)"

status 1 ctpost export --format=memtrace -o pipes base.ctrace
grep -q "pipes: not empty" err || fail "wrote into a directory in use"
