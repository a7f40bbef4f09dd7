/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what stands out: of made-up figures, in text and as JSON. */
#include "postproc/analysis/comm/findings/findings.h"
#include "postproc/render/findings/findings.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/sink.h"
#include "tests/builder/trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct ct_findings findings;

static const struct ct_finding *found(const char *name)
{
	for (size_t i = 0; i < findings.count; i++)
		if (!strcmp(ct_finding_id_text(findings.list[i].id), name))
			return &findings.list[i];
	return NULL;
}

static void find(const struct ct_comm_results *results)
{
	ct_findings_fini(&findings);
	ct_comm_find(&findings, results);
	cr_assert_eq(findings.err, 0);
}

static void find_in(const struct ct_comm_figures *figures)
{
	const struct ct_comm_results results = {.figures = figures, .has_devices = true};

	find(&results);
}

Test(findings, of_nothing_there_are_none)
{
	find_in(&(struct ct_comm_figures){.launches = 1});
	cr_assert_eq(findings.count, 0);
	ct_findings_fini(&findings);
}

Test(findings, of_loads_alone_is_that_nothing_is_stored)
{
	find_in(&(struct ct_comm_figures){.launches = 1, .volume = {.load_bytes = 4}});
	cr_assert_eq(findings.count, 1);
	cr_assert_eq(findings.list[0].id, CT_ID_NO_STORES);
	ct_findings_fini(&findings);
}

Test(findings, what_ctas_do_not_read_is_not_said_to_be_in_vain)
{
	const struct ct_comm_figures f = {
	    .volume = {.store_bytes = 1000, .communicated_store_bytes = 50}};

	find_in(&f);
	cr_assert_eq(found("communicated")->figure.value, 5);
	cr_assert_null(found("communicated")->fix, "the host may read it, or atomics use it");
	cr_assert_null(found("communicated")->worth.unit);
	ct_findings_fini(&findings);
}

Test(findings, reuse_is_worth_what_is_read_again)
{
	struct ct_comm_kernel kernel[] = {{.name = "put(int*)"},
					  {.name = "take(int*, int const*)"}};
	struct ct_comm_kernel_pair pair = {.target = 1, .bytes = 400, .distinct_bytes = 100};
	struct ct_comm_figures f = {.volume = {.store_bytes = 1},
				    .kernel = kernel,
				    .kernels = 2,
				    .kernel_pair = &pair,
				    .kernel_pairs = 1};

	find_in(&f);
	cr_assert_str_eq(found("reuse")->text,
			 "Each byte that put writes is read by 4.0 thread blocks of take.");
	cr_assert_eq(found("reuse")->figure.value, 4);
	cr_assert_eq(found("reuse")->worth.value, 300);
	cr_assert_eq(found("reuse")->kernels, 2);
	pair.distinct_bytes = 101;
	find_in(&f);
	cr_assert_null(found("reuse"), "less than four readers are not worth a word");
	ct_findings_fini(&findings);
}

/* Two launches, each of what the other one is not; what follows changes one thing at a time. */
static struct ct_unit_header whole = {.kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC};
static const struct ct_unit unit = {.header = &whole};
static struct ct_event_launch put = {.flags = CT_LAUNCH_TRACED, .grid = {4, 1, 1}},
			      take = {.flags = CT_LAUNCH_TRACED, .grid = {4, 1, 1}};
static const struct ct_launch_info launches[] = {
    {.event = &put, .kernel_name = "put", .unit = &unit},
    {.event = &take, .kernel_name = "take", .unit = &unit}};

static const struct ct_finding *fused(struct ct_comm_figures *f)
{
	find_in(f);
	return found("local");
}

Test(findings, kernels_are_fused_where_launches_can_be_one)
{
	struct ct_superstep steps[] = {{.launch = &launches[0]}, {.launch = &launches[1]}};
	struct ct_superstep between[] = {
	    {.launch = &launches[0]}, {.launch = NULL}, {.launch = &launches[1]}};
	struct ct_comm_superstep of[3] = {{.load_bytes = 0}};
	struct ct_comm_kernel kernel[] = {{.name = "put(int*)", .symbol = "put"},
					  {.name = "take(int*)", .symbol = "take"}};
	struct ct_comm_kernel_pair pair = {
	    .target = 1, .bytes = 64, .distinct_bytes = 64, .pattern = CT_PATTERN_LOCAL};
	struct ct_comm_figures f = {.volume = {.store_bytes = 64, .transferred_bytes = 64},
				    .kernel = kernel,
				    .kernels = 2,
				    .kernel_pair = &pair,
				    .kernel_pairs = 1,
				    .superstep = steps,
				    .of_superstep = of,
				    .supersteps = 2};

	cr_assert_eq(fused(&f)->worth.value, 64);
	pair.target = 0;
	cr_assert_null(fused(&f), "a kernel cannot be fused with itself");
	pair.target = 1;
	pair.pattern = CT_PATTERN_NEIGHBOURS;
	cr_assert_null(fused(&f));
	pair.pattern = CT_PATTERN_LOCAL;
	of[1].crossed_bytes = 4;
	cr_assert_null(fused(&f), "it overwrites what other CTAs read");
	of[1].crossed_bytes = 0;
	take.grid[0] = 2;
	cr_assert_null(fused(&f), "another shape");
	take.grid[0] = 4;
	put.flags |= CT_LAUNCH_COOPERATIVE;
	cr_assert_null(fused(&f), "CTAs wait for one another");
	put.flags = CT_LAUNCH_TRACED;
	whole.kinds = CT_KIND_STORE;
	cr_assert_null(fused(&f), "what it loads is not known");
	whole.kinds |= CT_KIND_LOAD | CT_KIND_ATOMIC;
	f.superstep = between;
	f.supersteps = 3;
	cr_assert_null(fused(&f), "a copy between them");
	f.superstep = steps;
	f.supersteps = 2;
	cr_assert_not_null(fused(&f));
	ct_findings_fini(&findings);
}

Test(findings, the_cheaper_cut_is_reported)
{
	struct ct_comm_figures f = {.bisection = {{100, .1}, {300, .3}, {0, 0}}};

	find_in(&f);
	cr_assert_str_eq(found("cut")->fix, "Cut the grid in x when you spread it over devices.");
	cr_assert_eq(found("cut")->figure.value, 3);
	cr_assert_eq(found("cut")->worth.value, 200);
	f.bisection[1].bytes = 149;
	find_in(&f);
	cr_assert_null(found("cut"));
	ct_findings_fini(&findings);
}

Test(findings, of_the_fewest_devices_the_best_placement_is_reported)
{
	const struct ct_scaling_row row[] = {
	    {.devices = 2,
	     .placement = CT_PLACEMENT_BLOCK,
	     .crossing_bytes = 10,
	     .crossing_part = .1,
	     .is_best = 1},
	    {.devices = 2, .placement = CT_PLACEMENT_CYCLIC, .crossing_bytes = 70},
	    {.devices = 3, .placement = CT_PLACEMENT_CYCLIC, .crossing_bytes = 99, .is_best = 1},
	};
	struct ct_comm_figures f = {.launches = 1, .volume = {.transferred_bytes = 100}};
	struct ct_comm_results results = {.figures = &f, .scaling = row, .scaling_rows = 3};

	find(&results);
	cr_assert_null(found("devices")->fix, "two were not asked for");
	cr_assert_str_eq(found("devices")->text,
			 "On 2 devices the block placement is best: 10.0 % of "
			 "the bytes between thread blocks would cross.");
	cr_assert_eq(found("devices")->worth.value, 60);
	ct_findings_fini(&findings);
}

Test(findings, what_limits_and_what_is_wrong_comes_first)
{
	struct ct_sampling sampling = {.site_period = 4};
	struct ct_comm_figures f = {.volume = {.store_bytes = 100,
					       .communicated_store_bytes = 100,
					       .transferred_bytes = 100,
					       .self_bytes = 50,
					       .unordered_bytes = 3,
					       .forgotten_bytes = 2,
					       .same_superstep_bytes = 1}};
	struct ct_comm_results results = {.figures = &f, .sampling = &sampling};
	static const enum ct_finding_kind kinds[] = {CT_FINDING_LIMIT,  CT_FINDING_PROBLEM,
						     CT_FINDING_LIMIT,  CT_FINDING_NOTE,
						     CT_FINDING_RESULT, CT_FINDING_RESULT};

	find(&results);
	cr_assert_eq(findings.count, 6);
	for (size_t i = 0; i < findings.count; i++) {
		cr_assert_eq(findings.list[i].kind, kinds[i], "%s", findings.list[i].text);
		cr_assert_str_eq(findings.list[i].analysis, "comm");
	}
	cr_assert_null(found("self")->fix, "what could be fused is reported of kernels");
	cr_assert_not_null(strstr(found("same-launch")->text, "a race"));
	f.volume.same_superstep_atomic_bytes = 1;
	find(&results);
	cr_assert_not_null(strstr(found("same-launch")->text, "by atomics alone."));
	ct_findings_fini(&findings);
}

/* Returns what is written of the finding at a width. */
static char *written(unsigned width)
{
	const struct ct_style style = {.width = width};
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	ct_findings_write(out, &findings, SIZE_MAX, &style);
	fclose(out);
	return text;
}

Test(findings, are_a_line_each_and_fit_a_terminal)
{
	const struct ct_finding like = {
	    .analysis = "a", .id = CT_ID_TAIL, .kind = CT_FINDING_RESULT, .worth = {2e6, "B"}};
	struct ct_finding first = like;
	char *text, *line;

	first.is_reported_first = true;
	ct_findings_add(&findings, &first, "Reported elsewhere.");
	text = written(0);
	cr_assert_str_eq(text, "", "what stands at the top is not said again");
	free(text);
	ct_findings_add(&findings, &like, "Words that are many enough for more than one line.");
	ct_findings_because(&findings, "counted");
	ct_findings_fix(&findings, "Write less.");
	text = written(0);
	cr_assert_str_eq(text, "\nFindings\nresult   Words that are many enough for more than one "
			       "line (counted). \xe2\x86\x92 Write less (worth up to 2.0 MB).\n");
	free(text);
	text = written(40);
	for (line = strtok(text + 1, "\n"); line; line = strtok(NULL, "\n"))
		cr_assert_leq(strlen(line), 42, "'%s' is too long", line);
	free(text);
	ct_findings_fini(&findings);
}

Test(findings, are_worth_so_many_of_what_is_counted)
{
	struct ct_finding finding = {.worth = {3.25, "s"}};
	char worth[CT_WORTH_BYTES];

	cr_assert_str_eq(ct_finding_worth(&finding, worth), "up to 3.25 s");
	finding.estimate = (struct ct_amount){2.1e-6, "s"};
	cr_assert_str_eq(ct_finding_worth(&finding, worth), "up to 3.25 s, about 2.1 \xc2\xb5s");
	finding.estimate.unit = NULL;
	finding.worth = (struct ct_amount){123456, "wavefronts"};
	cr_assert_str_eq(ct_finding_worth(&finding, worth), "up to 123 456 wavefronts");
	finding.worth.unit = NULL;
	cr_assert_str_eq(ct_finding_worth(&finding, worth), "");
}

static json_t *as_json(void)
{
	char *text = NULL;
	size_t bytes;
	struct ct_table_sink sink = {.format = &ct_format_json,
				     .out = open_memstream(&text, &bytes)};
	json_t *all;

	cr_assert_not_null(sink.out);
	cr_assert_eq(ct_table_sink_begin(&sink), 0);
	cr_assert_eq(ct_table_write_rows(&sink, &ct_findings_table, &findings), 0);
	cr_assert_eq(ct_table_sink_end(&sink), 0);
	cr_assert_eq(ct_table_sink_close(&sink, 0), 0);
	fclose(sink.out);
	all = json_loads(text, 0, NULL);
	free(text);
	return all;
}

Test(findings, in_json_have_every_field)
{
	const struct ct_finding like = {.analysis = "a",
					.id = CT_ID_TAIL,
					.kind = CT_FINDING_NOTE,
					.figure = {0.5, "%"},
					.worth_is_estimate = true,
					.estimate = {2, "s"}};
	json_t *all, *array, *value;

	ct_findings_add(&findings, &like, "One.");
	ct_findings_at_kernel(&findings, "k()");
	all = as_json();
	array = json_object_get(all, "findings");
	value = json_array_get(array, 0);
	cr_assert_eq(json_array_size(array), 1);
	cr_assert_eq(json_object_size(value), 21);
	cr_assert(json_is_null(json_object_get(value, "suppressed_by")));
	cr_assert(json_is_true(json_object_get(value, "worth_is_estimate")));
	cr_assert_str_eq(json_string_value(json_object_get(value, "kind")), "note");
	cr_assert(json_is_null(json_object_get(value, "fix")));
	cr_assert(json_is_null(json_object_get(value, "worth")));
	cr_assert_eq(json_real_value(json_object_get(value, "figure")), 0.005);
	cr_assert_str_eq(json_string_value(json_object_get(value, "figure_unit")), "share");
	cr_assert_eq(json_real_value(json_object_get(value, "estimate")) +
			 (double)json_integer_value(json_object_get(value, "estimate")),
		     2);
	cr_assert_str_eq(json_string_value(json_object_get(value, "estimate_unit")), "seconds");
	value = json_array_get(json_object_get(value, "kernels"), 0);
	cr_assert_str_eq(json_string_value(json_object_get(value, "kernel")), "k()");
	json_decref(all);
	ct_findings_fini(&findings);
}

/* Sets what is reported for a site, or of the kernel alone. */
static void tell(const struct ct_launch_info *launch, const struct ct_finding *like, bool at_site,
		 uint32_t site)
{
	ct_findings_add(&findings, like, "%s", like->analysis);
	if (like->kind != CT_FINDING_NOTE)
		ct_findings_fix(&findings, "Do otherwise.");
	if (at_site)
		ct_findings_at_site(&findings, launch->unit, site);
	ct_findings_at_kernel(&findings, launch->kernel);
}

/* A kernel with two sites in a file; the second one is inlined at the program's own line. */
static void launch_of(struct build *b, uint64_t id, const char *file, const char *symbol)
{
	struct build_unit *unit = build_unit(id, 90, file);

	build_kernel(unit, symbol, symbol, 3);
	build_site(unit, symbol, 5, BUILD_LOAD, 4);
	build_site(unit, symbol, 6, BUILD_LOAD, 4)->inlined_at =
	    build_frame(unit, symbol, "demo.cu", 12, 3, CT_NONE);
	build_add_unit(b, unit);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, symbol), .grid = {1});
}

Test(findings, no_advice_changes_what_is_not_the_programs)
{
	static const char *const left[] = {"own site",      "own kernel",   "inlined site",
					   "without a fix", "a real fault", "of the run"};
	const struct ct_finding result = {.analysis = "a", .kind = CT_FINDING_RESULT};
	struct ct_finding like = result;
	char *directory = fixture_directory(), why[512];
	struct build *b = build_part(directory, NULL);
	const struct ct_launch_info *launched;
	struct ct_trace *trace;

	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
	launch_of(b, 1, "demo.cu", "own");
	launch_of(b, 2, "/opt/cuda-13.0/include/cub/scan.cuh", "scan");
	cr_assert_eq(build_close(b, "{}"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_launches(trace, &launched), 2);
	for (unsigned own = 0; own < 2; own++) {
		const struct ct_launch_info *launch = &launched[1 - own];

		like.analysis = own ? "own site" : "site";
		tell(launch, &like, true, 0);
		like.analysis = own ? "own kernel" : "kernel";
		tell(launch, &like, false, 0);
	}
	like.analysis = "inlined site";
	tell(&launched[1], &like, true, 1);
	like.analysis = "without a fix";
	like.kind = CT_FINDING_NOTE;
	tell(&launched[1], &like, true, 0);
	like.analysis = "a real fault";
	like.kind = CT_FINDING_PROBLEM;
	tell(&launched[1], &like, true, 0);
	like = result;
	like.analysis = "of the run";
	ct_findings_add(&findings, &like, "It takes long.");
	ct_findings_fix(&findings, "Take another machine.");
	ct_findings_leave_foreign(&findings, trace);
	cr_assert_eq(findings.count, sizeof(left) / sizeof(*left));
	for (size_t i = 0; i < findings.count; i++)
		cr_expect_str_eq(findings.list[i].analysis, left[i]);
	ct_findings_fini(&findings);
	ct_trace_close(trace);
	fixture_remove(directory);
}
