# SPDX-License-Identifier: Apache-2.0
# Flags that every target of ours shares, as one interface target.
option(CT_WERROR "Treat warnings as errors" OFF)
set(CT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

add_library(ct_flags INTERFACE)
target_compile_options(ct_flags INTERFACE -Wall -Wextra
	$<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes>
	$<$<BOOL:${CT_WERROR}>:-Werror>)
# Contracts are <cudatrace/...>; everything else is named by its path from here: its module and room.
target_include_directories(ct_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR})
# What runs in the compiler or is linked into users' programs as they are
# cannot carry a sanitizer's runtime; everything else links this as well.
add_library(ct_sanitize INTERFACE)
if(CT_SANITIZE)
	# -O1, as Clang advises with sanitizers: the tests take three quarters of the time.
	target_compile_options(ct_sanitize INTERFACE -O1 -fsanitize=${CT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
	target_link_options(ct_sanitize INTERFACE -fsanitize=${CT_SANITIZE})
endif()

# ct_rooms(VARIABLE room...): the sources of these rooms, folders of the current directory.
function(ct_rooms variable)
	set(sources)
	foreach(room ${ARGN})
		file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.c
			${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
		if(NOT found)
			message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${room} holds no sources")
		endif()
		list(APPEND sources ${found})
	endforeach()
	set(${variable} ${sources} PARENT_SCOPE)
endfunction()
