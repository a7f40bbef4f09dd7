#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# contents-check.sh SAID ROWS.csv: do the rows of CONTENT say what the program of contents.cu says?
# A line for each copy: bytes, bytes that were there, and the name of what it moved; the same name is
# the same hash, another name another one.
set -eu
awk -F'[ ,]' '
FNR == NR {
	if ($1 != "checksum")
		said[++wanted] = $0
	next
}
FNR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
{
	transfer = $column["transfer"]
	row[transfer] = $column["bytes"] " " $column["same_bytes"]
	hash[transfer] = $column["hash_low"] $column["hash_high"]
	if (transfer > last)
		last = transfer
	rows++
}
END {
	for (transfer = 1; transfer <= last; transfer++) {
		if (!(transfer in row))
			continue
		split(said[++n], expected, " ")
		if (row[transfer] != expected[1] " " expected[2]) {
			print "copy " n ": " row[transfer] " instead of " said[n]
			bad++
		}
		name = expected[3]
		if (name in hash_of && hash_of[name] != hash[transfer] ||
		    hash[transfer] in name_of && name_of[hash[transfer]] != name) {
			print "copy " n ": bytes of " name " have hash " hash[transfer]
			bad++
		}
		hash_of[name] = hash[transfer]
		name_of[hash[transfer]] = name
	}
	if (rows != wanted) {
		print rows + 0 " rows, " wanted " copies"
		bad++
	}
	exit bad > 0
}' "$1" "$2"
