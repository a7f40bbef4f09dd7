# SPDX-License-Identifier: Apache-2.0
# Tests of the compiler wrappers and of ctrun.
foreach(name options commands plain outputs failures signals libraries gpu rdc shared)
	ct_add_cli_test(driver-${name} driver-${name}.sh)
endforeach()
foreach(name documents options run)
	ct_add_cli_test(ctrun-${name} ctrun-${name}.sh)
endforeach()
ct_add_cli_test(runtime-real runtime-real.sh ${CT_PARTS_DIR}/libcudatrace-gpu.a
	${CMAKE_SOURCE_DIR}/include/cudatrace/api.def)
ct_add_cli_test(driver-install driver-install.sh ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND})
# They compile a good deal, and other tests may run beside them.
foreach(name outputs failures gpu rdc commands install)
	set_tests_properties(cli.driver-${name} PROPERTIES TIMEOUT 400)
endforeach()
foreach(name driver-commands driver-plain)
	set_property(TEST cli.${name} APPEND PROPERTY ENVIRONMENT
		"CT_CLANG=${CT_CLANG};CT_CLANGXX=${CT_CLANGXX}")
endforeach()
if(CT_SANITIZE) # only the compiler whose sanitizer the archives carry can link them
	set_property(TEST cli.driver-install APPEND PROPERTY ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER}")
endif()
