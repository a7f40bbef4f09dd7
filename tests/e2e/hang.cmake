# SPDX-License-Identifier: Apache-2.0
# The programs of tests/gpu/hang on the CPU target, with little to do.
function(ct_e2e_hang test program)
	foreach(ring 64M 8K)
		ct_e2e_test(e2e-hang-${test}-${ring} hang-${program}
			${CMAKE_SOURCE_DIR}/tests/gpu/run-hang.sh ${bin} ${CMAKE_CURRENT_SOURCE_DIR}
			${programs}/hang-${program} 4 ${ring}
			${CMAKE_CURRENT_BINARY_DIR}/run/hang-${test}-${ring} ${ARGN})
	endforeach()
endfunction()

file(GLOB hangs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gpu/hang/*.cu)
foreach(source ${hangs})
	get_filename_component(hang ${source} NAME_WE)
	ct_e2e_program(hang-${hang} -I${CMAKE_CURRENT_SOURCE_DIR}/features ${source})
	if(hang STREQUAL failing)
		foreach(how trap assert fault)
			ct_e2e_hang(failing-${how} failing ${how})
		endforeach()
	else()
		ct_e2e_hang(${hang} ${hang})
	endif()
endforeach()

ct_e2e_test(e2e-hang-divergent-drop hang-divergent
	${CMAKE_SOURCE_DIR}/tests/gpu/run-hang.sh ${bin} ${CMAKE_CURRENT_SOURCE_DIR}
	${programs}/hang-divergent 4 8K ${CMAKE_CURRENT_BINARY_DIR}/run/hang-divergent-drop drop)
