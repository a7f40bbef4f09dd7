# SPDX-License-Identifier: Apache-2.0
# Build a CMake project with tracing, without changing it:
#   cmake --toolchain <prefix>/lib/cudatrace/cmake/cuda-trace-toolchain.cmake ...
# CUDATRACE_TARGET (cache variable, or the environment at configure time)
# chooses gpu or cpu.
foreach(CudaTrace_up 1 2 3 4 5 6)
	string(REPEAT "/.." ${CudaTrace_up} CudaTrace_path)
	get_filename_component(CudaTrace_root "${CMAKE_CURRENT_LIST_DIR}${CudaTrace_path}" ABSOLUTE)
	if(EXISTS ${CudaTrace_root}/bin/cuda-trace-clang)
		break()
	endif()
endforeach()
if(NOT EXISTS ${CudaTrace_root}/bin/cuda-trace-clang)
	message(FATAL_ERROR "cuda-trace-clang not found above ${CMAKE_CURRENT_LIST_DIR}; use the toolchain file of the installation or of the build tree")
endif()

if(NOT DEFINED CUDATRACE_TARGET AND DEFINED ENV{CUDATRACE_TARGET})
	set(CUDATRACE_TARGET "$ENV{CUDATRACE_TARGET}" CACHE STRING "What cuda-trace-clang compiles for: gpu or cpu")
endif()
# Compiler checks configure projects of their own; they need it as well.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUDATRACE_TARGET)

set(CMAKE_C_COMPILER ${CudaTrace_root}/bin/cuda-trace-clang)
set(CMAKE_CXX_COMPILER ${CudaTrace_root}/bin/cuda-trace-clang++)
set(CMAKE_CUDA_COMPILER ${CudaTrace_root}/bin/cuda-trace-clang++)
# CMake looks for the toolkit by itself and wants to be given its place; the
# wrapper's is the one it was built with unless CUDA_HOME names another.
if(NOT DEFINED CUDAToolkit_ROOT AND NOT DEFINED ENV{CUDAToolkit_ROOT})
	foreach(CudaTrace_cuda "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" "@CT_CUDA_PATH@")
		if(CudaTrace_cuda AND EXISTS ${CudaTrace_cuda}/include/cuda_runtime.h)
			set(CUDAToolkit_ROOT ${CudaTrace_cuda})
			break()
		endif()
	endforeach()
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUDAToolkit_ROOT)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
	set(CMAKE_CUDA_ARCHITECTURES 75) # CUDA 13's oldest; its PTX runs on newer ones
endif()
if(CUDATRACE_TARGET)
	foreach(CudaTrace_language C CXX CUDA)
		set(CMAKE_${CudaTrace_language}_FLAGS_INIT "--ct-target=${CUDATRACE_TARGET}")
	endforeach()
	foreach(CudaTrace_kind EXE SHARED MODULE) # CUDA's link rules leave the language's flags out
		set(CMAKE_${CudaTrace_kind}_LINKER_FLAGS_INIT "--ct-target=${CUDATRACE_TARGET}")
	endforeach()
endif()
