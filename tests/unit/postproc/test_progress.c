/* SPDX-License-Identifier: Apache-2.0 */
/* The text of the progress bar. */
#include "postproc/cmdline/progress.h"
#include <criterion/criterion.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>

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
