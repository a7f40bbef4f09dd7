# SPDX-License-Identifier: Apache-2.0
# find_package(CudaTrace) and the toolchain file, in the installation and in the build tree.
include(CMakePackageConfigHelpers)

set(CT_CMAKEDIR ${CT_LIBDIR}/cmake)
# ct_wraps(VARIABLE KIND): the linker's options for the calls of api.def of that kind
function(ct_wraps variable kind)
	file(STRINGS ${CMAKE_SOURCE_DIR}/include/cudatrace/api.def lines REGEX "^${kind}\\(")
	list(TRANSFORM lines REPLACE "^${kind}\\((.*)\\)$" "LINKER:--wrap=\\1")
	set(${variable} ${lines} PARENT_SCOPE)
endfunction()
ct_wraps(CudaTrace_LINK_OPTIONS CT_API)
ct_wraps(CudaTrace_LINK_OPTIONS_GPU CT_API_GPU)
foreach(symbol __ct_* __wrap_cu* ct_abi_v1)
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
