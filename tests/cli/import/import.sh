# SPDX-License-Identifier: Apache-2.0
# import: a trace that the other commands read, and that exports to the same bytes.
. "$CT_CLI/shared/ctpost.sh"
make_trace base

ctpost export --format=memtrace -o first base.ctrace 2>err
ctpost import --format=memtrace -o again.ctrace first/MemTrace-pipe-*
ctpost export --format=memtrace -o second again.ctrace
for file in first/*; do
	cmp "$file" "second/${file#first/}" || fail "$file is not the same after import and export"
done
# The size on disk depends on the version of zstd.
ctpost info --sites again.ctrace | without_sizes >out
golden info out
ctpost dump --limit=3 again.ctrace >out
golden dump out

# No trace of ours holds this: an SM and a CTA at their limits, an address of 64 bits, a type with
# an odd size, an empty section, a name with spaces.
{
	printf '\030\nk (a b)\n'
	printf '\007\000\000\320\377\017\000\000\377\377\377\377\377\377\377\377\377\377\377\377\001\000\000\000'
	printf '\000\000\000\040\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
	head -c 24 /dev/zero
	printf 'empty\n'
	head -c 24 /dev/zero
} >MemTrace-pipe-3
ctpost import --format=memtrace -o odd.ctrace MemTrace-pipe-3
ctpost export --format=memtrace -o odd odd.ctrace
cmp MemTrace-pipe-3 odd/MemTrace-pipe-3 || fail "odd records are not the same"

# A file that holds nothing but its first line.
printf '\030\n' >MemTrace-pipe-4
status 0 ctpost import --format=memtrace -o nothing.ctrace MemTrace-pipe-4

printf 'hello' >bad
status 1 ctpost import --format=memtrace -o bad.ctrace bad
one_line "bad: not a memtrace file"
head -c 500 first/MemTrace-pipe-0 >cut
status 1 ctpost import --format=memtrace -o bad.ctrace cut
one_line "cut: ends inside kernel expand(int const*) after 19 records"
{
	printf '\030\nk\n'
	printf '\004\000\000\360\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
	head -c 24 /dev/zero
} >type
status 1 ctpost import --format=memtrace -o bad.ctrace type
one_line "type 15 is not defined"
[ ! -e bad.ctrace ] || fail "a trace was begun from a bad file"
status 1 ctpost import --format=memtrace -o bad.ctrace absent
one_line "absent: No such file"
