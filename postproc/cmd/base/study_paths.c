/* SPDX-License-Identifier: Apache-2.0 */
/* Which trace of a study is meant. */
#include "postproc/cmd/base/study_paths.h"
#include "base/study.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *ctpost_study_path(const char *directory, const char *name)
{
	struct stat status;
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (stat(path, &status) == 0)
		return path;
	free(path);
	return NULL;
}

bool ctpost_study_has(const char *directory, const char *name)
{
	char *path = ctpost_study_path(directory, name);

	free(path);
	return path != NULL;
}

bool ctpost_is_study(const char *path)
{
	return ctpost_study_has(path, CT_STUDY_CALLS) || ctpost_study_has(path, CT_STUDY_USES) ||
	       ctpost_study_has(path, CT_STUDY_COMMAND);
}

char *ctpost_sampled_path(const char *path)
{
	return ctpost_is_study(path) ? ctpost_study_path(path, CT_STUDY_SAMPLED) : NULL;
}

char *ctpost_calls_path(const char *path)
{
	char *calls;

	if (!ctpost_is_study(path))
		return strdup(path);
	return asprintf(&calls, "%s/%s", path, CT_STUDY_CALLS) < 0 ? NULL : calls;
}

char *ctpost_accesses_path(const char *path)
{
	char *accesses = ctpost_is_study(path) ? ctpost_study_path(path, CT_STUDY_ACCESSES) : NULL;

	return accesses ? accesses : ctpost_calls_path(path);
}
