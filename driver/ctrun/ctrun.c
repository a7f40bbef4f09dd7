/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun: parse the command line, do what it says (commands.def). */
#include "base/descriptor.h"
#include "driver/ctrun/generate.h"
#include "driver/ctrun/help.h"
#include "driver/ctrun/line.h"

#include <limits.h>
#include <stdio.h>

static int fail(int status, const char *text)
{
	fprintf(stderr, "ctrun: error: %s\n", text);
	return status;
}

int main(int argc, char **argv)
{
	char why[PATH_MAX + 200] = "";
	struct ctrun_line line;

	ct_descriptor_fill_standard();
	if (ctrun_line_parse(&line, argc, argv, why, sizeof(why)) < 0)
		return fail(2, why);
	if (line.help) {
		ctrun_help(stdout, line.command);
		return 0;
	}
	if (line.version) {
		printf("ctrun (cuda-trace) " CT_VERSION "\n");
		return 0;
	}
	if (line.generate)
		return ctrun_generate(stdout, line.generate) < 0
			   ? fail(2, "--generate: expected man, bash-completion, "
				     "zsh-completion or fish-completion")
			   : 0;
	return line.command->run(&line);
}
