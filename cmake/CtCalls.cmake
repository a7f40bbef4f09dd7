# SPDX-License-Identifier: Apache-2.0
# The symbols of the calls in api.def, in files for objcopy --redefine-syms. host-rt defines
# __wrap_X and calls __real_X; in the runtimes that programs link, host-rt's X has CUDA's name, and
# CUDA's own X is __real_X: a program's calls are caught whoever links it.
#   CT_CALLS_OURS_GPU, CT_CALLS_OURS_CPU   __wrap_X X, of calls that the target has
#   CT_CALLS_REAL                          X __real_X, of all
set(CT_CALLS_OURS_GPU ${CMAKE_BINARY_DIR}/calls-gpu.txt)
set(CT_CALLS_OURS_CPU ${CMAKE_BINARY_DIR}/calls-cpu.txt)
set(CT_CALLS_REAL ${CMAKE_BINARY_DIR}/calls-real.txt)

set(ct_api ${CMAKE_SOURCE_DIR}/include/cudatrace/api.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ct_api})
set(ct_name "^CT_API_[A-Z_]+\\([A-Za-z_]+, ([A-Za-z0-9]+), ([_v0-9]*), ([A-Z]+), ([A-Z]+), ")
file(STRINGS ${ct_api} ct_calls REGEX ${ct_name})
set(ct_gpu)
set(ct_cpu)
set(ct_real)
foreach(call ${ct_calls})
	string(REGEX MATCH ${ct_name} call "${call}")
	set(ct_symbols ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
	set(ct_where ${CMAKE_MATCH_4})
	if(NOT CMAKE_MATCH_3 STREQUAL NONE)
		string(TOLOWER ${CMAKE_MATCH_3} ct_thread)
		list(APPEND ct_symbols ${ct_symbols}_${ct_thread})
	endif()
	foreach(symbol ${ct_symbols})
		string(APPEND ct_real "${symbol} __real_${symbol}\n")
		string(APPEND ct_gpu "__wrap_${symbol} ${symbol}\n")
		if(NOT ct_where STREQUAL GPU)
			string(APPEND ct_cpu "__wrap_${symbol} ${symbol}\n")
		endif()
	endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CT_CALLS_OURS_GPU} CONTENT "${ct_gpu}")
file(CONFIGURE OUTPUT ${CT_CALLS_OURS_CPU} CONTENT "${ct_cpu}")
file(CONFIGURE OUTPUT ${CT_CALLS_REAL} CONTENT "${ct_real}")
