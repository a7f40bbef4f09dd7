# What ctpost values --json says, in the words of values-naive.
def bytes: {"int8": 1, "int16": 2, "int32": 4, "int64": 8}[.];
(.sites[] | "site \(.line) \(.accesses) \(.temporal) \(.silent) \(.known) \(.agreed) \(.unknown) \(.without_value)"),
"cells \(.equal_stores) \(.candidate_stores) \(.surprises)",
(.per_launch[] | "launch \(.launch) \(.loads) \(.redundant_loads) \(.stores) \(.redundant_stores) \(.unknown) \(.without_value)"),
(.transfers[] | "transfer \(.transfer) \(.same_bytes) \(.unknown_bytes)"),
(.values[] | "set \(.object) \(.kernel) \(.operation) \(.type | bytes) \(.accesses) \(.distinct) \(.spatial) \(.zeros) \(.top[0].accesses)")
