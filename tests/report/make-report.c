/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make-report small|huge|empty SOURCES: a report of made-up figures on stdout,
 * to test the page without a trace. huge: 10^5 CTAs, 10^4 launches.
 */
#include "postproc/analysis/comm/findings/findings.h"
#include "postproc/facts/operation.h"
#include "postproc/render/report/report.h"
#include "tests/report/made-comparison.h"
#include "tests/report/made-sections.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 3u
#define STREAMS 3u
#define SITES 160u
#define LAUNCHES_MAX 10000u

static const char strings[] = "\0source.cu\0step(float const*, float*, int)\0_Z4stepPKfPfi\0"
			      "reduce(float const*, float*)\0_Z6reducePKfPf\0from\0to\0sum\0"
			      "inline assembly: ld.weird";

static uint32_t at(const char *text)
{
	const char *found = memmem(strings + 1, sizeof(strings) - 1, text, strlen(text) + 1);

	return found ? (uint32_t)(found - strings) : 0;
}

static struct ct_unit_header header = {
    .unit_id = 1, .arch = 90, .kernel_count = 2, .site_count = SITES};
static struct ct_unit_kernel unit_kernel[2];
static struct ct_unit_site site[SITES];
static const struct ct_unit unit = {
    .header = &header, .kernels = unit_kernel, .sites = site, .strings = strings};

static void make_site(uint32_t i, uint32_t line, uint8_t operation, const char *variable,
		      uint32_t kernel)
{
	site[i] = (struct ct_unit_site){.kernel = kernel,
					.file = at("source.cu"),
					.line = line,
					.inlined_at = CT_NONE,
					.bytes = 4,
					.operation = operation,
					.space = CT_SPACE_GLOBAL,
					.verdict = CT_VERDICT_GLOBAL,
					.scalar = CT_SCALAR_FLOAT,
					.scalar_bits = 32,
					.vector_length = 1,
					.variable = at(variable)};
}

static void make_unit(void)
{
	header.string_bytes = sizeof(strings);
	unit_kernel[0] = (struct ct_unit_kernel){.name = at("_Z4stepPKfPfi"),
						 .display = at("step(float const*, float*, int)"),
						 .file = at("source.cu"),
						 .line = 3};
	unit_kernel[1] = (struct ct_unit_kernel){.name = at("_Z6reducePKfPf"),
						 .display = at("reduce(float const*, float*)"),
						 .file = at("source.cu"),
						 .line = 13};
	make_site(0, 6, CT_OP_LOAD, "from", 0);
	make_site(1, 7, CT_OP_LOAD, "from", 0);
	make_site(2, 10, CT_OP_STORE, "to", 0);
	make_site(3, 15, CT_OP_LOAD, "to", 1);
	make_site(4, 17, CT_OP_ATOMIC_ADD, "sum", 1);
	for (uint32_t i = 5; i < SITES; i++)
		make_site(i, i, CT_OP_LOAD, "to", 1);
}

static uint64_t state = 88172645463325252u;

static uint64_t random_below(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

static struct ct_comm_kernel kernel[KERNELS] = {
    {"step(float const*, float*, int)", "_Z4stepPKfPfi", 0, 0, 0, 0, 0, 0, 0},
    {"reduce(float const*, float*)", "_Z6reducePKfPf", 0, 0, 0, 0, 0, 0, 0},
    {"void ns::odd<\"</script><!--<script>\">(int&) \xe2\x80\xa8 \xff", "odd", 0, 0, 0, 0, 0, 0, 0},
};

static struct ct_superstep *superstep;
static struct ct_comm_superstep *of_superstep;

/* The trace's table, as what is known of samples goes by the place in it. */
static struct ct_launch_info launches[LAUNCHES_MAX];
static struct ct_launch_sample samples[LAUNCHES_MAX];
static size_t launch_count;

static const struct ct_launch_info *make_launch(uint32_t s, uint32_t of)
{
	struct ct_launch_info *launch = &launches[launch_count++];
	struct ct_event_launch *event = calloc(1, sizeof(*event));

	event->header.time_ns = 1000000u * s + random_below(300000);
	event->launch = s + 1;
	event->grid[0] = of ? 128 : 16;
	event->grid[1] = of ? 1 : 8;
	event->grid[2] = event->block[1] = event->block[2] = 1;
	event->block[0] = 256;
	event->stream = s % STREAMS;
	event->flags = s % 50 == 49 ? 0 : CT_LAUNCH_TRACED;
	launch->event = event;
	launch->kernel = kernel[of].name;
	launch->kernel_name = kernel[of].symbol;
	launch->site = of ? "L\x1fsource.cu\x1f"
			    "29\x1f"
			    "3\x1fmain\x1freduce"
			  : "L\x1fsource.cu\x1f"
			    "28\x1f"
			    "3\x1fmain\x1fstep";
	launch->reason = event->flags ? "" : "sampling";
	launch->region = "";
	launch->unit = of < 2 ? &unit : NULL;
	launch->kernel_index = of < 2 ? of : CT_NONE;
	launch->done = 1;
	launch->done_ns = event->header.time_ns + 600000;
	return launch;
}

static void make_superstep(uint32_t s, uint32_t count)
{
	uint32_t of = s + 1 == count ? 1 : s % 7 == 6 ? 2 : 0;
	uint64_t bytes = 131072 + random_below(65536) * (of + 1);

	superstep[s] = (struct ct_superstep){.stream = s % STREAMS, .level = s / STREAMS};
	if (s % 20 == 19 && s + 1 < count) {
		struct ct_transfer_info *transfer = calloc(1, sizeof(*transfer));
		struct ct_event_transfer *event = calloc(1, sizeof(*event));

		event->header.time_ns = 1000000u * s;
		transfer->event = event;
		transfer->call = "cudaMemcpy";
		superstep[s].transfer = transfer;
		return;
	}
	superstep[s].launch = make_launch(s, of);
	of_superstep[s] =
	    (struct ct_comm_superstep){.load_bytes = 2 * bytes,
				       .store_bytes = bytes,
				       .communicated_load_bytes = s ? bytes : 0,
				       .communicated_store_bytes = bytes / 2,
				       .received_bytes = s ? bytes / 2 : 0,
				       .sent_bytes = bytes / 2,
				       .out_degree_mean = of == 1 ? 0 : 2 + s % 2 * 1.5,
				       .out_degree_sd = .25,
				       .in_degree_mean = of == 0 ? 0 : 1 + s % 3 * .5,
				       .in_degree_sd = .5,
				       .passes = 1};
	kernel[of].launches++;
	kernel[of].load_bytes += 2 * bytes;
	kernel[of].store_bytes += bytes;
	kernel[of].communicated_load_bytes += s ? bytes : 0;
	kernel[of].communicated_store_bytes += bytes / 2;
}

static struct ct_comm_histogram make_histogram(size_t entries, uint64_t first, uint64_t step,
					       uint64_t most)
{
	struct ct_comm_histogram histogram = {calloc(entries + 1, sizeof(struct ct_comm_count)),
					      entries};

	for (size_t i = 0; i < entries; i++)
		histogram.entry[i] =
		    (struct ct_comm_count){first + i * step, 1 + random_below(most) / (1 + i % 17)};
	return histogram;
}

static void make_ctas(struct ct_comm_figures *f, uint64_t ctas)
{
	f->ctas = ctas;
	f->stride_step = 1;
	f->cta = calloc(ctas + 1, sizeof(*f->cta));
	for (uint64_t c = 0; c < ctas; c++)
		f->cta[c] = (struct ct_comm_cta_figures){.in_degree = 2 + c % 3,
							 .out_degree = 1 + c % 5,
							 .received_bytes = 4096 + 64 * (c % 100),
							 .sent_bytes = 2048 + 32 * (c % 77),
							 .load_strides = c % 10 != 9,
							 .load_stride_sum = 4 + 512 * (c % 16 == 0),
							 .load_stride_max = 4096 + c,
							 .store_strides = 10,
							 .store_stride_sum = 40,
							 .store_stride_max = 64};
}

/* Launches and pairs of kernels with a shifted diagonal each, in the huge case full cells. */
static void make_views(struct ct_comm_figures *f, bool is_full)
{
	struct ct_comm_views *views = &f->views;
	uint64_t ctas = f->density.last_cta + 1;
	size_t launches = 0, per_slot, at = 0;

	views->bins = ctas > 64 ? 64 : (uint32_t)ctas;
	views->ctas_per_bin = (ctas + views->bins - 1) / views->bins;
	views->kernels = f->kernels < 16 ? (uint32_t)f->kernels : 16;
	for (size_t s = 0; s < f->supersteps; s++)
		launches += f->superstep[s].launch != NULL;
	per_slot = (launches + 31) / 32;
	views->slots = (launches - 1) / per_slot + 1;
	views->count = views->slots + (size_t)views->kernels * views->kernels;
	views->view = calloc(views->count, sizeof(*views->view));
	for (size_t s = 0; s < f->supersteps; s++) {
		struct ct_comm_view *view = &views->view[at / per_slot];

		if (!f->superstep[s].launch)
			continue;
		view->first = view->launches++ ? view->first : (uint32_t)s;
		view->last = (uint32_t)s;
		at++;
	}
	for (size_t i = 0; i < views->count; i++) {
		struct ct_comm_view *view = &views->view[i];
		uint32_t width = is_full ? views->bins : 1;

		if (i >= views->slots) {
			view->first = (uint32_t)(i - views->slots) / views->kernels;
			view->last = (uint32_t)(i - views->slots) % views->kernels;
		}
		view->cell = calloc((size_t)views->bins * width, sizeof(*view->cell));
		for (uint32_t source = 0; source < views->bins; source++)
			for (uint32_t t = 0; t < width; t++)
				view->cell[view->cells++] = (struct ct_comm_cell){
				    source, is_full ? t : (source + (uint32_t)i) % views->bins, 1,
				    256};
		view->bytes = view->cells * 256;
		view->distance[i % 3] = view->bytes;
	}
}

/* Neighbours in x and y, and in the huge case as many others as fit. */
/* Makes the part of self messages: half of what has the least key. */
static struct ct_comm_histogram half_of_first(const struct ct_comm_histogram *all)
{
	struct ct_comm_histogram half = {.entry = calloc(1, sizeof(*half.entry)), .count = 1};

	half.entry[0] = (struct ct_comm_count){all->entry[0].key, all->entry[0].count / 2};
	return half;
}

static void make_density(struct ct_comm_density *density, uint64_t ctas, uint32_t more)
{
	uint32_t bins = ctas > 1024 ? 1024 : (uint32_t)ctas;

	density->ctas_per_bin = (ctas + bins - 1) / bins;
	density->bins = bins;
	density->last_cta = ctas - 1;
	density->self = calloc(bins, sizeof(*density->self));
	density->cell = calloc((size_t)bins * (3 + more), sizeof(*density->cell));
	for (uint32_t source = 0; source < bins; source++) {
		int64_t target[] = {(int64_t)source - 16, (int64_t)source - 1, source,
				    (int64_t)source + 1};
		int64_t last = -1;

		for (uint32_t i = 0; i < 3 + more; i++) {
			int64_t t =
			    i < 4 && !more ? target[i] : last + 1 + (int64_t)random_below(3);

			if (t <= last || t < 0 || t >= bins)
				continue;
			last = t;
			density->cell[density->cells++] =
			    (struct ct_comm_cell){source, (uint32_t)t, 1 + random_below(1000),
						  64 + random_below(1u << 20)};
		}
	}
}

static void make_pairs(struct ct_comm_figures *f, size_t lines)
{
	static struct ct_comm_kernel_pair pair[2] = {
	    {.source = 0,
	     .target = 0,
	     .transfers = 900,
	     .bytes = 9000000,
	     .self_bytes = 3000000,
	     .distinct_bytes = 1800000,
	     .sources = 128,
	     .targets = 128,
	     .partners = 500,
	     .out_degree_max = 4,
	     .in_degree_max = 4,
	     .source_ctas = 128,
	     .target_ctas = 128,
	     .pattern = CT_PATTERN_NEIGHBOURS},
	    {.source = 0,
	     .target = 1,
	     .transfers = 128,
	     .bytes = 131072,
	     .distinct_bytes = 131072,
	     .sources = 128,
	     .targets = 1,
	     .partners = 127,
	     .out_degree_max = 1,
	     .in_degree_max = 127,
	     .source_ctas = 128,
	     .target_ctas = 128,
	     .pattern = CT_PATTERN_GATHER},
	};

	f->kernel_pair = pair;
	f->kernel_pairs = 2;
	f->line_pair = calloc(lines + 1, sizeof(*f->line_pair));
	f->line_pairs = lines;
	for (size_t i = 0; i < lines; i++)
		f->line_pair[i] =
		    (struct ct_comm_line_pair){.source_unit = i % 11 == 10 ? NULL : &unit,
					       .target_unit = &unit,
					       .source_site = i < 20 ? 2 : 5 + (uint32_t)i / 150,
					       .target_site = i ? 3 + (uint32_t)i % 150 : 0,
					       .bytes = 6000000 / (i + 1),
					       .loaded_bytes = 9000000 / (i + 1)};
}

static void make_objects(struct ct_comm_figures *f)
{
	static const struct ct_event_alloc event[2] = {
	    {.bytes = 131072, .object = 1, .kind = CT_OBJECT_DEVICE},
	    {.bytes = 4, .object = 3, .kind = CT_OBJECT_DEVICE},
	};
	static const struct ct_object_info info[2] = {
	    {.event = &event[0],
	     .name = "to",
	     .site = "A\x1fsource.cu\x1f"
		     "25\x1f"
		     "2\x1fmain\x1fto\x1f"
		     "128 * 256 * sizeof(float)"},
	    {.event = &event[1],
	     .name = "sum",
	     .site = "A\x1fsource.cu\x1f"
		     "26\x1f"
		     "2\x1fmain\x1fsum\x1fsizeof(float)"},
	};
	static struct ct_comm_object object[3] = {
	    {&info[0], 1, 9000000, 4000000, 8000000, 2000000, 6000000, 1000000, 9000000, 3000000},
	    {&info[1], 1, 512, 512, 4, 4, 4, 4, 4, 0},
	    {NULL, 0, 100, 0, 0, 0, 0, 0, 0, 0},
	};

	f->object = object;
	f->objects = 3;
}

static struct ct_scaling_row *make_scaling(size_t supersteps, size_t *count)
{
	static struct ct_scaling_row rows[45];

	for (uint32_t i = 0; i < 45; i++) {
		struct ct_scaling_row *row = &rows[i];

		row->devices = 2 + i / CT_PLACEMENTS;
		row->placement = (enum ct_placement)(i % CT_PLACEMENTS);
		row->crossing_part =
		    row->placement == CT_PLACEMENT_CYCLIC ? .9 : .02 * row->devices;
		row->crossing_bytes = (uint64_t)(9e6 * row->crossing_part);
		row->crossing_transfers = 10 * row->devices;
		row->predicted_seconds = row->crossing_part * 1e-4 + 2e-5;
		row->balance = 1.0 + .01 * row->devices;
		row->is_best = row->placement == CT_PLACEMENT_GRAPH;
		row->superstep_bytes = calloc(supersteps + 1, sizeof(uint64_t));
		for (size_t s = 0; s < supersteps; s++)
			row->superstep_bytes[s] = row->crossing_bytes / (supersteps + s);
	}
	*count = 45;
	return rows;
}

static void make_figures(struct ct_comm_figures *f, uint32_t supersteps, uint64_t ctas, int huge)
{
	superstep = calloc(supersteps + 1u, sizeof(*superstep));
	of_superstep = calloc(supersteps + 1u, sizeof(*of_superstep));
	f->superstep = superstep;
	f->of_superstep = of_superstep;
	f->supersteps = supersteps;
	for (uint32_t s = 0; s < supersteps; s++) {
		make_superstep(s, supersteps);
		f->volume.load_bytes += of_superstep[s].load_bytes;
		f->volume.store_bytes += of_superstep[s].store_bytes;
		f->volume.communicated_load_bytes += of_superstep[s].communicated_load_bytes;
		f->volume.communicated_store_bytes += of_superstep[s].communicated_store_bytes;
		f->launches += superstep[s].launch != NULL;
		f->traced_launches +=
		    superstep[s].launch && superstep[s].launch->event->flags & CT_LAUNCH_TRACED;
	}
	f->volume.exchanged_store_bytes = f->volume.communicated_store_bytes / 2;
	f->volume.transfers = 1028;
	f->volume.transferred_bytes = 9131072;
	f->volume.self_transfers = 300;
	f->volume.self_bytes = 3000000;
	f->volume.from_host_bytes = 4096;
	f->volume.to_host_bytes = 65536;
	f->volume.unwritten_bytes = 128;
	f->volume.unordered_bytes = huge ? 0 : 12;
	make_ctas(f, ctas);
	make_density(&f->density, ctas, huge ? 680 : 0);
	f->transfer_size = make_histogram(huge ? 20000 : 6, 4, huge ? 4 : 252, 1000);
	f->in_degree = make_histogram(huge ? 3000 : 5, 0, 1, 60);
	f->out_degree = make_histogram(huge ? 200 : 4, 0, 1, 60);
	f->distance = make_histogram(huge ? 700 : 3, 0, 1, 1u << 22);
	f->self_size = half_of_first(&f->transfer_size);
	f->self_distance = half_of_first(&f->distance);
	f->volume.others_load_bytes = f->volume.communicated_load_bytes / 4;
	f->volume.others_store_bytes = f->volume.communicated_store_bytes / 4;
	f->load_stride = make_histogram(huge ? 5000 : 3, 4, 12, 9999);
	f->store_stride = make_histogram(2, 4, 508, 9999);
	f->bisection[0] = (struct ct_comm_bisection){400000, .065};
	f->bisection[1] = (struct ct_comm_bisection){1600000, .261};
	f->kernel = kernel;
	f->kernels = KERNELS;
	make_views(f, huge);
	make_pairs(f, huge ? 20000 : 14);
	make_objects(f);
}

int main(int argc, char **argv)
{
	static const struct ct_scaling_options model = {
	    .devices_min = 2, .devices_max = 16, .bandwidth = 450e9, .latency = 2e-6};
	static struct ct_comm_figures f;
	static struct ct_reason reason = {"sampling", 1, NULL, 0};
	static struct ct_reason site_reason = {"inline assembly: ld.weird", 1, &unit, 4};
	static struct ct_numbered_kernel numbered[KERNELS];
	static uint32_t by_symbol[KERNELS] = {0, 1, 2};
	const struct ct_numbered_kernels kernels = {numbered, KERNELS, by_symbol};
	struct ct_summary summary = {.program = "made-up <&>",
				     .complete = 1,
				     .sampling = {.launch = samples, .first = launches}};
	struct ct_coverage coverage = {.count = 0};
	struct ct_findings findings = {.count = 0};
	struct ct_identity expected = {.id = CT_ID_STRIDED_ACCESSES,
				       .path = "/src/stencil.cu",
				       .line = 7,
				       .function = "step",
				       .objects = "",
				       .seconds = NAN};
	struct ct_suppressed suppressed = {.reason = "a <small> table"};
	const struct ct_verdict verdict = {.expected = {&expected, 1}, .suppressed = &suppressed};
	struct ct_sections sections = {.count = 0};
	const char *names[] = {kernel[2].name, kernel[1].name, kernel[0].name};
	struct ct_comm_results results = {.figures = &f, .sampling = &summary.sampling};
	struct ct_comm_shown shown = {
	    .figures = &f, .kernels = &kernels, .sampling = &summary.sampling, .program = ""};
	struct ct_source_store *sources;
	int opened =
	    ct_source_store_open(&sources, NULL, 0, argc > 2 ? argv[2] : NULL, CT_QUOTE_SOURCES);
	const struct ct_report report = {.trace = "run.ctrace",
					 .trace_bytes = 123456789,
					 .findings = &findings,
					 .verdict = &verdict,
					 .sections = &sections,
					 .shown = &shown,
					 .summary = &summary,
					 .coverage = &coverage,
					 .sources = sources};
	int huge = argc > 1 && !strcmp(argv[1], "huge"), failed;

	make_unit();
	for (uint32_t k = 0; k < KERNELS; k++)
		numbered[k] = (struct ct_numbered_kernel){.symbol = kernel[k].symbol,
							  .name = kernel[k].name,
							  .unit = k < 2 ? &unit : NULL,
							  .index = k};
	snprintf(summary.command, sizeof(summary.command), "./made-up --steps 10 </script>");
	if (argc < 2 || strcmp(argv[1], "empty")) {
		make_figures(&f, huge ? 10000 : 42, huge ? 100000 : 128, huge);
		summary.sampling.launches = launch_count;
		summary.launches = (struct ct_reasons){&reason, 1};
		summary.sites = (struct ct_reasons){&site_reason, 1};
		shown.links = &model;
		shown.scaling = make_scaling(f.supersteps, &shown.scaling_rows);
		made_sections(&sections, &unit, names, huge ? 6000 : 3);
	}
	results.scaling = shown.scaling;
	results.scaling_rows = shown.scaling_rows;
	ct_comm_find(&findings, &results);
	failed = opened < 0 || findings.err < 0 || sections.err < 0;
	if (!failed && argc > 1 && !strcmp(argv[1], "comparison"))
		failed = made_comparison(stdout, sources) < 0;
	else if (!failed)
		failed = ct_report_write(stdout, &report) < 0;
	ct_source_store_close(sources);
	ct_findings_fini(&findings);
	ct_sections_fini(&sections);
	return failed;
}
