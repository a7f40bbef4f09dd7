/* SPDX-License-Identifier: Apache-2.0 */
/* Values of command-line options, and the text of the progress bar. */
#include "postproc/cmdline/parse.h"
#include "postproc/cmdline/progress.h"
#include <criterion/criterion.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>

/* parse.c looks commands up here. */
const struct ctpost_command *const ctpost_commands[] = {NULL};

Test(parse, sizes_are_in_powers_of_1024)
{
	uint64_t bytes;

	cr_assert_eq(ctpost_parse_size("4096", &bytes), 0);
	cr_assert_eq(bytes, 4096);
	cr_assert_eq(ctpost_parse_size("512M", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(512) << 20);
	cr_assert_eq(ctpost_parse_size("2g", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(2) << 30);
	cr_assert_eq(ctpost_parse_size("1T", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(1) << 40);
}

Test(parse, wrong_sizes_are_refused)
{
	static const char *const wrong[] = {"", "G", "2X", "2GB", "-1", " 2", "1.5G", "99999999T"};
	uint64_t bytes;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(ctpost_parse_size(wrong[i], &bytes), -1, "'%s'", wrong[i]);
}

Test(parse, rates_and_times_have_units)
{
	double value;

	cr_assert_eq(ctpost_parse_rate("450G", &value), 0);
	cr_assert_float_eq(value, 450e9, 1);
	cr_assert_eq(ctpost_parse_rate("1.5GB", &value), 0);
	cr_assert_float_eq(value, 1.5e9, 1);
	cr_assert_eq(ctpost_parse_time("2us", &value), 0);
	cr_assert_float_eq(value, 2e-6, 1e-12);
	cr_assert_eq(ctpost_parse_time("0.5", &value), 0);
	cr_assert_float_eq(value, 0.5, 1e-12);
	cr_assert_eq(ctpost_parse_time("-1", &value), -1);
	cr_assert_eq(ctpost_parse_time("2 us", &value), -1);
	cr_assert_eq(ctpost_parse_rate("inf", &value), -1);
	cr_assert_eq(ctpost_parse_rate("-1G", &value), -1);
}

Test(parse, addresses_are_hexadecimal_or_decimal)
{
	uint64_t first, last;

	cr_assert_eq(ctpost_parse_addresses("0x7f00-0x7f0f", &first, &last), 0);
	cr_assert_eq(first, 0x7f00);
	cr_assert_eq(last, 0x7f0f);
	cr_assert_eq(ctpost_parse_addresses("256", &first, &last), 0);
	cr_assert_eq(first, 256);
	cr_assert_eq(last, 256);
	cr_assert_eq(ctpost_parse_addresses("0x10-0x0", &first, &last), -1);
	cr_assert_eq(ctpost_parse_addresses("0x", &first, &last), -1);
	cr_assert_eq(ctpost_parse_addresses("7f00", &first, &last), -1);
	cr_assert_eq(ctpost_parse_addresses("0x10-", &first, &last), -1);
}

Test(progress, tells_the_time_that_is_left)
{
	char text[128];

	ctpost_progress_text(text, sizeof(text), 0.5, 13);
	cr_assert_str_eq(text, "[###############...............]  50 % 0:13 left");
	ctpost_progress_text(text, sizeof(text), 0.25, 1300);
	cr_assert_str_eq(text, "[#######.......................]  25 % 1:05:00 left");
	ctpost_progress_text(text, sizeof(text), 1, 90);
	cr_assert_str_eq(text, "[##############################] 100 % 0:00 left");
}

Test(progress, tells_no_time_before_it_can_know)
{
	char text[128];

	ctpost_progress_text(text, sizeof(text), 0.001, 2);
	cr_assert_str_eq(text, "[..............................]   0 %");
}

Test(progress, is_drawn_on_a_terminal_and_erased)
{
	struct ctpost_progress progress;
	int terminal, other, err = dup(STDERR_FILENO);
	char text[512] = "";
	size_t used = 0;
	ssize_t got;

	cr_assert_eq(openpty(&terminal, &other, NULL, NULL, NULL), 0);
	dup2(other, STDERR_FILENO);
	ctpost_progress_start(&progress, "x.ctrace");
	progress.started_ns -= 10000000000u;
	ctpost_progress_update(&progress, 1, 4);
	cr_expect(progress.visible);
	ctpost_progress_stop(&progress);
	dup2(err, STDERR_FILENO);
	/* The terminal passes on what was written when it likes. */
	while (!strstr(text, "\r\033[K")) {
		got = read(terminal, text + used, sizeof(text) - 1 - used);
		cr_assert_gt(got, 0);
		used += (size_t)got;
	}
	cr_assert_not_null(strstr(text, "x.ctrace [#######.......................]  25 % 0:3"),
			   "%s", text);
}

Test(progress, is_not_drawn_into_a_file)
{
	struct ctpost_progress progress;
	int err = dup(STDERR_FILENO), ends[2];

	cr_assert_eq(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	ctpost_progress_start(&progress, "x.ctrace");
	dup2(err, STDERR_FILENO);
	progress.started_ns -= 10000000000u;
	ctpost_progress_update(&progress, 1, 4);
	cr_assert_not(progress.visible);
}
