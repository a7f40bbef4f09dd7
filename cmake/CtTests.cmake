# SPDX-License-Identifier: Apache-2.0
# How tests are added. Every test is in one tier, a label of ctest beside its group's (unit, cli, e2e…):
#   quick    what is run before each commit
#   test     what continuous integration runs besides
#   full     the rest; of CT_PARTS parts, `setup.sh test` takes the one that the commit chooses
#   soak     what may take as long as it likes: only in `setup.sh test full`
#   fixture  what others need; it runs when one of them does
# Tests of full come into parts in turns, in the order in which they are added, so that those of a kind, which
# take about as long, are in different parts: label part-<n>.
set(CT_PARTS 20)

# ct_naive_sources(SOURCE...): of programs that only say what is expected. A sanitizer of them finds nothing
# of the product, and takes most of the time; what they call of it is sanitized.
function(ct_naive_sources)
	if(CT_SANITIZE)
		set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all")
	endif()
endfunction()

# ct_add_test(NAME GROUP group TIER tier [SANITIZED tier] [TIMEOUT seconds] [NEEDS fixture...]
#	COMMAND command...)
#   SANITIZED  its tier in a sanitized build, where that differs; "none": nothing of it is sanitized
#   TIMEOUT    120 if not said: what only a hang takes. Three times as long with AddressSanitizer, ten times
#              under ThreadSanitizer
#   NEEDS      fixtures, as FIXTURES_REQUIRED
# Without a test of that name (SANITIZED none) nothing else may be said of it: if(TEST name).
function(ct_add_test name)
	cmake_parse_arguments(arg "" "GROUP;TIER;SANITIZED;TIMEOUT" "NEEDS;COMMAND" ${ARGN})
	set(tier ${arg_TIER})
	if(CT_SANITIZE AND arg_SANITIZED)
		set(tier ${arg_SANITIZED})
	endif()
	if(arg_UNPARSED_ARGUMENTS OR NOT arg_GROUP OR NOT arg_COMMAND
			OR NOT arg_TIER MATCHES "^(quick|test|full|soak|fixture)$"
			OR NOT tier MATCHES "^(quick|test|full|soak|fixture|none)$")
		message(FATAL_ERROR "ct_add_test(${name}): no group, tier or command, or another word: ${ARGN}")
	endif()
	if(tier STREQUAL none)
		return()
	endif()
	set(labels ${arg_GROUP} ${tier})
	if(tier STREQUAL full)
		get_property(part GLOBAL PROPERTY ct_last_part)
		if(NOT part OR part EQUAL CT_PARTS)
			set(part 0)
		endif()
		math(EXPR part "${part} + 1")
		set_property(GLOBAL PROPERTY ct_last_part ${part})
		list(APPEND labels part-${part})
	endif()
	if(NOT arg_TIMEOUT)
		set(arg_TIMEOUT 120)
	endif()
	set(environment CUDATRACE_KEEP_FREE=set:off)
	if(CT_SANITIZE MATCHES address)
		math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 3")
	endif()
	if(CT_SANITIZE MATCHES thread)
		math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 10")
		list(APPEND environment LIMIT=set:1200) # of a program (tests/e2e/lib.sh)
	endif()
	add_test(NAME ${name} COMMAND ${arg_COMMAND})
	# However full the disk is.
	set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${arg_TIMEOUT}
		ENVIRONMENT_MODIFICATION "${environment}")
	if(arg_NEEDS)
		set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED "${arg_NEEDS}")
	endif()
endfunction()
