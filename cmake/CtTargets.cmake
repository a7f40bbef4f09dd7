# SPDX-License-Identifier: Apache-2.0
# Flags that every target of ours shares, as one interface target.
option(CT_WERROR "Treat warnings as errors" OFF)
set(CT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

add_library(ct_flags INTERFACE)
target_compile_options(ct_flags INTERFACE -Wall -Wextra
	$<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes>
	$<$<BOOL:${CT_WERROR}>:-Werror>)
target_include_directories(ct_flags INTERFACE ${CMAKE_SOURCE_DIR}/include)
# What runs in the compiler or is linked into users' programs as they are
# cannot carry a sanitizer's runtime; everything else links this as well.
add_library(ct_sanitize INTERFACE)
if(CT_SANITIZE)
	# -O1, as Clang advises with sanitizers: the tests take three quarters of the time.
	target_compile_options(ct_sanitize INTERFACE -O1 -fsanitize=${CT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
	target_link_options(ct_sanitize INTERFACE -fsanitize=${CT_SANITIZE})
endif()
