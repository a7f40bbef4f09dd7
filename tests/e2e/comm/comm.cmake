# SPDX-License-Identifier: Apache-2.0
# Communication of small programs, against figures derived by hand.
add_executable(check-figures ${CMAKE_CURRENT_LIST_DIR}/check-figures.c)
target_include_directories(check-figures PRIVATE ${CT_JANSSON_INCLUDE})
target_link_libraries(check-figures PRIVATE ct_flags ${CT_JANSSON} m)

file(GLOB figures CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/expected/*.json)
foreach(expected ${figures})
	get_filename_component(name ${expected} NAME)
	string(REGEX REPLACE "\\.json$" "" name ${name})
	string(REGEX REPLACE "\\..*" "" program ${name})
	if(name STREQUAL program)
		ct_e2e_program(comm-${program} ${CMAKE_CURRENT_LIST_DIR}/${program}.cu)
	endif()
	ct_e2e_test(e2e-comm-${name} TIER test PROGRAMS comm-${program}
		COMMAND ${e2e}/run-comm.sh ${bin} ${programs}/comm-${program} ${expected} ${run}/comm-${name})
	set_property(TEST e2e-comm-${name} APPEND PROPERTY LABELS comm)
endforeach()
