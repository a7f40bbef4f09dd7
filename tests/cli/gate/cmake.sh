# SPDX-License-Identifier: Apache-2.0
# cmake.sh CMAKE
# A CMake project (project/) whose tests are gates: without a baseline a test says how to write one, with
# it the test passes, on a new problem it fails and names it, and passes again with a new baseline.
. "$CT_CLI/shared/driver.sh"
cmake=$1
ctest=$(dirname "$1")/ctest

cp -r "$CT_CLI/gate/project" project
cp "$CT_CLI/gate/gate.cu" project/solver.cpp
echo 'strided-accesses solver.cpp # the table is small' >project/expected.txt
configure() {
	status 0 "$cmake" -S project -B build --toolchain "$CT_BIN/../lib/cudatrace/cmake/cuda-trace-toolchain.cmake" \
		-DCUDATRACE_TARGET=cpu -DCudaTrace_DIR="$CT_BIN/../lib/cudatrace/cmake" "$@"
	status 0 "$cmake" --build build
}
configure

status 8 "$ctest" --test-dir build --output-on-failure
has out 'known.json is missing: the target'
has out 'solver.new.baseline'
has out '67% tests passed, 1 tests failed out of 3'
status 0 "$cmake" --build build --target solver.new.baseline
jq -e '[.problems[] | select(.id == "strided-accesses") | .file, .function] == ["solver.cpp", "columns"]' project/known.json >log ||
	fail "baseline: $(cat project/known.json)"
status 0 "$ctest" --test-dir build -R new
has out '100% tests passed, 0 tests failed out of 1'
[ "$(jq -r '[.runs[0].results[] | select(.ruleId == "strided-accesses") | .baselineState, .locations[0].physicalLocation.artifactLocation.uri] |
	join(" ")' build/solver.sarif)" = 'unchanged solver.cpp' ] || fail "sarif: $(jq -c '.runs[0].results' build/solver.sarif)"

configure -DMORE=ON
status 8 "$ctest" --test-dir build --output-on-failure -R new
has out '1 problem meets --fail-on=new,uncoalesced: strided-accesses at solver.cpp:'
has out 'more: '
has out 'explain N '
status 0 "$cmake" --build build --target solver.new.baseline
status 0 "$ctest" --test-dir build -R new
