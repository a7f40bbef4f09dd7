# SPDX-License-Identifier: Apache-2.0
# ct_product builds what an installation needs: every target of the folders added so far that is built by
# default.
function(ct_default_targets variable directory)
	get_property(found DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
	set(targets)
	foreach(target ${found})
		get_target_property(type ${target} TYPE)
		get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
		if(NOT excluded AND NOT type STREQUAL INTERFACE_LIBRARY)
			list(APPEND targets ${target})
		endif()
	endforeach()
	get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
	foreach(subdirectory ${subdirectories})
		ct_default_targets(found ${subdirectory})
		list(APPEND targets ${found})
	endforeach()
	set(${variable} ${targets} PARENT_SCOPE)
endfunction()

ct_default_targets(ct_product_targets ${CMAKE_SOURCE_DIR})
add_custom_target(ct_product DEPENDS ${ct_product_targets})
