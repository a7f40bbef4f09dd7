# SPDX-License-Identifier: Apache-2.0
# The rules of tests/structure/check.sh. Reads layers.txt, the list of files, then all of them.

function violation(rule, where, text) {
	message[++messages] = rule " " where ": " text
}

function folder_of(path) {
	sub(/\/[^\/]*$/, "", path)
	return path
}

function module_of(path) {
	sub(/\/.*/, "", path)
	return path
}

# The folder's first DEPTH names, and what lies flat in a module is a room as well.
function room_of(path, depth,    parts, count, i, room) {
	count = split(folder_of(path), parts, "/")
	room = parts[1]
	for (i = 2; i <= depth && i <= count; i++)
		room = room "/" parts[i]
	return room
}

function is_header(path) {
	return path ~ /\.(h|cuh|def)$/
}

# Files that are compiled as they are, outside of this tree: their includes are their user's.
function stands_alone(path) {
	return path ~ /^(examples|bench|tests\/(e2e|gpu|pass|report))\// || path ~ /^tests\/.*\.cuh?$/
}

function check_layer(from, to, line,    a, b) {
	a = module_of(from)
	b = module_of(to)
	if (a != b && !((a, b) in may) && !((a, "*") in may))
		violation("layer", from, "line " line " includes " to "; " a " may not include " b)
	else if (a != b && (b in has_face) && !(to in face) && !((a, "*") in may))
		violation("layer", from, "line " line " includes " to "; " b " shows others" has_face[b])
}

function note_edge(from, to,    depth, a, b) {
	if (module_of(from) != module_of(to) || !((module_of(from)) in layered))
		return
	for (depth = 2; depth <= 6; depth++) {
		a = room_of(from, depth)
		b = room_of(to, depth)
		if (a != b && !((depth, a, b) in edge))
			edge[depth, a, b] = from " includes " to
	}
}

function check_include(line, text,    name, quoted) {
	quoted = text ~ /^[ \t]*#[ \t]*include[ \t]*"/
	name = text
	sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", name)
	sub(/[>"].*/, "", name)
	if (name ~ /^cudatrace\// && (("include/" name) in exists)) {
		if (quoted)
			violation("include", FILENAME, "line " line " quotes a contract; it is <" name ">")
		name = "include/" name
	} else if (name in exists) {
		if (!quoted)
			violation("include", FILENAME, "line " line ": ours is quoted, \"" name "\"")
	} else {
		if (quoted && name !~ /^(llvm|clang)\// && !stands_alone(FILENAME))
			violation("include", FILENAME, "line " line ": \"" name "\" is no path from the root")
		return
	}
	if (name == FILENAME)
		return
	check_layer(FILENAME, name, line)
	note_edge(FILENAME, name)
}

# Whether the room TO is reached from FROM
function reaches(depth, from, to,    next_room, pair) {
	if (from == to)
		return 1
	seen[from] = 1
	for (next_room in rooms)
		if (((depth, from, next_room) in edge) && !(next_room in seen) && reaches(depth, next_room, to))
			return 1
	return 0
}

function check_circles(    pair, parts, name) {
	for (pair in edge) {
		split(pair, parts, SUBSEP)
		rooms[parts[2]] = rooms[parts[3]] = 1
	}
	for (pair in edge) {
		split(pair, parts, SUBSEP)
		split("", seen)
		name = parts[2] " -> " parts[3]
		if (!(name in reported) && reaches(parts[1], parts[3], parts[2])) {
			reported[name] = 1
			violation("circle", name, edge[pair])
		}
	}
}

# Code of a line of C: without comments, strings, names of types and members.
function code_of(text) {
	if (in_comment && !sub(/^.*\*\//, "", text))
		return ""
	in_comment = 0
	gsub(/"([^"\\]|\\.)*"/, "", text)
	gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
	sub(/\/\/.*/, "", text)
	in_comment = sub(/\/\*.*/, "", text)
	gsub(/(struct|enum|union) +[a-z_0-9]+/, "t", text)
	gsub(/(->|\.)[a-z_0-9]+/, "", text)
	return text
}

# Functions of ours that a source defines, and those that it names: calls, or hands on.
function note_calls(text,    name) {
	if (text ~ /^[a-z_].*\(/ && text !~ /^(static|typedef|extern)/) {
		head = text
		sub(/\(.*/, "", head)
		sub(/.*[^a-zA-Z0-9_]/, "", head)
	} else if (text ~ /^\{/ && head != "") {
		defined_in[head] = FILENAME
		head = ""
	}
	if (text ~ /;/)
		head = ""
	while (match(text, /(__)?ct_[a-z0-9_]+/)) {
		name = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (!((FILENAME, name) in named)) {
			named[FILENAME, name] = 1
			if (text ~ /^[^a-zA-Z0-9_]|^$/)
				names[FILENAME] = names[FILENAME] " " name
		}
	}
}

# Whether the source TO is called by FROM, or by one that it calls
function calls_reach(from, to,    list, count, i) {
	if (from == to)
		return 1
	seen[from] = 1
	count = split(callees[from], list, " ")
	for (i = 1; i <= count; i++)
		if (!(list[i] in seen) && calls_reach(list[i], to))
			return 1
	return 0
}

function check_calls(    from, to, list, count, i) {
	for (from in names) {
		count = split(names[from], list, " ")
		for (i = 1; i <= count; i++) {
			to = defined_in[list[i]]
			if (to == "" || to == from || folder_of(to) != folder_of(from) || ((from, to) in call))
				continue
			call[from, to] = list[i]
			callees[from] = callees[from] " " to
		}
	}
	for (from in callees) {
		count = split(callees[from], list, " ")
		for (i = 1; i <= count; i++) {
			split("", seen)
			if (calls_reach(list[i], from))
				violation("call", from " -> " list[i], "calls " call[from, list[i]] ", and is called")
		}
	}
}

# The lines that a file begins with: a shebang, the licence, the first comment
function read_head() {
	if (FNR == 1) {
		shebang = /^#!/
		licensed = 0
		purpose = ""
		in_head = 1
	}
	if (!in_head || (FNR == 1 && shebang))
		return
	if (FNR == 1 + shebang && /SPDX-License-Identifier: Apache-2.0/) {
		licensed = 1
		return
	}
	if (/^(\/\*|\/\/| \*|#)/) {
		purpose = purpose $0 "\n"
		if (FNR < 12 && !/\*\//)
			return
	}
	in_head = 0
}

# After a file's last line. What lit runs begins with what it tests.
function end_file() {
	if (path_read == "")
		return
	if (!licensed && path_read !~ /^tests\/pass\//)
		violation("head", path_read, "line 1 is no SPDX-License-Identifier: Apache-2.0")
	if (purpose !~ /[A-Za-z].*[.:?]/)
		violation("head", path_read, "no sentence of purpose after line 1")
	if (lines > lines_max)
		violation("length", path_read, lines " lines; more than " lines_max ": what does it hide?")
}

# The macro that keeps a header from being read twice has the name of its path: what users include
# is CUDATRACE_<NAME>_H, all else CT_<PATH>_H.
function check_guard(    name) {
	name = toupper(FILENAME)
	sub(/\.[A-Z]+$/, "", name)
	gsub(/[\/.-]/, "_", name)
	if (!sub(/^INCLUDE_/, "", name))
		name = "CT_" name
	name = name "_H"
	if ($2 != name)
		violation("guard", FILENAME, "line " FNR " defines " $2 "; it is " name)
}

# A struct of ours is defined once; tests may have a small one in place of a large one.
function check_struct(name) {
	if (!(name in defined))
		defined[name] = FILENAME
	else
		violation("name", FILENAME, "line " FNR ": struct " name " is another one in " defined[name])
}

BEGIN {
	lines_max = 500
	modules_max = 30
}

FILENAME == layers {
	if (/^#/ || !NF)
		next
	from = $1
	sub(/:$/, "", from)
	if (from != "bench" && from != "tests")
		layered[from] = 1
	known_module[from] = 1
	for (i = 2; i <= NF && $i != "|"; i++)
		may[from, $i] = 1
	for (i++; i <= NF; i++) {
		face[$i] = 1
		has_face[from] = has_face[from] " " $i
	}
	next
}

FILENAME == list {
	exists[$0] = 1
	if (/\// && !((module_of($0)) in known_module) && !((module_of($0)) in said)) {
		said[module_of($0)] = 1
		violation("layer", module_of($0), "is in no line of tests/structure/layers.txt")
	}
	if ($0 !~ /^(tests|bench|examples)\//) {
		stem = $0
		sub(/\.[a-z]*$/, "", stem)
		if (!(stem in stems)) {
			stems[stem] = 1
			if (++modules[folder_of($0)] == modules_max + 1)
				violation("folder", folder_of($0), "holds more than " modules_max " modules")
		}
	}
	next
}

FNR == 1 {
	end_file()
	path_read = FILENAME
	asked = ""
}

{
	lines = FNR
	read_head()
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ && FILENAME ~ /\.(c|h|cpp|cu|cuh|def)$/ {
	check_include(FNR, $0)
}

FILENAME ~ /\.c$/ && FILENAME !~ /^(tests|bench|examples)\// {
	note_calls(code_of($0))
}

/^#ifndef / && asked == "" {
	asked = $2
}

/^#define / && asked != "" && $2 == asked && FILENAME ~ /\.(h|cuh)$/ && FILENAME !~ /^(tests|bench|examples)\// {
	check_guard()
	asked = "-"
}

/^struct ct_[a-z0-9_]+ {/ && FILENAME !~ /^(tests|bench|examples)\// {
	check_struct($2)
}

/^[ \t]*(\/\*+|\/\/+|\*|#+)[ \t]*(-----*|====*|\*\*\*\**)/ || /\/\* ?---/ || /\/\/ ?---/ {
	if (FILENAME !~ /^tests\/structure\//)
		violation("banner", FILENAME, "line " FNR ": a banner; a sentence says more")
}

END {
	end_file()
	check_circles()
	check_calls()
	for (i = 1; i <= messages; i++)
		print message[i]
}
