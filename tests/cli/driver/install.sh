# SPDX-License-Identifier: Apache-2.0
# An installed tree works after it has been moved: tools, toolchain file, find_package, the toolkit for
# links by others, man pages, the file of Environment Modules.
. "$CT_CLI/shared/driver.sh"
build=$1
cmake=$2

"$cmake" --install "$build" --prefix "$PWD/first" >log 2>&1 || {
	cat log >&2
	fail "install"
}
mv first moved
parts=$(dirname "$(find moved -name ct-llvm-pass.so)")
kernel_source k.cu
status 0 moved/bin/cuda-trace-clang++ --ct-target=cpu -O1 k.cu -o k
status 0 moved/bin/ctrun -o k.ctrace ./k
has err 'traced 1 launch (1 kernel)'


# Files that others link with are made where the tree was moved to, once, whoever asks at the same
# time.
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
for i in 1 2 3 4; do
	moved/bin/cuda-trace-nvcc --ct-target=cpu -dryrun -c k.cu >dry$i 2>&1 &
done
wait
for i in 1 2 3 4; do
	lacks dry$i 'warning: '
	grep -F '#$ TOP=' dry$i >top
	has top "TOP=$XDG_CACHE_HOME/cuda-trace/toolkit-"
done
view=$(sed -n 's/^#\$ TOP=//p' dry1)
status 0 moved/bin/cuda-trace-nvcc --ct-target=cpu -O1 -c k.cu
status 0 c++ k.o -o other -L"$view/lib64" -lcudart
status 0 ./other
readelf -d other >needed
has needed "$PWD/moved/lib"
status 0 env HOME=relative XDG_CACHE_HOME=relative moved/bin/cuda-trace-nvcc --ct-target=cpu -dryrun -c k.cu
has err 'programs that others link are not traced'

# Documents that --help names are there.
documents=$(dirname "$(find "$PWD/moved" -path '*/share/doc/*/problems.md')")
for tool in 'ctpost' 'ctrun' 'cuda-trace-clang'; do
	for command in '' $(moved/bin/$tool --help 2>/dev/null | sed -n "s/^  \($tool \)*\([a-z][a-z]*\)  .*/\2/p"); do
		moved/bin/$tool $command --help
	done
done >helps 2>/dev/null
grep -o 'docs/[a-z-]*\.md' helps | sort -u >named
[ "$(wc -l <named)" -gt 10 ] || fail "--help names few documents: $(cat named)"
while read -r name; do
	[ -s "$documents/${name#docs/}" ] || fail "$name is not installed"
done <named
grep -q 'share/doc/cuda-trace/NAME.md' helps && [ -s "$documents/README.md" ] || fail 'no way to the documents'
for page in cuda-trace-clang cuda-trace-clang++ cuda-trace-nvcc ctrun ctpost; do
	find moved -name $page.1 | grep -q . || fail "no man page of $page"
done
if command -v tclsh >/dev/null; then
	cat >load.tcl <<'END'
proc module-whatis {text} {}
proc conflict {name} {}
proc setenv {name value} { puts "$name=$value" }
proc prepend-path {name value} { puts "$name=$value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
END
	status 0 tclsh load.tcl "$(find "$PWD/moved" -path '*/modulefiles/cuda-trace/*')"
	for variable in CMAKE_PREFIX_PATH= CUDATRACE_ROOT= PATH= MANPATH=; do has out "$variable$PWD/moved"; done
	has out "$PWD/moved/bin"
fi

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(uses LANGUAGES CXX)
find_package(CudaTrace 0.1 REQUIRED)
foreach(target headers runtime runtime_cpu)
	if(NOT TARGET CudaTrace::${target})
		message(FATAL_ERROR "no CudaTrace::${target}")
	endif()
endforeach()
foreach(file COMPILER CXX_COMPILER NVCC CTRUN CTPOST TOOLCHAIN_FILE)
	if(NOT EXISTS "${CudaTrace_${file}}")
		message(FATAL_ERROR "CudaTrace_${file}: no ${CudaTrace_${file}}")
	endif()
endforeach()
add_executable(k k.cpp ${CMAKE_CURRENT_SOURCE_DIR}/k.o)
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/k.o PROPERTIES EXTERNAL_OBJECT TRUE)
target_link_libraries(k PRIVATE CudaTrace::headers CudaTrace::runtime_cpu)
END
printf '#include <cudatrace/host.h>\nstatic const char *abi = &ct_abi_v6;\nextern "C" const char *used() { return abi; }\n' >project/k.cpp
status 0 moved/bin/cuda-trace-clang++ --ct-target=cpu -O1 -c k.cu -o project/k.o
# Linked by the system's compiler, with what the package says.
status 0 "$cmake" -S project -B linked -DCMAKE_PREFIX_PATH="$PWD/moved"
status 0 "$cmake" --build linked
status 0 "$ctrun" -o linked.ctrace linked/k
has err 'traced 1 launch (1 kernel)'

# The same project built by the toolchain file.
status 0 "$cmake" -S project -B crossed --toolchain "$PWD/$parts/cmake/cuda-trace-toolchain.cmake" \
	-DCUDATRACE_TARGET=cpu -DCMAKE_PREFIX_PATH="$PWD/moved"
status 0 "$cmake" --build crossed --verbose
has out 'cuda-trace-clang++'
status 0 crossed/k
