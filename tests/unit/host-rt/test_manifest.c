/* SPDX-License-Identifier: Apache-2.0 */
/* A manifest is JSON whatever the strings in it are. */
#include "host-rt/process/manifest.h"
#include <criterion/criterion.h>
#include <cudatrace/format.h>
#include <stdlib.h>
#include <string.h>

static struct ct_options options_of(const char *output, const char *kernels)
{
	return (struct ct_options){.output = output,
				   .kernels = kernels,
				   .launches = "",
				   .region = "",
				   .tier = "full",
				   .calls = "on",
				   .samples = "off",
				   .samples_mode = "serial",
				   .uses = "off",
				   .uses_of = "",
				   .on_full = "block",
				   .codec = "auto",
				   .keep_free = "",
				   .sink = ""};
}

Test(hostrt_manifest, totals_and_completeness_are_reported)
{
	struct ct_options options = options_of("", "");
	struct ct_session_totals totals = {7, 5, 2, 4096, 3, 6, 8, 9, 10, 0};
	struct ct_process_place place = {.rank = {.rank = 3, .ranks = 4}, .run = "job.1"};
	struct ct_manifest manifest = {.options = &options,
				       .place = &place,
				       .part = 3,
				       .totals = &totals,
				       .trace_bytes = 123,
				       .start_ns = 1,
				       .end_ns = 2,
				       .target = "cpu",
				       .is_injected = true,
				       .error = "",
				       .complete = true};
	char *text = ct_manifest_text(&manifest);

	cr_assert_not_null(strstr(
	    text, "\"totals\": {\"launches\": 7, \"traced_launches\": 5, "
		  "\"kernels\": 2, \"record_bytes\": 4096, "
		  "\"trace_bytes\": 123, \"lost_chunks\": 3, "
		  "\"ring_waits\": 6, \"hurried_chunks\": 8, \"calls\": 9, \"activities\": 10}"));
	cr_assert_not_null(strstr(text, "\n  \"run\": \"job.1\",\n  \"part\": 3,\n"
					"  \"rank\": 3,\n  \"ranks\": 4,\n"));
	cr_assert_not_null(strstr(text, "\"complete\": true\n}"));
	cr_assert_not_null(strstr(text, "\"target\": \"cpu\""));
	cr_assert_not_null(strstr(text, "\"injected\": true"));
	free(text);
}

Test(hostrt_manifest, quotes_backslashes_and_control_characters_are_escaped)
{
	struct ct_options options = options_of("a\"b\\c\n", "\x1f");
	struct ct_session_totals totals = {0};
	struct ct_process_place place = {.rank = {.rank = CT_NO_RANK}};
	struct ct_manifest manifest = {.options = &options,
				       .place = &place,
				       .totals = &totals,
				       .target = "gpu",
				       .error = "dir\t"};
	char *text = ct_manifest_text(&manifest);

	cr_assert_not_null(strstr(text, "\"output\": \"a\\\"b\\\\c\\n\""));
	cr_assert_not_null(strstr(text, "\"kernels\": \"\\u001f\""));
	cr_assert_not_null(strstr(text, "\"error\": \"dir\\t\""));
	cr_assert_not_null(strstr(text, "\"complete\": false"));
	cr_assert_null(strstr(text, "\"rank\""), "no launcher");
	cr_assert_null(strstr(text, "end_ns"), "the program still runs");
	free(text);
}
