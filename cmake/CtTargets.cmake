# SPDX-License-Identifier: Apache-2.0
# Flags that every target of ours shares, as one interface target.
option(CT_WERROR "Treat warnings as errors" OFF)
set(CT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

# Lines and functions for debuggers and sanitizers. Types and variables take a quarter of the compiler's time.
add_library(ct_flags INTERFACE)
target_compile_options(ct_flags INTERFACE $<$<CONFIG:RelWithDebInfo>:-g1>)
if(CT_SANITIZE)
	target_compile_options(ct_flags INTERFACE -g1)
endif()
target_compile_options(ct_flags INTERFACE -Wall -Wextra
	$<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes>
	$<$<BOOL:${CT_WERROR}>:-Werror>)
# Contracts are <cudatrace/...>; everything else is named by its path from here: its module and room.
target_include_directories(ct_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR})
# Code that runs in the compiler or is linked into users' programs as it is cannot carry a
# sanitizer's runtime; everything else links this as well.
add_library(ct_sanitize INTERFACE)
if(CT_SANITIZE)
	# -O1, as Clang advises with sanitizers: the tests take three quarters of the time.
	# AddressSanitizer finds accesses behind objects' ends; to check them twice takes a quarter of the compiler's
	# time.
	target_compile_options(ct_sanitize INTERFACE -O1 -fsanitize=${CT_SANITIZE} -fno-sanitize=object-size
		-fno-omit-frame-pointer -fno-sanitize-recover=undefined)
	target_link_options(ct_sanitize INTERFACE -fsanitize=${CT_SANITIZE})
	include(CheckLinkerFlag)
	check_linker_flag(C -fuse-ld=lld CT_HAS_LLD) # a fifth of the time
	if(CT_HAS_LLD)
		target_link_options(ct_sanitize INTERFACE -fuse-ld=lld)
	endif()
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

# LLVM's headers take most of the time of a C++ source of ours, so rooms that go together are compiled
# together. Off, each source is compiled alone: the preset dev, which so finds what an include hides.
option(CT_UNITY "Compile the C++ sources of several rooms as one" ON)

# ct_unity_rooms(VARIABLE group...): the sources of these rooms, as ct_rooms. A group, "room room", is one
# compilation with CT_UNITY.
function(ct_unity_rooms variable)
	set(sources)
	foreach(group ${ARGN})
		separate_arguments(rooms UNIX_COMMAND ${group})
		ct_rooms(found ${rooms})
		list(GET rooms 0 name)
		set_source_files_properties(${found} PROPERTIES UNITY_GROUP ${name})
		list(APPEND sources ${found})
	endforeach()
	set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# ct_compiler_part(TARGET): what runs inside the compiler, or as one
function(ct_compiler_part target)
	target_link_libraries(${target} PRIVATE ct_flags ct_llvm)
	target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-g1>)
	# std::stable_sort of libstdc++ 12 calls what C++17 deprecates, which Clang reports for each use.
	target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
	set_target_properties(${target} PROPERTIES
		CXX_VISIBILITY_PRESET hidden
		UNITY_BUILD ${CT_UNITY}
		UNITY_BUILD_MODE GROUP
		LIBRARY_OUTPUT_DIRECTORY ${CT_PARTS_DIR}
		RUNTIME_OUTPUT_DIRECTORY ${CT_PARTS_DIR})
endfunction()
