# SPDX-License-Identifier: Apache-2.0
# Gives the files that CPack is about to pack what Debian wants of the files of a package.
file(GLOB_RECURSE files LIST_DIRECTORIES false ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(file ${files})
	if(IS_SYMLINK ${file})
		continue()
	endif()
	if(file MATCHES "\\.so$")
		execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note ${file}
			COMMAND_ERROR_IS_FATAL ANY)
	elseif(file MATCHES "\\.a$")
		execute_process(COMMAND strip --strip-debug --remove-section=.comment --remove-section=.note
			--enable-deterministic-archives ${file} COMMAND_ERROR_IS_FATAL ANY)
	elseif(file MATCHES "(/man1/.*\\.1|/changelog)$")
		execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
	endif()
endforeach()
