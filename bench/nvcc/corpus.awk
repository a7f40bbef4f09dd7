# SPDX-License-Identifier: Apache-2.0
# The table of corpus.sh: a row for each code base, then all files, then the files that took longest or grew most.
function median(list, n,    i, j, t) { # of list[1..n], which it sorts
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
function row(title, code,    i, n, time, size) {
	for (i = 1; i <= both[code]; i++) {
		time[i] = times[code, i]
		size[i] = sizes[code, i]
	}
	printf "| %s | %d | %d | %d |", title, files[code], nvcc[code], both[code]
	n = both[code]
	if (!n) print " | | | |"
	else printf " %.2f | %.2f | %.2f | %.2f |\n", median(time, n), time[n], median(size, n), size[n]
}
function add(code) {
	files[code]++
	nvcc[code] += $3 == "0"
	if ($3 != "0" || $6 != "0") return
	both[code]++
	times[code, both[code]] = $7 / ($4 > 0 ? $4 : 0.01)
	sizes[code, both[code]] = $8 / $5
}
{
	if (!($1 in files)) order[++codes] = $1
	add($1)
	add("")
	if ($3 == "0" && $6 != "0") refused[++n_refused] = $1 " " $2 ": " $9
	if ($3 == "0" && $6 == "0" && $7 > LIMIT * $4) slow[++n_slow] = sprintf("%s %s: %.2f s, nvcc %.2f s", $1, $2, $7, $4)
}
BEGIN { LIMIT = 2.5 }
END {
	print "| code base | files | nvcc takes | of these ours | processor time over nvcc's, median | worst | object over nvcc's, median | worst |"
	print "|---|---:|---:|---:|---:|---:|---:|---:|"
	for (i = 1; i <= codes; i++) row(order[i], order[i])
	row("all", "")
	for (i = 1; i <= n_refused; i++) print "refused: " refused[i]
	for (i = 1; i <= n_slow; i++) print "above " LIMIT " times: " slow[i]
}
