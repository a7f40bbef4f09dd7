# What ctpost values --json says, in the words of values-naive.
def bytes: {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "float": 4, "double": 8, "32 bits": "4?"}[.];
(.sites[] | "site \(.line) \(.accesses) \(.temporal) \(.silent) \(.known) \(.agreed) \(.unknown) \(.without_value)"),
"cells \(.equal_stores) \(.candidate_stores) \(.surprises)",
(.per_launch[] | "launch \(.launch) \(.loads) \(.redundant_loads) \(.stores) \(.redundant_stores) \(.unknown) \(.without_value)"),
(.transfers[] | "transfer \(.transfer) \(.same_bytes) \(.unknown_bytes)"),
(.lifetimes[] | "life \(.object) \(.used_bytes) \(.slice_bytes) \(.shared_bytes) \(.written_bytes) \(.dead_bytes) \(.fragmentation * 1e6 + 0.25 | floor)"),
((.nodes | map(if .kind == "launch" then .kernel else "memset" end)) as $node | .flows |
	group_by([.from, .to, .object] | map(tostring))[] | .[] |
	"flow \(if .from == null then "-" else $node[.from] end) \($node[.to]) \(.object) \(.read_bytes) \(.overwritten_bytes) \(.same_bytes)"),
(.values[] | "set \(.object) \(.kernel) \(.operation) \(.type | bytes) \(.accesses) \(.distinct) \(.spatial) \(.zeros) \(.top[0].accesses) \(.alike_at // 0) \(if .type | startswith("int") then .fits | length else 0 end)")
