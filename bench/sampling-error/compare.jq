# SPDX-License-Identifier: Apache-2.0
# Samples, as input, against $full: a line per ratio and total, and the means. jq -n -r.
def pad(n): . + (" " * ([n - length, 1] | max));
def left(n): (" " * ([n - length, 0] | max)) + .;
def fixed(d): (. * pow(10; d) | round) as $x | ($x / pow(10; d) | tostring);
def mean: if length > 0 then add / length else null end;
def abs: if . < 0 then -. else . end;
def short: if . >= 1e6 then (. / 1e6 | fixed(3)) + " M" elif . >= 1000 then fixed(0) else fixed(4) end;
[inputs] as $samples
| ([$full[] | . as $f | $samples | map(select(.kind == $f.kind)) as $of
    | $f.ratios[] as $r
    | [$of[] | (.ratios | map(select(.[0] == $r[0])) | if length > 0 then .[0][1] else null end)]
    | {kind: $f.kind, name: $r[0], full: $r[1], seen: map(select(. != null)), missing: map(select(. == null)) | length}
    | . + {is: (.seen | mean), error: ([.full as $t | .seen[] | (. / $t - 1) | abs] | mean)}]) as $ratios
| ([$full[] | select(.kind == "info") | .totals[] as $t
    | [$samples[] | select(.kind == "info") | .totals[] | select(.[0] == $t[0]) | .[1]] as $of
    | {name: $t[0], full: $t[1].total, is: ($of | map(.total) | mean),
       error: ([$of[] | (.total / $t[1].total - 1) | abs] | mean),
       off: ([$of[] | select(.error > 0) | (.total - $t[1].total) / .error | . * .]
             | if length > 0 then mean | sqrt else null end)}]) as $totals
| ($program | split("/") | last),
  ("  " + ("" | pad(44)) + ("full" | left(12)) + ("samples" | left(12)) + ("error %" | left(10))),
  ($ratios[] | "  " + (.name | .[:43] | pad(44)) + (.full | short | left(12))
     + (if .is then (.is | short | left(12)) + (.error * 100 | fixed(2) | left(10)) else ("-" | left(12)) end)
     + (if .missing > 0 then "  (in \(.missing) samples there is none)" else "" end)),
  ($totals[] | "  " + ("estimated \(.name)" | pad(44)) + (.full | short | left(12)) + (.is | short | left(12))
     + (.error * 100 | fixed(2) | left(10)) + (if .off then "  (\(.off | fixed(2)) standard errors)" else "" end)),
  (["info", "comm"][] as $kind
   | [$ratios[] | select(.kind == $kind and .error != null) | .error]
   | select(length > 0)
   | "  mean error of the \(length) ratios of \($kind): \(mean * 100 | fixed(2)) %")
