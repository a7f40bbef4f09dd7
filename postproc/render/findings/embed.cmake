# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=pages_text.c -DIN=problems.md -P embed.cmake: the file as an array of bytes, ended by 0.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUT} "extern const unsigned char ct_problem_pages[];\n"
	"const unsigned char ct_problem_pages[] = {\n${hex}\n0x00};\n")
