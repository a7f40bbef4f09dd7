# Prints what ctpost values --json says in the words of values-naive.
def bytes: {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "float": 4, "double": 8, "32 bits": "4?"}[.];
(.value_lines[] | "site \(.line) \(.accesses) \(.temporal) \(.own) \(.known) \(.agreed) \(.unknown) \(.without_value)"),
(.value_totals[] | "cells \(.equal_stores) \(.candidate_stores) \(.surprises)"),
(.value_launches[] | "launch \(.launch) \(.loads) \(.redundant_loads) \(.stores) \(.redundant_stores) \(.unknown) \(.without_value)"),
(.value_transfers[] | "transfer \(.transfer) \(.same_bytes) \(.unknown_bytes)"),
(.value_lifetimes[] | "life \(.object_number) \(.used_bytes) \(.slice_bytes) \(.shared_bytes) \(.written_bytes) \(.dead_bytes) \(.fragmentation * 1e6 + 0.25 | floor)"),
((.value_nodes | map(if .kind == "launch" then .kernel else "memset" end)) as $node | .value_flows |
	group_by([.from_node, .to_node, .object] | map(tostring))[] | .[] |
	"flow \(if .from_node == null then "-" else $node[.from_node] end) \($node[.to_node]) \(.object) \(.read_bytes) \(.overwritten_bytes) \(.same_bytes)"),
(.value_sets[] | "set \(.object) \(.kernel) \(.operation) \(.type | bytes) \(.accesses) \(.distinct_values) \(.spatial) \(.zeros) \(.tops[0].accesses) \(.alike_at // 0) \(if .type | startswith("int") then .fits // "" | split(", ") | length else 0 end)")
