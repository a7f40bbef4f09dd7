# SPDX-License-Identifier: Apache-2.0
# words.awk: lines that grep found, beside the rule that they break (words.sh).
function note(rule, instead, line) {
	bad = 1
	print "word " rule ": " line
	print "    write: " instead
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
	while ((getline line <found) > 0) {
		text = line
		sub(/^[^:]*:[0-9]*:/, "", text)
		if (text ~ /(\/\*+|\/\/+|^[ \t]*#+) (Of|What) / && line !~ /^[^:]*\.md:/)
			note("of, what", "a sentence with a subject and a verb", line)
		if (line ~ /^[^:]*\.(md|js):/ && text ~ /CTA/ || text ~ /"([^"]*[^A-Za-z_"])?CTAs?([^A-Za-z_"][^"]*)?"/)
			note("CTA", "thread block", line)
		text = tolower(text)
		for (i = 1; i <= words; i++) {
			rest = text
			if (allowed[word[i]] != "")
				gsub(allowed[word[i]], "", rest)
			if (rest ~ "(^|[^a-z])(" word[i] ")([^a-z]|$)")
				note(word[i], instead[word[i]], line)
		}
	}
	exit bad
}
