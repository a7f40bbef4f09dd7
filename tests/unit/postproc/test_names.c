/* SPDX-License-Identifier: Apache-2.0 */
/* Names and paths as they are shown. */
#include "postproc/facts/folded_name.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_name(const char *name, const char *brief)
{
	char buffer[CT_BRIEF_NAME_BYTES];

	cr_expect_str_eq(ct_source_name_brief(name, buffer), brief);
}

Test(names, places_of_what_has_no_name_lose_their_directories)
{
	expect_name("apply<(lambda at /a/b (c)/x.cu:1:2)>(int)",
		    "apply<(lambda at x.cu:1:2)>(int)");
	expect_name("f<(unnamed struct at /a:1:b/x.cu:1:2), (lambda at y.h:30:4)>",
		    "f<(unnamed struct at x.cu:1:2), (lambda at y.h:30:4)>");
	expect_name("(anonymous namespace)::f<(anonymous class at ../x.cu:1:2)>",
		    "(anonymous namespace)::f<(anonymous class at x.cu:1:2)>");
}

Test(names, other_names_are_as_they_are)
{
	static const char *const names[] = {
	    "",
	    "f(int*, int const*)",
	    "f<main::{lambda(int)#1}>",
	    "f<(lambda at ",
	    "f<(lambda at /a/x.cu:1)>",
	    "(anonymous namespace)::at at /a/x.cu:1:2)",
	};
	char buffer[CT_BRIEF_NAME_BYTES];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cr_expect_eq(ct_source_name_brief(names[i], buffer), names[i], "%s", names[i]);
}

Test(names, names_that_are_too_long_are_cut)
{
	char name[3 * CT_BRIEF_NAME_BYTES], buffer[CT_BRIEF_NAME_BYTES];

	memset(name, 'x', sizeof(name));
	memcpy(name + CT_BRIEF_NAME_BYTES, "(lambda at /a/x.cu:1:2)", 23);
	memcpy(name + sizeof(name) - 24, "(lambda at /a/x.cu:1:2)", 24);
	cr_expect_eq(strlen(ct_source_name_brief(name, buffer)), CT_BRIEF_NAME_BYTES - 1);
}

Test(names, paths_make_no_detours)
{
	static const char *const paths[][2] = {
	    {"/a/tests/../../b/x.cu", "/b/x.cu"},
	    {"src/tests/.././bfs.cu", "src/bfs.cu"},
	    {"./x.cu", "x.cu"},
	    {"a//b.cu", "a/b.cu"},
	    {"../../a/../x.cu", "../../x.cu"},
	    {"/../x.cu", "/x.cu"},
	    {"a/../x.cu", "x.cu"},
	    {"/a/..b/...", "/a/..b/..."},
	    {"x.cu", "x.cu"},
	    {"", ""},
	};
	char buffer[64];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		cr_expect_str_eq(ct_place_path(paths[i][0], buffer, sizeof(buffer)), paths[i][1]);
	cr_expect_eq(ct_place_path(paths[0][0], buffer, 8), paths[0][0]);
}

static void expect_folded(const char *function, const char *folded)
{
	char *name = ct_folded_name(function);

	cr_expect_str_eq(name, folded, "%s: %s", function, name);
	free(name);
}

Test(names, instances_of_a_template_have_one)
{
	expect_folded("main", "main");
	expect_folded("solve(float*, int)", "solve");
	expect_folded("void temporaries<float>(float*)", "temporaries<...>");
	expect_folded("unsigned long a::b<int, c<d> >::f<(x)3>(e<g>) const", "a::b<...>::f<...>");
	expect_folded("main::{lambda(int)#1}::operator()(int) const",
		      "main::{lambda(int)#1}::operator()");
	expect_folded("f(int)::local::g(char)", "f::local::g");
	expect_folded("(anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<...>");
	expect_folded("std::ostream& operator<< <char>(std::ostream&, char)", "operator<<<...>");
	expect_folded("bool a::operator<(a const&) const", "a::operator<");
	expect_folded("a::operator unsigned int() const", "a::operator unsigned int");
	expect_folded("cooperator(int)", "cooperator");
	expect_folded("libcufft.so.11+0x1234", "libcufft.so.11+0x1234");
	expect_folded("", "");
	expect_folded("broken<int", "broken<...>");
	expect_folded("<", "<...>");
}

static void expect_short(const char *name, const char *expected)
{
	char buffer[CT_BRIEF_NAME_BYTES];

	cr_expect_str_eq(ct_short_name(name, buffer), expected, "%s: %s", name, buffer);
}

Test(names, people_read_neither_parameters_nor_long_arguments)
{
	expect_short("void axpy<float>(float*, float const*)", "axpy<float>");
	expect_short("void f<at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)",
		     "f<...>");
	expect_short("a::b<c<d<int> > >::f(int)", "a::b<c<d<int> > >::f");
	expect_short("f<(lambda at /home/me/x.cu:1:2)>(int)", "f<(lambda at x.cu:1:2)>");
	expect_short("  main::{lambda(int)#1}::operator()(int) const",
		     "  main::{lambda(int)#1}::operator()");
	expect_short("copy host to device", "copy host to device");
	expect_short("a name of a range", "a name of a range");
	expect_short("(lambda at /a/x.cu:1:2)", "(lambda at x.cu:1:2)");
	expect_short("broken<int", "broken<...>");
	expect_short("", "");
}
