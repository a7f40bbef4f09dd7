# SPDX-License-Identifier: Apache-2.0
# Failures: clang's diagnostics and exit status, nothing half-made left.
. "$CT_CLI/shared/driver.sh"
echo '__global__ void k(int *p) { *p = undeclared; }' >bad.cu
kernel_source k.cu

for target in gpu cpu; do
	status 1 "$cxx" --ct-target=$target -c bad.cu
	has err "bad.cu:1:34: error: use of undeclared identifier 'undeclared'"
	[ ! -e bad.o ] || fail "an object was left"
	status 1 "$cxx" --ct-target=$target -c missing.cu
	has err "no such file or directory: 'missing.cu'"
	status 1 "$cxx" --ct-target=$target -c k.cu -o nowhere/k.o
	status 1 "$cxx" --ct-target=$target bad.cu k.cu -o app
	[ ! -e app ] || fail "linked in spite of an error"
	status 1 env TMPDIR=/nonexistent "$cxx" --ct-target=$target -c k.cu
	one_line err
	has err 'cannot make a temporary directory in /nonexistent'
	rm -f k.o
done

# As clang does, the next input is compiled after a failure.
status 1 "$cxx" --ct-target=cpu -c bad.cu k.cu
[ -e k.o ] || fail "stopped at the first input"

# Warnings are said once per job, as by clang, and can be made errors.
status 0 "$cxx" --ct-target=cpu -c k.cu -lnothing
has err "-lnothing: 'linker' input unused"
status 1 "$cxx" --ct-target=cpu -Werror -Wunused -c -DX k.cu -Wno-such-warning
has err 'unknown warning option'

# Parallel compiles of one file do not disturb each other.
for i in 1 2 3 4; do
	"$cxx" --ct-target=cpu -c k.cu -o p$i.o &
done
wait
for i in 2 3 4; do
	cmp p1.o p$i.o || fail "parallel compiles differ"
done
no_leftovers
