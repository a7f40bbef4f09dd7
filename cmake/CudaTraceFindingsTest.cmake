# SPDX-License-Identifier: Apache-2.0
# Carries out a test of cuda_trace_add_findings_test; variables are set by the script that it has
# generated. WRITE: the baseline is written. Said on a line of its own, which CMake does not
# break.
function(fail text)
	message("${text}")
	message(FATAL_ERROR "${NAME} fails.")
endfunction()

if(BASELINE AND NOT WRITE AND NOT EXISTS ${BASELINE})
	fail("${BASELINE} is missing: the target ${NAME}.baseline profiles the program and writes it")
endif()
execute_process(COMMAND ${CTRUN} profile --redo -o ${STUDY} ${PROFILE} -- ${PROGRAM}
	RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status)
	fail("${output}\n${NAME}: ctrun profile ended with ${status}")
endif()

set(known)
if(SUPPRESSIONS)
	list(APPEND known --suppressions=${SUPPRESSIONS})
endif()
if(WRITE)
	execute_process(COMMAND ${CTPOST} findings ${OPTIONS} ${known} --write-baseline=${BASELINE} ${STUDY}
		RESULT_VARIABLE status)
	if(status)
		fail("${NAME}: ctpost findings ended with ${status}")
	endif()
	return()
endif()
if(BASELINE)
	list(APPEND known --baseline=${BASELINE})
endif()
if(SARIF)
	execute_process(COMMAND ${CTPOST} findings ${OPTIONS} ${known} --format=sarif --source-root=${ROOT} -o ${SARIF} ${STUDY}
		RESULT_VARIABLE status)
	if(status)
		fail("${NAME}: ${SARIF} is not written: ${status}")
	endif()
endif()
execute_process(COMMAND ${CTPOST} findings ${OPTIONS} ${known} --fail-on=${FAIL_ON} ${STUDY} RESULT_VARIABLE status)
if(status EQUAL 3)
	fail("${NAME}: a problem is what fails it (${FAIL_ON}); ${CTPOST} explain N ${STUDY} explains it")
elseif(status)
	fail("${NAME}: ctpost findings ended with ${status}")
endif()
