#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# links.sh ROOT: links of our documents (*.md) lead to files that are there, and to headings that these have.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find . \( -path ./build -o -path ./.git -o -path ./tests/golden \) -prune -o -type f -name '*.md' -print |
	sed 's,^\./,,' | sort >"$work/list"
# shellcheck disable=SC2046
awk -v links="$work/links" '
	function plain(path,    part, count, i, kept, out) {
		count = split(path, part, "/")
		kept = 0
		for (i = 1; i <= count; i++) {
			if (part[i] == ".." && kept > 0)
				kept--
			else if (part[i] != "." && part[i] != "")
				out[++kept] = part[i]
		}
		path = ""
		for (i = 1; i <= kept; i++)
			path = path (i > 1 ? "/" : "") out[i]
		return path
	}
	# As a heading is named in links
	function anchor(text) {
		gsub(/`/, "", text)
		text = tolower(text)
		gsub(/[^a-z0-9_ \200-\377-]/, "", text)
		gsub(/ /, "-", text)
		return text
	}
	FNR == 1 { is_code = 0 }
	/^ *```/ { is_code = !is_code }
	is_code { next }
	/^#+ / { text = $0; sub(/^#+ /, "", text); has[FILENAME "#" anchor(text)] = 1 }
	{
		text = $0
		gsub(/`[^`]*`/, "", text)
		while (match(text, /\]\([^) ]+\)/)) {
			link = substr(text, RSTART + 2, RLENGTH - 3)
			text = substr(text, RSTART + RLENGTH)
			if (link ~ /^[a-z]+:/)
				continue
			folder = FILENAME
			if (!sub(/\/[^\/]*$/, "", folder))
				folder = ""
			heading = link
			if (!sub(/^[^#]*#/, "", heading))
				heading = ""
			sub(/#.*/, "", link)
			print (link == "" ? FILENAME : plain(folder "/" link)) "\t" heading "\t" FILENAME ":" FNR >links
		}
	}
	END {
		close(links)
		while ((getline line <links) > 0) {
			split(line, part, "\t")
			if (system("test -e \"" part[1] "\"") != 0)
				print part[3] ": there is no " part[1]
			else if (part[2] != "" && part[1] ~ /\.md$/ && !((part[1] "#" part[2]) in has))
				print part[3] ": " part[1] " has no heading #" part[2]
		}
	}' $(cat "$work/list") >"$work/wrong"
cat "$work/wrong"
[ ! -s "$work/wrong" ]
