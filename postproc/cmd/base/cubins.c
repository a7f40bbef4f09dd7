/* SPDX-License-Identifier: Apache-2.0 */
/* Files of machine code, read and looked at. */
#include "postproc/cmd/base/cubins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its bytes; NULL with errno. The caller frees. */
static void *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	long size = -1;
	void *content = NULL;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
		content = malloc((size_t)size + 1);
	*bytes = content ? fread(content, 1, (size_t)size, file) : 0;
	fclose(file);
	return content;
}

static int read_cubin(struct ctpost_call *call, struct ctpost_cubins *cubins, const char *path)
{
	struct ct_model_cubin *cubin = &cubins->of[cubins->count];

	cubin->bytes = read_file(path, &cubin->size);
	if (!cubin->bytes)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, strerror(errno));
	cubins->count++;
	if (!ct_model_is_cubin(cubin->bytes, cubin->size))
		return ctpost_fail(call, CTPOST_FAILED, "%s: it is no cubin", path);
	return CTPOST_OK;
}

int ctpost_read_cubins(struct ctpost_call *call, struct ctpost_cubins *cubins)
{
	const char *value = ctpost_value(call, "cubin");
	char *list = value ? strdup(value) : NULL, *rest = list;
	int status = CTPOST_OK;

	if (!value)
		return CTPOST_OK;
	cubins->of = calloc(strlen(value) + 1, sizeof(*cubins->of));
	if (!list || !cubins->of)
		status = ctpost_fail(call, CTPOST_FAILED, "%s", strerror(ENOMEM));
	while (status == CTPOST_OK && rest)
		status = read_cubin(call, cubins, strsep(&rest, ","));
	free(list);
	return status;
}

void ctpost_cubins_fini(struct ctpost_cubins *cubins)
{
	for (size_t i = 0; i < cubins->count; i++)
		free((void *)cubins->of[i].bytes);
	free(cubins->of);
	*cubins = (struct ctpost_cubins){.of = NULL};
}
