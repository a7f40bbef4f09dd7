# SPDX-License-Identifier: Apache-2.0
# together.awk -- SOURCE...: one program of several. Its argument is the name of the one whose main() it runs.
# Each source is in a namespace of its own; what they include stands before all of them, and macros end with
# the source that defines them.
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.cu$/, "", name)
	names[++count] = name
	path[name] = FILENAME
}
/^#[ \t]*include[ \t]*</ && !($0 in is_included) {
	is_included[$0] = 1
	print
}
/^#[ \t]*define[ \t]/ {
	macro = $0
	sub(/^#[ \t]*define[ \t]+/, "", macro)
	sub(/[^A-Za-z0-9_].*/, "", macro)
	macros[name] = macros[name] "#undef " macro "\n"
}
END {
	print "#include <cstring>"
	for (i = 1; i <= count; i++)
		printf "namespace %s_cu {\n#include \"%s\"\n%s}\n", names[i], path[names[i]], macros[names[i]]
	print "int main(int, char **argv)\n{"
	for (i = 1; i <= count; i++)
		printf "\tif (!strcmp(argv[1], \"%s\"))\n\t\treturn %s_cu::main();\n", names[i], names[i]
	print "\treturn 99;\n}"
}
