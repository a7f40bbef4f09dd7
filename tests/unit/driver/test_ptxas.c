/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what ct-ptxas asks of a unit's PTX: how its clones share, with how many registers, and
 * whether addresses of functions are taken; and what is compiled apart. */
#include "driver/ptxas/addresses.h"
#include "driver/ptxas/split.h"
#include "driver/ptxas/text.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTION                                                                                   \
	".visible .func  (.param .b32 func_retval0) _Z5firsti(\n\t.param .b32 "                    \
	"p\n)\n{\n\tret;\n}\n"
#define KERNEL(name, bounds)                                                                       \
	".visible .entry " name "(\n\t.param .u64 p\n)\n" bounds "{\n\tret;\n}\n"
#define CLONE "__ct__Z1kPi"

static char path[] = "ptx.XXXXXX";

static void write_ptx(const char *text)
{
	int file;

	snprintf(path, sizeof(path), "ptx.XXXXXX");
	file = mkstemp(path);
	cr_assert_geq(file, 0);
	cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
}

static struct ct_ptx_sharing sharing_of(const char *text)
{
	struct ct_ptx_sharing sharing;

	write_ptx(text);
	cr_expect_eq(ct_ptx_sharing(path, &sharing), 0);
	unlink(path);
	return sharing;
}

static int takes_addresses(const char *text)
{
	int takes;

	write_ptx(text);
	takes = ct_ptx_takes_addresses(path);
	unlink(path);
	return takes;
}

Test(driver_ptxas, the_pass_says_by_names_how_clones_share)
{
	cr_expect_eq(sharing_of(KERNEL(CLONE, "")).kind, CT_PTX_ALONE);
	cr_expect_eq(sharing_of(".func ct_apart_f()\n{\n}\n" KERNEL(CLONE, "")).kind, CT_PTX_APART);
	cr_expect_eq(sharing_of(".func (.param .b32 r) __ct_enter_far(\n)\n;\n").kind,
		     CT_PTX_SHARED);
	cr_expect_eq(sharing_of(".func (.param .b32 r) __ct_tier_enter_far(\n)\n;\n").kind,
		     CT_PTX_ALONE);
}

Test(driver_ptxas, clones_are_kernels_with_a_body)
{
	cr_expect(sharing_of(KERNEL(CLONE, "")).clones);
	cr_expect_not(sharing_of(KERNEL("_Z1kPi", "") FUNCTION).clones);
	cr_expect_not(
	    sharing_of(".extern .entry " CLONE "(\n\t.param .u64 p\n)\n;\n" FUNCTION).clones);
}

Test(driver_ptxas, calls_through_pointers_have_prototypes)
{
	cr_expect_not(sharing_of(KERNEL(CLONE, "")).points);
	cr_expect(sharing_of("{\n\tprototype_0 : .callprototype ()_ ();\n}\n").points);
}

Test(driver_ptxas, registers_are_what_the_least_kernel_leaves)
{
	struct ct_ptx_sharing sharing =
	    sharing_of(KERNEL("_Z1jPi", ".maxnreg 24\n")
			   KERNEL(CLONE, ".maxntid 1024, 1, 1\n.minnctapersm 2\n")
			       KERNEL("__ct__Z1lPi", ".reqntid 128\n"));

	cr_expect_eq(sharing.registers, 32);
	cr_expect_eq(sharing.registers_of_all, 24);
	sharing = sharing_of(KERNEL(CLONE, ""));
	cr_expect_eq(sharing.registers, 64);
	cr_expect_eq(sharing.registers_of_all, 64);
}

Test(driver_ptxas, bounds_of_a_declared_kernel_are_nobodys)
{
	struct ct_ptx_sharing sharing =
	    sharing_of(".extern .entry " CLONE "(\n\t.param .u64 p\n)\n.maxnreg 16\n;\n" FUNCTION);

	cr_expect_eq(sharing.registers, 64);
	cr_expect_eq(sharing.registers_of_all, 64);
}

Test(driver_ptxas, addresses_are_taken_by_moves_and_tables)
{
	cr_expect_eq(takes_addresses(FUNCTION "{\n\tmov.b64 \t%rd2, _Z5firsti;\n}\n"), 1);
	cr_expect_eq(
	    takes_addresses(FUNCTION ".visible .global .align 8 .u64 table[2] = {0, _Z5firsti};\n"),
	    1);
	cr_expect_eq(takes_addresses(".extern .func _Z1fv\n(\n)\n;\n.const .u64 t = _Z1fv;\n"), 1);
}

Test(driver_ptxas, addresses_are_not_taken_by_who_declares_and_calls)
{
	cr_expect_eq(takes_addresses(FUNCTION FUNCTION), 0);
	cr_expect_eq(takes_addresses(FUNCTION "\t@%p1 call.uni (retval0), _Z5firsti, (param0);\n"),
		     0);
	cr_expect_eq(takes_addresses(
			 FUNCTION "\tcall.uni (retval0), \n\t_Z5firsti, \n\t(\n\tparam0\n\t);\n"),
		     0);
	cr_expect_eq(takes_addresses(FUNCTION
				     "\tmov.b64 %rd2, _Z5firstix; // _Z5firsti\n"
				     "\t.file 1 \"_Z5firsti\"\n\t.alias _Z1gv, _Z5firsti;\n"),
		     0);
	cr_expect_eq(
	    takes_addresses(FUNCTION "\tcall.uni _Z5firsti, ();\n\tmov.b64 %rd1, _Z5firsti;\n"), 1);
}

Test(driver_ptxas, a_file_that_is_not_there_is_an_error)
{
	struct ct_ptx_sharing sharing;

	cr_expect_eq(ct_ptx_sharing("not-there.ptx", &sharing), -ENOENT);
	cr_expect_eq(ct_ptx_takes_addresses("not-there.ptx"), -ENOENT);
}

/* Two functions as code generation writes them, with other numbers in another unit. */
static void split(struct ct_ptx_functions *functions, const char *format, ...)
{
	char text[4096], rest[] = "rest.XXXXXX";
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	write_ptx(text);
	close(mkstemp(rest));
	cr_assert_eq(ct_ptx_split(path, rest, functions), 0);
	unlink(path);
	unlink(rest);
}

Test(driver_ptxas, a_function_apart_has_one_text_in_all_units)
{
	static const char format[] =
	    "// begin\n.version 8.8\n.target sm_90\n.address_size 64\n"
	    ".func ct_apart_f\n(\n\t.param .b32 p\n)\n;\n"
	    ".func  (.param .b32 func_retval0) ct_near_g(\n\t.param .b32 p // %%p\n)\n"
	    "{\n$L__BB%d_1:\n\tret;\n}\n" KERNEL(
		CLONE,
		"") ".func ct_apart_f(\n\t.param .b32 p\n)   // @f\n{\n$L__BB%d_2: // in BB%d_1\n\n"
		    "\t{ // callseq %d, 0\n\tcall.uni (r), ct_near_g, (p);\n\t} // callseq %d\n"
		    "\tbra $L__BB%d_2;\n}\n";
	struct ct_ptx_functions one = {0}, other = {0};

	split(&one, format, 1, 2, 2, 7, 7, 2);
	split(&other, format, 11, 12, 12, 77, 77, 12);
	cr_assert_eq(one.count, 2);
	cr_assert_eq(other.count, 2);
	cr_expect_eq(one.apart, 1);
	cr_expect_str_eq(one.header, ".version 8.8\n.target sm_90\n.address_size 64\n");
	for (size_t i = 0; i < 2; i++) {
		cr_expect_str_eq(one.items[i].name, i ? "ct_near_g" : "ct_apart_f");
		cr_expect_eq(one.items[i].is_apart, i == 0);
		cr_expect_str_eq(one.items[i].head, other.items[i].head);
		cr_expect_str_eq(one.items[i].body, other.items[i].body);
	}
	cr_expect_str_eq(one.items[0].body,
			 "{\n$L__BB_2:\n\t{\n\tcall.uni (r), ct_near_g, (p);\n\t}\n"
			 "\tbra $L__BB_2;\n}\n");
	ct_ptx_functions_fini(&one);
	ct_ptx_functions_fini(&other);
}
