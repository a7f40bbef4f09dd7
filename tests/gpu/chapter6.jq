# SPDX-License-Identifier: Apache-2.0
# A row of chapter6.sh's tables, from `ctpost comm --json`; without input, their heads.
# $info: `ctpost info --json`; $exchanged: what chapter6.sh says of single transfers.

def percent: . * 1000 | round / 10 | "\(.) %";
def short: . * 100 | round / 100;
def row: "| " + (map(tostring) | join(" | ")) + " |";
def mean: if length == 0 then null else add / length end;

# "A of B %" of an array of {size, transfers}: the most frequent
def dominant:
	(map(.transfers) | add) as $all |
	if $all == null then "none"
	else max_by(.transfers) | "\(.size) B, \(.transfers / $all | percent)"
	end + " of \(length) sizes";

# lines "KIND key bytes transfers"
def of_exchanged($kind):
	[$exchanged | split("\n")[] | split(" ") | select(.[0] == $kind) |
	 {size: (.[1] | tonumber), bytes: (.[2] | tonumber), transfers: (.[3] | tonumber)}];

# "mean (least to most)" of a histogram of partners
def partners:
	to_entries | map({partners: (.key | tonumber), ctas: .value}) |
	((map(.partners * .ctas) | add) / (map(.ctas) | add)) as $mean |
	"\($mean | short) (\(map(.partners) | min) to \(map(.partners) | max))";

def most_frequent: to_entries | if length == 0 then "-" else max_by(.value).key end;

# Loads of communicated data in the 3rd, 5th, … launch over those in the 4th, 6th, …
def zig_zag:
	[.supersteps[2:] | to_entries[]] as $late |
	if ($late | length) < 2 then "-" else
		([$late[] | select(.key % 2 == 0) | .value.communicated_load_bytes] | mean) /
		([$late[] | select(.key % 2 == 1) | .value.communicated_load_bytes] | mean) | short
	end;

# of launches that someone reads from
def out_degrees: [.supersteps[] | select(.sent_bytes > 0) | .out_degree_mean] |
	"\(min | short) to \(max | short)";

def rule($first): [range(length) | if . < $first then "---" else "---:" end] | row;

if $table == "volumes" then
	if $name == "" then
		["program", "launches", "accesses", "trace kB", "loaded B", "stored B", "loaded / stored",
		 "communicated", "exchanged", "largest distance", "of exchanged", "odd / even launches"] |
		row, rule(1)
	else
		$info[0] as $info | of_exchanged("distance") as $distances |
		[$name, $info.totals.launches, ($info.totals.accesses | add),
		 ($info.size_bytes / 1000 | round), .volume.load_bytes, .volume.store_bytes,
		 (.volume.load_bytes / .volume.store_bytes | short), (.volume.fraction | percent),
		 (.volume.exchanged_fraction | percent),
		 ([.superstep_distance | to_entries[] | select(.value > 0) | .key | tonumber] | max),
		 "\($distances | map(.size) | max), \(($distances | map(select(.size > 0) | .bytes) | add // 0)
			/ ($distances | map(.bytes) | add) | percent) above 0", zig_zag] | row
	end
elif $name == "" then
	["program", "CTAs", "size of transfers", "of exchanged", "receives from", "sends to",
	 "out-degree by launch", "bisection x", "y", "stride of loads", "of stores", "patterns"] |
	row, rule(1)
else
	[$name, ([.degree.in.histogram[]] | add),
	 ([.transfer_size_cdf[] | {size: .bytes, transfers}] | dominant),
	 (of_exchanged("size") | dominant), (.degree.in.histogram | partners),
	 (.degree.out.histogram | partners), out_degrees, (.bisection.x.relative | percent),
	 (.bisection.y.relative | percent), (.strides.load | most_frequent),
	 (.strides.store | most_frequent),
	 ([.kernel_pairs[] | "\(.source) → \(.target) \(.pattern)"] | join(", "))] | row
end
