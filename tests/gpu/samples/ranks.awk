# SPDX-License-Identifier: Apache-2.0
# awk -v lines=FILE -v ours=FILE -f ranks.awk NCU.csv: samples of ncu's source page (sass), kernel by
# kernel, beside ours (FUNCTION PC SAMPLES), by instruction and by line (sass-lines: FUNCTION ADDRESS
# FILE LINE PTX). Lines with at least 0.2 % of either's samples count. A row of a table for each.
function bare(symbol,    digits) {
	sub(/^_ZL?/, "", symbol)
	match(symbol, /^[0-9]+/)
	digits = substr(symbol, 1, RLENGTH)
	return substr(symbol, RLENGTH + 1, digits)
}
function hex(text,    i, value) {
	value = 0
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
# Ranks of v[1..n], ties in the middle.
function rank(v, n, r,    i, j, less, same) {
	for (i = 1; i <= n; i++) {
		less = same = 0
		for (j = 1; j <= n; j++) {
			less += v[j] < v[i]
			same += v[j] == v[i]
		}
		r[i] = less + (same + 1) / 2
	}
}
function linear(x, y, n,    i, mx, my, sxy, sxx, syy) {
	mx = my = sxy = sxx = syy = 0
	for (i = 1; i <= n; i++) {
		mx += x[i] / n
		my += y[i] / n
	}
	for (i = 1; i <= n; i++) {
		sxy += (x[i] - mx) * (y[i] - my)
		sxx += (x[i] - mx) ^ 2
		syy += (y[i] - my) ^ 2
	}
	return sxx && syy ? sxy / sqrt(sxx * syy) : 0
}
function ranked(x, y, n,    rx, ry) {
	rank(x, n, rx)
	rank(y, n, ry)
	return linear(rx, ry, n)
}
function compare(kernel,    pc, n, m, all_x, all_y, at, x, y, lx, ly, key, names, a, b, i, by_pc) {
	all_x = all_y = n = m = 0
	for (pc = 0; (kernel, pc) in theirs; pc += 16) {
		n++
		x[n] = theirs[kernel, pc]
		y[n] = samples[kernel, pc] + 0
		all_x += x[n]
		all_y += y[n]
		key = place[kernel, pc]
		lx[key] += x[n]
		ly[key] += y[n]
	}
	by_pc = ranked(x, y, n)
	for (key in lx)
		if (lx[key] >= 0.002 * all_x || ly[key] >= 0.002 * all_y) {
			m++
			a[m] = lx[key]
			b[m] = ly[key]
		}
	printf "| %s | %d | %d | %d | %.3f | %d | %.3f | %.4f |\n", kernel, all_x, all_y, n, by_pc, m, ranked(a, b, m), linear(a, b, m)
}
BEGIN {
	FS = "\t"
	while ((getline <lines) > 0)
		place[bare($1), hex($2)] = $3 ":" $4
	while ((getline <ours) > 0)
		samples[bare($1), $2] += $3
	FS = "\",\""
}
# A launch may be printed more than once, as may a kernel be launched: all are alike.
/^"Kernel Name"/ {
	kernel = $2
	sub(/[(<].*/, "", kernel)
	if (!seen[kernel]++)
		kernels[++count] = kernel
	at = 0
	next
}
/^"0x/ {
	gsub(/[,"]/, "", $3)
	theirs[kernel, at] += $3
	at += 16
}
END {
	for (i = 1; i <= count; i++)
		compare(kernels[i])
}
