# SPDX-License-Identifier: Apache-2.0
# Find LLVM/Clang and the CUDA toolkit.
#   CT_LLVM_VERSIONS  acceptable majors, best first
#   CT_CLANG, CT_CLANGXX, CT_LLVM_TOOLS   the compiler that users compile with, and its tools
#   CT_CUDA_PATH      toolkit root for --cuda-path: headers, libdevice, ptxas, fatbinary
set(CT_LLVM_VERSIONS 22 21 20 CACHE STRING "LLVM majors to try, best first")

foreach(version ${CT_LLVM_VERSIONS})
	# By path: the version file wants major.minor exactly.
	find_package(LLVM CONFIG QUIET NO_DEFAULT_PATH
		PATHS ${LLVM_DIR} /usr/lib/llvm-${version}/lib/cmake/llvm)
	if(LLVM_FOUND)
		break()
	endif()
endforeach()
if(NOT LLVM_FOUND)
	message(FATAL_ERROR "LLVM ${CT_LLVM_VERSIONS} not found. Run ./setup.sh deps, or set LLVM_DIR.")
endif()
find_package(Clang CONFIG REQUIRED HINTS ${LLVM_LIBRARY_DIR}/cmake/clang)

set(CT_LLVM_TOOLS ${LLVM_TOOLS_BINARY_DIR})
find_program(CT_CLANG NAMES clang-${LLVM_VERSION_MAJOR} clang HINTS ${CT_LLVM_TOOLS} NO_DEFAULT_PATH REQUIRED)
find_program(CT_CLANGXX NAMES clang++-${LLVM_VERSION_MAJOR} clang++ HINTS ${CT_LLVM_TOOLS} NO_DEFAULT_PATH REQUIRED)

# The toolkit: as FindCUDAToolkit does, CUDA_HOME first, else the one that
# setup.sh put into the build tree.
set(CT_CUDA_PATH "" CACHE PATH "CUDA toolkit root (headers, nvvm/libdevice, bin/ptxas)")
if(NOT CT_CUDA_PATH)
	foreach(candidate $ENV{CUDA_HOME} $ENV{CUDA_PATH} ${CMAKE_SOURCE_DIR}/build/cuda /usr/local/cuda)
		if(EXISTS ${candidate}/include/cuda_runtime.h)
			set(CT_CUDA_PATH ${candidate} CACHE PATH "" FORCE)
			break()
		endif()
	endforeach()
endif()
if(NOT CT_CUDA_PATH)
	message(FATAL_ERROR "No CUDA toolkit found. Set CUDA_HOME, or run ./setup.sh deps.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}, CUDA toolkit ${CT_CUDA_PATH}")

add_library(ct_llvm INTERFACE)
target_include_directories(ct_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
separate_arguments(ct_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(ct_llvm INTERFACE CT_LLVM_MAJOR=${LLVM_VERSION_MAJOR})
target_compile_options(ct_llvm INTERFACE ${ct_llvm_definitions} -fno-rtti -fno-exceptions)
