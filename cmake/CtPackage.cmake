# SPDX-License-Identifier: Apache-2.0
# find_package(CudaTrace) and the toolchain file, in the installation and in the build tree.
include(CMakePackageConfigHelpers)

set(CT_CMAKEDIR ${CT_LIBDIR}/cmake)
# Shared libraries find the one runtime of the process in the program.
foreach(symbol __ct_* ct_abi_v6 cuda* __cuda* cu[A-Z]*)
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
foreach(file CudaTraceFindings.cmake CudaTraceFindingsTest.cmake)
	configure_file(${CMAKE_CURRENT_LIST_DIR}/${file} ${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/${file} COPYONLY)
endforeach()
install(FILES
	${CMAKE_CURRENT_LIST_DIR}/CudaTraceFindings.cmake
	${CMAKE_CURRENT_LIST_DIR}/CudaTraceFindingsTest.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfig.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/CudaTraceConfigVersion.cmake
	${CMAKE_BINARY_DIR}/${CT_CMAKEDIR}/cuda-trace-toolchain.cmake
	DESTINATION ${CT_CMAKEDIR})

# A package has these besides: a file for Environment Modules, what Debian's policy asks for.
set(CPACK_PACKAGE_CONTACT "the cuda-trace authors <maintainers@cuda-trace.invalid>" CACHE STRING
	"Who maintains packages that are made of this")
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%cD
	OUTPUT_VARIABLE CT_PACKAGE_DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT CT_PACKAGE_DATE) # no repository: sources of a release
	string(TIMESTAMP CT_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
set(from ${CMAKE_CURRENT_LIST_DIR}/package)
set(made ${CMAKE_BINARY_DIR}/package)
configure_file(${from}/modulefile.in ${made}/modulefile @ONLY)
configure_file(${from}/changelog.in ${made}/changelog @ONLY)
install(FILES ${made}/modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/cuda-trace
	RENAME ${PROJECT_VERSION})
install(FILES ${from}/copyright ${made}/changelog DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Users read these; links to sources and results of experiments lead to the repository.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
	FILES_MATCHING PATTERN *.md PATTERN *.png)

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler-based tracer of memory accesses of CUDA programs")
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${from}/finish.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_VERSION_MAJOR}, llvm-${LLVM_VERSION_MAJOR}, binutils")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-tools-${LLVM_VERSION_MAJOR}, libomp-${LLVM_VERSION_MAJOR}-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cuda-toolkit-13-0")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${from}/postinst ${from}/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "It compiles unchanged CUDA sources with Clang so that every access to
global memory can be recorded, warp by warp, with its source line, kernel
launch and allocation, on an NVIDIA GPU or on CPU threads; ctpost reads the
traces. A CUDA toolkit, which is no package of Debian, is needed: set
CUDA_HOME; cuda-trace-clang --ct-doctor says what is missing.")
include(CPack)
