# SPDX-License-Identifier: Apache-2.0
# The ratios of ctpost comm's JSON: name, value.
def ratio(a; b): if b > 0 then a / b else null end;
.comm_totals[0] as $v
| {
    kind: "comm",
    ratios: ([
      ["communicated of loaded bytes", ratio($v.communicated_load_bytes; $v.load_bytes)],
      ["communicated of stored bytes", ratio($v.communicated_store_bytes; $v.store_bytes)],
      ["exchanged of stored bytes", ratio($v.exchanged_store_bytes; $v.store_bytes)],
      ["bytes per transfer", ratio($v.transferred_bytes; $v.transfers)],
      ["bytes to itself", ratio($v.self_bytes; $v.transferred_bytes)]
    ] | map(select(.[1] != null and .[1] > 0))),
    totals: []
  }
