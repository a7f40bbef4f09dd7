# SPDX-License-Identifier: Apache-2.0
# awk -v seed=SEED -v how=HOW -f compare.awk EXPECTED OUTPUT
# Rows of results against what the generator expects; ? is anything. A row that is missing is a
# difference, an error that a program reports is one.
FNR == NR { expected[$1] = $0; order[++count] = $1; next }
# Behind a failure nothing runs any more.
$3 == "error:" { failed = bad = 1; print "seed " seed ", " how ": " $0; exit }
$1 in expected {
	seen[$1] = 1
	words = split(expected[$1], want, " ")
	for (i = 3; i <= words; i++)
		if (want[i] != "?" && want[i] != $i) {
			print "seed " seed ", " how ", snippet " $1 " (" $2 "), lane " i - 3 ": " $i ", expected " want[i]
			bad = 1
			break
		}
}
END {
	if (failed)
		exit 1
	for (i = 1; i <= count; i++)
		if (!(order[i] in seen)) {
			print "seed " seed ", " how ": no snippet " order[i] " and behind"
			exit 1
		}
	exit bad
}
