# The tables of `ctpost comm --format=json` as the figures that expectations are written in: one
# object of volumes, histograms as objects, rows with the launch and kernel of their supersteps.
def histogram($key; $count): map({key: (.[$key] | tostring), value: .[$count]}) | from_entries;
def place($side): {file: .[$side + "_file"], line: .[$side + "_line"], column: .[$side + "_column"], kernel: .[$side + "_kernel"]};
.supersteps as $steps
| def of($prefix): . + {($prefix + "launch"): $steps[.[$prefix + "superstep"]].launch,
	($prefix + "kernel"): $steps[.[$prefix + "superstep"]].kernel};
.comm_totals[0] as $t
| [$steps[] | select(.passes)] as $passing
| {
	schema, warnings, findings, launch_paths, host_paths, self: $t.self, exchanged: $t.exchanged,
	volume: ($t + {communicated_bytes: $t.communicated_store_bytes, fraction: ($t.communicated_share // 0), exchanged_fraction: ($t.exchanged_share // 0)}),
	host: {from_host_bytes: $t.from_host_bytes, to_host_bytes: $t.to_host_bytes, transfers: [$passing[] | select(.launch == null)]},
	unordered: {bytes: $t.unordered_bytes, same_superstep_bytes: $t.same_superstep_bytes},
	sampling: {launches: $t.launches, traced_launches: $t.traced_launches},
	losses: {damaged_chunks: $t.damaged_chunks, lost_chunks: $t.lost_chunks},
	transfer_size_cdf: [.transfer_sizes[] | {bytes, cumulative: .cumulative_share, transfers}],
	degree: {in: {histogram: [.degrees[] | select(.direction == "in")] | histogram("partners"; "ctas")},
		out: {histogram: [.degrees[] | select(.direction == "out")] | histogram("partners"; "ctas")}},
	bisection: [.bisection[] | {key: .dimension, value: {bytes, relative}}] | from_entries,
	superstep_distance: (.distances | histogram("distance"; "bytes")),
	supersteps: [$passing[] | select(.launch)],
	strides: {load: [.strides[] | select(.class == "load")] | histogram("stride"; "times"),
		store: [.strides[] | select(.class == "store")] | histogram("stride"; "times"), spreads: .stride_spreads},
	density: {first_cta: $t.density_first_cta, last_cta: $t.density_last_cta, ctas_per_bin: $t.density_ctas_per_bin, bins: $t.density_bins,
		cells: [.density[] | [.source_bin, .target_bin, .transfers, .bytes]]},
	kernels: .kernel_volumes,
	kernel_pairs: [.kernel_pairs[] | . + {source: .source_kernel, target: .target_kernel}],
	objects: [.object_flows[] | . + {allocations: .objects}],
	lines: [.line_pairs[] | {source: place("source"), target: place("target"), bytes, loaded_bytes}],
	ctas: .cta_figures,
	cta_volumes: (.cta_volumes | if . then map(of("")) else . end),
	sm_volumes: (.sm_volumes | if . then map(of("")) else . end),
	transfers: (.transfers | if . then map(of("source_") | of("target_")) else . end),
	history: .address_history,
	interconnect: .scaling_totals[0]?,
	scaling: (.scaling | if . then map(. + {best: .is_best, superstep_bytes: [.supersteps[].crossing_bytes]}) else . end),
}
