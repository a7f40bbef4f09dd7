# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=web.c -DCSS=… -DD3=… -DKIT=… -DREPORT=… -DCOMPARE=… -P embed.cmake: each list of files as one array of
# bytes.
function(embed name files)
	set(hex)
	foreach(file IN LISTS files)
		file(READ ${file} bytes HEX)
		string(APPEND hex ${bytes})
	endforeach()
	string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
	string(APPEND text "static const unsigned char ${name}_data[] = {\n${hex}\n};\n"
		"const struct ct_web_text ct_web_${name} = {${name}_data, sizeof(${name}_data)};\n")
	set(text "${text}" PARENT_SCOPE)
endfunction()

set(text "#include \"web.h\"\n")
foreach(name CSS D3 KIT REPORT COMPARE)
	string(REPLACE "|" ";" files "${${name}}")
	string(TOLOWER ${name} lower)
	embed(${lower} "${files}")
endforeach()
file(WRITE ${OUT} "${text}")
