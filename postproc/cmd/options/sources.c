/* SPDX-License-Identifier: Apache-2.0 */
#include "postproc/cmd/options/sources.h"
#include "base/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct ctpost_option ctpost_source_options[] = {
    {.name = "source-root",
     .argument = "DIR[,DIR]",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "look under DIR for source files that the trace has no lines of, before their own "
	     "path; of two studies: one for both, or one for each"},
    {.name = "sources",
     .argument = "auto|off|all",
     .choices = "auto|off|all",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "which files that the trace names are quoted: those that look like sources (default), "
	     "none, or all"},
    {.name = NULL},
};

static enum ct_quoting read_quoting(const struct ctpost_call *call)
{
	const char *text = ctpost_value(call, "sources");

	if (text && strcmp(text, "off") == 0)
		return CT_QUOTE_NOTHING;
	return text && strcmp(text, "all") == 0 ? CT_QUOTE_ALL : CT_QUOTE_SOURCES;
}

int ctpost_source_choice_read(struct ctpost_source_choice *choice, struct ctpost_call *call,
			      unsigned studies)
{
	const char *text = ctpost_value(call, "source-root");
	char *comma;

	*choice = (struct ctpost_source_choice){.quoting = read_quoting(call)};
	if (!text)
		return CTPOST_OK;
	choice->roots = strdup(text);
	if (!choice->roots)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	choice->root[0] = choice->root[1] = choice->roots;
	comma = studies > 1 ? strchr(choice->roots, ',') : NULL;
	if (comma) {
		*comma = '\0';
		choice->root[1] = comma + 1;
	}
	return *choice->root[0] && *choice->root[1]
		   ? CTPOST_OK
		   : ctpost_wrong(call, "source-root", "a directory, or two with a comma");
}

int ctpost_source_choice_check(const struct ctpost_source_choice *choice, struct ctpost_call *call)
{
	struct stat status;

	for (unsigned i = 0; i < 2; i++)
		if (choice->root[i] &&
		    (stat(choice->root[i], &status) < 0 || !S_ISDIR(status.st_mode)))
			return ctpost_fail(call, -ENOTDIR, "%s: not a directory", choice->root[i]);
	return 0;
}

void ctpost_source_choice_fini(struct ctpost_source_choice *choice)
{
	free(choice->roots);
	*choice = (struct ctpost_source_choice){.roots = NULL};
}
