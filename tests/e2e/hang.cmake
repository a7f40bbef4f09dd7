# SPDX-License-Identifier: Apache-2.0
# The programs of tests/gpu/hang on the CPU target, with little to do.
function(ct_e2e_hang test program)
	foreach(ring 64M 8K)
		set(sanitized full)
		if(ring STREQUAL 8K AND NOT program STREQUAL oversubscribed) # that one has the most warps
			set(sanitized test)
		endif()
		ct_e2e_test(e2e-hang-${test}-${ring} TIER test SANITIZED ${sanitized} PROGRAMS hang-${program}
			COMMAND ${CMAKE_SOURCE_DIR}/tests/gpu/run-hang.sh ${bin} ${e2e}
				${programs}/hang-${program} 4 ${ring} ${run}/hang-${test}-${ring} ${ARGN})
	endforeach()
endfunction()

file(GLOB hangs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/gpu/hang/*.cu)
foreach(source ${hangs})
	get_filename_component(hang ${source} NAME_WE)
	ct_e2e_program(hang-${hang} -I${e2e}/features ${source})
	if(hang STREQUAL failing)
		foreach(how trap assert fault)
			ct_e2e_hang(failing-${how} failing ${how})
		endforeach()
	else()
		ct_e2e_hang(${hang} ${hang})
	endif()
endforeach()

ct_e2e_test(e2e-hang-divergent-drop TIER test PROGRAMS hang-divergent
	COMMAND ${CMAKE_SOURCE_DIR}/tests/gpu/run-hang.sh ${bin} ${e2e}
		${programs}/hang-divergent 4 8K ${run}/hang-divergent-drop drop)
