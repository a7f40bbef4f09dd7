# SPDX-License-Identifier: Apache-2.0
# The parts that run in the compiler, and the device code, as another build tree has them: no sanitizer is in
# them, so a sanitized build need not compile them again. That tree is built first, from the same sources.
set(CT_COMPILER_FROM "" CACHE PATH "Build tree to take the compiler's parts and the device code from")
if(NOT CT_COMPILER_FROM)
	return()
endif()

# ct_copied_part(FILE): FILE of that tree, relative to its root; the target is named after it
function(ct_copied_part file)
	get_filename_component(name ${file} NAME)
	add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/${file}
		COMMAND ${CMAKE_COMMAND} -E copy ${CT_COMPILER_FROM}/${file} ${CMAKE_BINARY_DIR}/${file}
		DEPENDS ${CT_COMPILER_FROM}/${file}
		COMMENT "Taking ${name} from ${CT_COMPILER_FROM}" VERBATIM)
	add_custom_target(copied-${name} ALL DEPENDS ${CMAKE_BINARY_DIR}/${file})
endfunction()

foreach(part ct-llvm-pass.so ct-clang-plugin.so ct-retarget device-rt.bc cpu-device-rt.bc)
	ct_copied_part(${CT_LIBDIR}/${part})
	install(PROGRAMS ${CT_PARTS_DIR}/${part} DESTINATION ${CT_LIBDIR})
endforeach()
ct_copied_part(device-rt/kernels.o)
add_custom_target(ct_kernels_object DEPENDS copied-kernels.o)
