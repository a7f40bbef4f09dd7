# SPDX-License-Identifier: Apache-2.0
# find_package(CudaTrace) and the toolchain file, in the installation and in the build tree.
include(CMakePackageConfigHelpers)

set(CT_CMAKEDIR ${CT_LIBDIR}/cmake)
# Shared libraries find the one runtime of the process in the program.
foreach(symbol __ct_* ct_abi_v3 cuda* __cuda* cu[A-Z]*)
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
