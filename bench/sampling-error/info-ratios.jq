# SPDX-License-Identifier: Apache-2.0
# The ratios of ctpost info's JSON: name, value; and its totals: name, value, standard error.
# Ratios over several kernels are of estimated totals, as kernels differ in how many of their
# CTAs happen to be recorded.
def ratio(a; b): if b and b > 0 then a / b else null end;
def plain: {total: ., error: 0};
def accesses: .estimated.accesses // (.accesses | map_values(plain));
def bytes: .estimated.bytes // (.bytes | map_values(plain));
def all: .load.total + .store.total + .atomic.total;
.totals as $t
| ($t | accesses) as $accesses
| ($t | bytes) as $bytes
| {
    kind: "info",
    ratios: ([
      ["loads of accesses", ratio($accesses.load.total; $accesses | all)],
      ["stores of accesses", ratio($accesses.store.total; $accesses | all)],
      ["atomics of accesses", ratio($accesses.atomic.total; $accesses | all)],
      ["loaded of all bytes", ratio($bytes.load.total; $bytes | all)],
      ["bytes per access", ratio($bytes | all; $accesses | all)],
      ["threads per record", ratio($t.accesses | add; $t.records)]
    ] + ([.kernels[] | select((accesses | all) > 0)
          | ["accesses in \(.kernel)", ratio(accesses | all; $accesses | all)]])
      | map(select(.[1] != null and .[1] > 0))),
    totals: [
      ["accesses", ($t.estimated.all_accesses // ($accesses | all | plain))],
      ["bytes", ($t.estimated.all_bytes // ($bytes | all | plain))]
    ]
  }
