/* SPDX-License-Identifier: Apache-2.0 */
/* Files of calibrations: their names, and their way into a study. */
#include "driver/ctrun/calibration.h"
#include "base/study.h"
#include "driver/base/cache.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES 128

/* Letters and digits of the first line that begins so, what else there is as dashes. */
static void append_line(char key[KEY_BYTES], const char *path, const char *begins)
{
	FILE *file = fopen(path, "re");
	size_t used = strlen(key);
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		const char *text = line + strlen(begins);

		if (strncmp(line, begins, strlen(begins)) != 0)
			continue;
		text += strspn(text, " \t");
		if (used && used + 2 < KEY_BYTES)
			key[used++] = '-';
		for (; *text && *text != '\n' && used + 1 < KEY_BYTES; text++)
			key[used++] = isalnum((unsigned char)*text) || *text == '.' ? *text : '-';
		break;
	}
	key[used] = '\0';
	if (file)
		fclose(file);
}

/* The version of NVIDIA's kernel module, and the model of the first GPU. */
static void find_gpu(char key[KEY_BYTES])
{
	glob_t found;

	append_line(key, "/sys/module/nvidia/version", "");
	if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) != 0)
		return;
	append_line(key, found.gl_pathv[0], "Model:");
	globfree(&found);
}

int ctrun_calibration_path(const char *target, char path[PATH_MAX])
{
	char key[KEY_BYTES] = "", name[KEY_BYTES + 64];

	if (strcmp(target, "gpu") == 0)
		find_gpu(key);
	snprintf(name, sizeof(name), "calibration-%s%s%s.json", target, *key ? "-" : "", key);
	return ct_cache_path(path, name);
}

/* "cpu" or "gpu", as the study's first process ran; "" not known. */
static void find_target(const struct ctrun_study *study, char target[8])
{
	char path[PATH_MAX];
	json_t *manifest;
	const char *text;

	ctrun_study_file(study, CT_STUDY_CALLS, "/manifest-0.json", path);
	manifest = json_load_file(path, 0, NULL);
	text = json_string_value(json_object_get(manifest, "target"));
	snprintf(target, 8, "%s", text ? text : "");
	json_decref(manifest);
}

static int copy(FILE *from, FILE *to)
{
	char block[4096];
	size_t bytes;

	while ((bytes = fread(block, 1, sizeof(block), from)) > 0)
		if (fwrite(block, 1, bytes, to) != bytes)
			return -EIO;
	return ferror(from) ? -EIO : 0;
}

void ctrun_calibration_copy(const struct ctrun_study *study)
{
	char target[8], known[PATH_MAX], partial[PATH_MAX];
	FILE *from, *to;
	int err;

	find_target(study, target);
	from = ctrun_calibration_path(target, known) == 0 ? fopen(known, "re") : NULL;
	if (!from)
		return;
	ctrun_study_file(study, CT_STUDY_DRIVER, CT_STUDY_PARTIAL, partial);
	to = fopen(partial, "we");
	err = to ? copy(from, to) : -errno;
	if (to && fclose(to) != 0)
		err = -EIO;
	fclose(from);
	if (err == 0)
		err = ctrun_study_keep(study, CT_STUDY_DRIVER);
	if (err == 0)
		fprintf(stderr, "[ctrun] which calls wait on this driver: %s\n", known);
	else
		fprintf(stderr, "[ctrun] %s: %s\n", partial, strerror(-err));
}
