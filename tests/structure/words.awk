# SPDX-License-Identifier: Apache-2.0
# words.awk: lines that grep found, by rule and folder, beside the bounds (words.sh).
function note(rule, line,    folder, file) {
	file = line
	sub(/:.*/, "", file)
	folder = file
	if (!sub(/\/.*/, "", folder))
		folder = "."
	if (!((rule " " folder) in count))
		order[++keys] = rule " " folder
	count[rule " " folder]++
	where[rule " " folder, count[rule " " folder]] = line
}
BEGIN {
	while ((getline line <rules) > 0) {
		if (line ~ /^#/ || line == "")
			continue
		split(line, part, "\t")
		word[++words] = part[1]
		instead[part[1]] = part[2]
		allowed[part[1]] = part[3]
	}
	while ((getline line <known) > 0) {
		if (line ~ /^#/ || split(line, part, " ") != 3)
			continue
		bound[part[2] " " part[3]] = part[1]
	}
	while ((getline line <found) > 0) {
		text = line
		sub(/^[^:]*:[0-9]*:/, "", text)
		if (text ~ /(\/\*+|\/\/+|^[ \t]*#+) Of / && line !~ /^[^:]*\.md:/)
			note("of", line)
		if (text ~ /(\/\*+|\/\/+|^[ \t]*#+) What / && line !~ /^[^:]*\.md:/)
			note("what", line)
		text = tolower(text)
		for (i = 1; i <= words; i++) {
			rest = text
			if (allowed[word[i]] != "")
				gsub(allowed[word[i]], "", rest)
			if (rest ~ "(^|[^a-z])(" word[i] ")([^a-z]|$)")
				note(word[i], line)
		}
	}
	instead["of"] = instead["what"] = "a sentence with a subject and a verb"
	sorted = "sort -k2,3"
	for (k = 1; k <= keys; k++) {
		key = order[k]
		split(key, part, " ")
		if (mode == "count") {
			print count[key], key | sorted
			continue
		}
		if (count[key] <= bound[key] + 0)
			continue
		bad = 1
		rule = key
		sub(/ [^ ]*$/, "", rule)
		shown = bound[key] + 0 > 0 ? 3 : count[key]
		print "word " key ": " count[key] " lines; " bound[key] + 0 " are known. Write: " instead[rule]
		for (i = 1; i <= count[key] && i <= shown; i++)
			print "    " where[key, i]
	}
	exit bad
}
