# SPDX-License-Identifier: Apache-2.0
# find_package(CudaTrace) and the toolchain file, in the installation and in the build tree.
include(CMakePackageConfigHelpers)

set(CT_CMAKEDIR ${CT_LIBDIR}/cmake)
# The linker's options for the calls of api.def: those of both targets, and of the GPU's alone.
file(STRINGS ${CMAKE_SOURCE_DIR}/include/cudatrace/api.def ct_calls
	REGEX "^CT_API_[A-Z_]+\\([A-Za-z_]+, [A-Za-z0-9]+, [_v0-9]*, [A-Z]+, [A-Z]+, ")
foreach(call ${ct_calls})
	string(REGEX MATCH "^CT_API_[A-Z_]+\\([A-Za-z_]+, ([A-Za-z0-9]+), ([_v0-9]*), ([A-Z]+), ([A-Z]+), " call "${call}")
	set(ct_symbols ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
	if(NOT CMAKE_MATCH_3 STREQUAL NONE)
		string(TOLOWER ${CMAKE_MATCH_3} ct_thread)
		list(APPEND ct_symbols ${ct_symbols}_${ct_thread})
	endif()
	set(ct_target)
	if(CMAKE_MATCH_4 STREQUAL GPU)
		set(ct_target _GPU)
	endif()
	list(TRANSFORM ct_symbols PREPEND LINKER:--wrap=)
	list(APPEND CudaTrace_LINK_OPTIONS${ct_target} ${ct_symbols})
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/cudatrace/api.def)
foreach(symbol __ct_* __wrap_cu* ct_abi_v3)
	list(APPEND CudaTrace_LINK_OPTIONS LINKER:--export-dynamic-symbol=${symbol})
endforeach()
if(CT_SANITIZE) # the runtime archives carry it
	list(APPEND CudaTrace_LINK_OPTIONS -fsanitize=${CT_SANITIZE})
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/CudaTraceConfig.cmake.in
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfig.cmake
	INSTALL_DESTINATION ${CT_CMAKEDIR}
	PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CT_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfigVersion.cmake
	COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/cuda-trace-toolchain.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/cuda-trace-toolchain.cmake @ONLY)
install(FILES
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfig.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfigVersion.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/cuda-trace-toolchain.cmake
	DESTINATION ${CT_CMAKEDIR})
