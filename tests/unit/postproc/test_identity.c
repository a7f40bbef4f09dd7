/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of two runs that are the same one: what was built again, moved, edited, fixed. */
#include "postproc/problems/identity.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX 16

/* Problems of a run: each of a part or of two. */
struct run {
	struct ct_finding finding[MAX];
	struct ct_problem_part part[MAX];
	struct ct_problem problem[MAX];
	struct ct_problems problems;
	const char *text[MAX]; /* of the line of each finding; NULL: not known */
};

static struct ct_object_info object_a = {.name = "a"}, object_b = {.name = "b"},
			     object_c = {.name = "c (main.cu:12)", .caller = "src/main.cu:12"};

static const char *text_of(void *user, const char *file, uint32_t line, char buffer[CT_LINE_BYTES])
{
	const struct run *run = user;

	for (size_t i = 0; i < run->problems.parts; i++)
		if (run->finding[i].line == line && !strcmp(run->finding[i].file, file) &&
		    run->text[i]) {
			snprintf(buffer, CT_LINE_BYTES, "%s", run->text[i]);
			return buffer;
		}
	return NULL;
}

static void begin(struct run *run)
{
	*run = (struct run){.problems = {.run_seconds = 2}};
	run->problems.list = run->problem;
	run->problems.part = run->part;
}

static struct ct_finding *add_part(struct run *run, enum ct_finding_id id, const char *file,
				   uint32_t line, const char *text)
{
	size_t number = run->problems.parts++;
	struct ct_finding *finding = &run->finding[number];

	*finding = (struct ct_finding){.analysis = "access", .id = id, .file = file, .line = line};
	run->text[number] = text;
	run->part[number] = (struct ct_problem_part){
	    .finding = finding, .number = number, .seconds = 1, .bound = 1};
	run->problem[run->problems.count - 1].parts++;
	return finding;
}

static struct ct_finding *add(struct run *run, enum ct_finding_id id, const char *file,
			      uint32_t line, const char *text)
{
	run->problem[run->problems.count++] =
	    (struct ct_problem){.first = run->problems.parts, .seconds = 1, .bound = 1};
	return add_part(run, id, file, line, text);
}

static void in_kernel(struct ct_finding *finding, const char *kernel,
		      const struct ct_object_info *object)
{
	finding->kernel[finding->kernels++] = kernel;
	if (object)
		finding->object[finding->objects++] = object;
}

/* "0 1 -": which of `before` each of `after` is. */
static const char *matched(struct run *before, struct run *after)
{
	static char text[128];
	struct ct_identities a, b;
	struct ct_identity_match match;
	size_t used = 0;

	cr_assert_eq(
	    ct_identities_init(&a, &before->problems, &(struct ct_line_texts){text_of, before}), 0);
	cr_assert_eq(
	    ct_identities_init(&b, &after->problems, &(struct ct_line_texts){text_of, after}), 0);
	cr_assert_eq(ct_identity_match_init(&match, &a, &b), 0);
	*text = '\0';
	for (size_t i = 0; i < b.count; i++)
		used += (size_t)(match.before[i] == CT_UNMATCHED
				     ? snprintf(text + used, sizeof(text) - used, "-")
				     : snprintf(text + used, sizeof(text) - used, "%zu",
						match.before[i]));
	for (size_t i = 0; i < a.count; i++)
		cr_expect(match.after[i] == CT_UNMATCHED || match.before[match.after[i]] == i);
	cr_expect_eq(match.remaining + match.gone, a.count);
	cr_expect_eq(match.remaining + match.new, b.count);
	ct_identity_match_fini(&match);
	ct_identities_fini(&a);
	ct_identities_fini(&b);
	return text;
}

Test(identity, is_the_same_after_lines_directories_and_parameters_have_changed)
{
	struct run before, after;

	begin(&before);
	in_kernel(add(&before, CT_ID_STRIDED_ACCESSES, "/home/a/heat.cu", 45, "\tsum += u[i];"),
		  "row_means(float const*, int)", &object_a);
	add(&before, CT_ID_UNNECESSARY_WAIT, "/home/a/heat.cu", 83, "cudaDeviceSynchronize();")
	    ->function = "main";
	begin(&after);
	add(&after, CT_ID_UNNECESSARY_WAIT, "heat.cu", 90, "  cudaDeviceSynchronize( );  ")
	    ->function = "main";
	add(&after, CT_ID_UNNECESSARY_WAIT, "heat.cu", 93,
	    "\tcudaDeviceSynchronize();   // ct: expected all")
	    ->function = "main(int, char**)";
	in_kernel(add(&after, CT_ID_STRIDED_ACCESSES, "/srv/b/src/heat.cu", 52,
		      "  sum +=  u[i]; /* a comment */"),
		  "row_means(double const*, long)", &object_a);
	cr_expect_str_eq(matched(&before, &after), "-10", "%s", matched(&before, &after));
}

Test(identity, is_another_where_the_id_the_line_or_the_object_is)
{
	struct run before, after;

	begin(&before);
	in_kernel(add(&before, CT_ID_REDUNDANT_LOADS, "a.cu", 10, "x = a[i];"), "k(int*)",
		  &object_a);
	in_kernel(add_part(&before, CT_ID_SILENT_STORES, "a.cu", 10, "x = a[i];"), "k(int*)",
		  &object_a);
	begin(&after);
	in_kernel(add(&after, CT_ID_SILENT_STORES, "a.cu", 10, "x = a[i];"), "k(int*)", &object_a);
	in_kernel(add(&after, CT_ID_BANK_CONFLICTS, "a.cu", 10, "x = a[i];"), "k(int*)", &object_a);
	in_kernel(add(&after, CT_ID_REDUNDANT_LOADS, "a.cu", 11, "y = b[i];"), "k(int*)",
		  &object_b);
	in_kernel(add(&after, CT_ID_REDUNDANT_LOADS, "b.cu", 10, "z = a[i];"), "k(int*)",
		  &object_a);
	cr_expect_str_eq(matched(&before, &after), "1---", "%s", matched(&before, &after));
}

Test(identity, of_lines_that_read_alike_the_nearest_are_the_same)
{
	struct run before, after;

	begin(&before);
	for (uint32_t line = 10; line <= 50; line += 20)
		add(&before, CT_ID_UNNECESSARY_WAIT, "a.cu", line, "cudaDeviceSynchronize();")
		    ->function = "main";
	begin(&after);
	add(&after, CT_ID_UNNECESSARY_WAIT, "a.cu", 51, "cudaDeviceSynchronize();")->function =
	    "main";
	add(&after, CT_ID_UNNECESSARY_WAIT, "a.cu", 12, "cudaDeviceSynchronize();")->function =
	    "main";
	cr_expect_str_eq(matched(&before, &after), "20", "%s", matched(&before, &after));
}

Test(identity, survives_edits_renames_and_moves)
{
	struct run before, after;

	begin(&before);
	in_kernel(add(&before, CT_ID_STRIDED_ACCESSES, "a.cu", 10, "x = a[i];"), "k(int*)",
		  &object_a);
	in_kernel(add(&before, CT_ID_STRIDED_ACCESSES, "a.cu", 20, "total += table[i * n];"),
		  "old_name(int*)", &object_b);
	in_kernel(add(&before, CT_ID_SHORT_ROWS, "a.cu", 30, "total += row[threadIdx.x];"),
		  "moved(int*)", &object_b);
	in_kernel(add(&before, CT_ID_IDLE_SMS, NULL, 0, NULL), "small(int*)", NULL);
	in_kernel(add(&before, CT_ID_MISALIGNED_ACCESSES, "a.cu", 40, "y = a[i + 1];"), "m(int*)",
		  &object_a);
	begin(&after);
	in_kernel(add(&after, CT_ID_STRIDED_ACCESSES, "a.cu", 10, "x = f(a[i]);"), "k(int*)",
		  &object_a);
	in_kernel(add(&after, CT_ID_STRIDED_ACCESSES, "a.cu", 21, "total += table[i * n];"),
		  "new_name(int*)", &object_b);
	in_kernel(add(&after, CT_ID_SHORT_ROWS, "b.cu", 3, "total += row[threadIdx.x];"),
		  "moved(int*)", &object_b);
	in_kernel(add(&after, CT_ID_IDLE_SMS, NULL, 0, NULL), "small(long*)", NULL);
	in_kernel(add(&after, CT_ID_STRIDED_ACCESSES, "a.cu", 40, "y = a[i + 1];"), "m(int*)",
		  &object_a);
	cr_expect_str_eq(matched(&before, &after), "01234", "%s", matched(&before, &after));
}

Test(identity, goes_by_places_where_no_text_is_known)
{
	struct run before, after;

	begin(&before);
	add(&before, CT_ID_UNNECESSARY_WAIT, "a.cu", 10, NULL)->function = "main";
	add(&before, CT_ID_UNNECESSARY_WAIT, "a.cu", 20, NULL)->function = "main";
	begin(&after);
	add(&after, CT_ID_UNNECESSARY_WAIT, "a.cu", 20, "wait();")->function = "main";
	add(&after, CT_ID_UNNECESSARY_WAIT, "a.cu", 13, NULL)->function = "main";
	add(&after, CT_ID_UNNECESSARY_WAIT, "a.cu", 33, NULL)->function = "other";
	cr_expect_str_eq(matched(&before, &after), "10-", "%s", matched(&before, &after));
}

Test(identity, of_a_layout_is_its_object_wherever_that_is_accessed)
{
	struct run before, after;
	struct ct_finding *finding;

	begin(&before);
	in_kernel(finding = add(&before, CT_ID_ARRAY_OF_STRUCTURES, "a.cu", 10, "x = a[i].x;"),
		  "k()", &object_a);
	finding->is_of_object = true;
	begin(&after);
	in_kernel(finding = add(&after, CT_ID_ARRAY_OF_STRUCTURES, "a.cu", 70, "y = a[i].y;"),
		  "l()", &object_a);
	finding->is_of_object = true;
	in_kernel(finding = add(&after, CT_ID_ARRAY_OF_STRUCTURES, "a.cu", 10, "x = b[i].x;"),
		  "k()", &object_b);
	finding->is_of_object = true;
	cr_expect_str_eq(matched(&before, &after), "0-", "%s", matched(&before, &after));
}

Test(identity, has_worth_place_and_a_fingerprint_that_stays)
{
	struct run run;
	struct ct_identities list;
	char first[CT_FINGERPRINT_BYTES], second[CT_FINGERPRINT_BYTES];

	begin(&run);
	in_kernel(add(&run, CT_ID_REDUNDANT_LOADS, "/src/a.cu", 10, "x = a[i];"), "k<4>(int*)",
		  &object_b);
	in_kernel(add_part(&run, CT_ID_SILENT_STORES, "/src/a.cu", 10, "x = a[i];"), "k<4>(int*)",
		  &object_a);
	in_kernel(add_part(&run, CT_ID_SILENT_STORES, "/src/a.cu", 10, "x = a[i];"), "k<4>(int*)",
		  &object_c);
	add(&run, CT_ID_LEAK, NULL, 0, NULL);
	run.problem[0].seconds = run.problem[0].bound = 1.5;
	run.part[3].seconds = NAN;
	run.problem[1].seconds = NAN;
	cr_assert_eq(ct_identities_init(&list, &run.problems, NULL), 0);
	cr_assert_eq(list.count, 3);
	cr_expect_str_eq(list.list[0].file, "a.cu");
	cr_expect_str_eq(list.list[0].function, "k");
	cr_expect_str_eq(list.list[0].objects, "b");
	cr_expect_str_eq(list.list[1].objects, "a, c (main.cu)");
	cr_expect_eq(list.list[0].offset, 10);
	cr_expect_eq(list.list[0].seconds, 1.5);
	cr_expect_eq(list.list[1].seconds, 2, "two parts of a second");
	cr_expect_eq(list.list[1].share, 1);
	cr_expect_eq(list.list[1].problem, 0);
	cr_expect_eq(list.list[1].part, 1);
	cr_expect(isnan(list.list[2].seconds));
	cr_expect_eq(list.list[2].offset, CT_OFFSET_NONE);
	ct_identity_fingerprint(&list.list[0], first);
	cr_expect_eq(strlen(first), 16);
	list.list[0].seconds = 3;
	list.list[0].line = 99;
	cr_expect_str_eq(ct_identity_fingerprint(&list.list[0], second), first);
	*list.list[0].function = 'l';
	cr_expect_str_neq(ct_identity_fingerprint(&list.list[0], second), first);
	ct_identities_fini(&list);
}

Test(identity, names_functions_without_what_changes)
{
	static const char *const cases[][2] = {
	    {"row_means(float const*, int)", "row_means"},
	    {"void copy<float, 4>(float*, std::vector<int> const&)", "copy"},
	    {"solver::step<double>::apply(int)", "solver::step::apply"},
	    {"(anonymous namespace)::k(int)", "(anonymous namespace)::k"},
	    {"main", "main"},
	    {"run(int)::{lambda(int)#1}::operator()(int) const", "run::{lambda}::operator()"},
	    {"grid::operator()(int)", "grid::operator()"},
	    {"bool operator<<int>(a, b)", "operator<"},
	    {"for_each<(lambda at /home/me/a.cu:12:3)>((lambda at /home/me/a.cu:12:3))",
	     "for_each"},
	    {"(lambda at /home/me/a.cu:12:3)", "(lambda)"},
	    {"operator+(a, b)", "operator+"},
	    {"", ""},
	    {"broken<(", "broken"},
	};
	char text[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_expect_str_eq(ct_function_name(cases[i][0], text, sizeof(text)), cases[i][1],
				 "%s: %s", cases[i][0], text);
	cr_expect_str_eq(ct_function_name("abcdefgh(int)", text, 4), "abc");
}

Test(identity, reads_lines_without_comments_and_blanks)
{
	static const char *const cases[][2] = {
	    {"\tsum += u[i];\n", "sum += u[i];"},
	    {"a  =\tb; // why", "a = b;"},
	    {"a /* x */ = b /* y", "a = b"},
	    {"puts(\"a  // b\"); // c", "puts(\"a  // b\");"},
	    {"c = '\"'; // d", "c = '\"';"},
	    {"puts(\"\\\" // \");", "puts(\"\\\" // \");"},
	    {"// all", ""},
	    {"", ""},
	};
	char text[CT_LINE_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_expect_str_eq(ct_line_text(cases[i][0], text, sizeof(text)), cases[i][1],
				 "%s: %s", cases[i][0], text);
	cr_expect_str_eq(ct_line_text("abcdefgh", text, 4), "ab");
}
