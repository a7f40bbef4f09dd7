/* SPDX-License-Identifier: Apache-2.0 */
/* Architectures as nvcc's options name them. */
#include "driver/nvcc/arch.h"
#include "driver/compiler/gpus.h"
#include "driver/nvcc/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Those of nvcc 13, by number; a: for one GPU alone, f: for its family. */
static const char *const known[] = {"75",   "80",   "86",   "87",   "88",   "89",   "90",  "90a",
				    "100",  "100a", "100f", "103",  "103a", "103f", "110", "110a",
				    "110f", "120",  "120a", "120f", "121",  "121a", "121f"};

static const char *const majors[] = {"75", "80", "90", "100", "110", "120"};

unsigned ct_nvcc_arch_number(const char *name)
{
	return (unsigned)strtoul(name, NULL, 10) * 10;
}

static const char *find_known(const char *name)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i], name) == 0)
			return known[i];
	return NULL;
}

/* The entry of a known name, put in by number. */
static struct ct_nvcc_arch *entry(struct ct_nvcc_archs *archs, const char *name)
{
	size_t at = 0;

	while (at < archs->count &&
	       (ct_nvcc_arch_number(archs->list[at].name) < ct_nvcc_arch_number(name) ||
		(ct_nvcc_arch_number(archs->list[at].name) == ct_nvcc_arch_number(name) &&
		 strcmp(archs->list[at].name, name) < 0)))
		at++;
	if (at < archs->count && strcmp(archs->list[at].name, name) == 0)
		return &archs->list[at];
	memmove(&archs->list[at + 1], &archs->list[at],
		(archs->count - at) * sizeof(archs->list[0]));
	archs->list[at] = (struct ct_nvcc_arch){.name = name};
	archs->count++;
	return &archs->list[at];
}

/* "sm_90" or the like to "90"; NULL with a line in why if there is no such. */
static const char *read_name(const char *text, const char *kind, char *why, size_t why_bytes)
{
	size_t bytes = strlen(kind);
	const char *name = strncmp(text, kind, bytes) == 0 ? find_known(text + bytes) : NULL;

	if (!name)
		snprintf(why, why_bytes,
			 "Unsupported gpu architecture '%s'; --list-gpu-code lists those there are",
			 text);
	return name;
}

static int add_code(struct ct_nvcc_archs *archs, const char *arch, const char *code, char *why,
		    size_t why_bytes)
{
	bool is_binary = strncmp(code, "sm_", 3) == 0;
	const char *kind = is_binary ? "sm_" : strncmp(code, "lto_", 4) == 0 ? "lto_" : "compute_";
	const char *name = read_name(code, kind, why, why_bytes);
	struct ct_nvcc_arch *found;

	if (!name)
		return -EINVAL;
	if (ct_nvcc_arch_number(name) < ct_nvcc_arch_number(arch)) {
		snprintf(why, why_bytes,
			 "code '%s' is older than the architecture 'compute_%s' that it is made of",
			 code, arch);
		return -EINVAL;
	}
	found = entry(archs, name);
	found->has_binary |= is_binary || *kind == 'l';
	found->has_ptx |= !is_binary;
	return 0;
}

static void add_real(struct ct_nvcc_archs *archs, const char *name, bool ptx)
{
	struct ct_nvcc_arch *found = entry(archs, name);

	found->is_virtual = found->has_binary = true;
	found->has_ptx |= ptx;
}

/* all, all-major, native. */
static int add_group(struct ct_nvcc_archs *archs, const char *arch, char *why, size_t why_bytes)
{
	struct ct_args found = {0};

	if (strcmp(arch, "all") == 0) {
		for (size_t i = 0; i < COUNT(known); i++)
			if (isdigit((unsigned char)known[i][strlen(known[i]) - 1]))
				add_real(archs, known[i], strcmp(known[i], "120") == 0);
		return 0;
	}
	if (strcmp(arch, "all-major") == 0) {
		for (size_t i = 0; i < COUNT(majors); i++)
			add_real(archs, find_known(majors[i]), strcmp(majors[i], "120") == 0);
		return 0;
	}
	ct_gpus_names(&found);
	for (size_t i = 0; i < found.count; i++)
		if (find_known(found.words[i]))
			add_real(archs, find_known(found.words[i]), false);
	if (!archs->count) {
		snprintf(why, why_bytes, "no GPU here for -arch=native; compiled for sm_%s",
			 CT_NVCC_ARCH_DEFAULT);
		add_real(archs, find_known(CT_NVCC_ARCH_DEFAULT), true);
		ct_args_fini(&found);
		return 1;
	}
	ct_args_fini(&found);
	return 0;
}

int ct_nvcc_archs_add(struct ct_nvcc_archs *archs, const char *arch, const struct ct_args *codes,
		      char *why, size_t why_bytes)
{
	const char *kind = strncmp(arch, "sm_", 3) == 0    ? "sm_"
			   : strncmp(arch, "lto_", 4) == 0 ? "lto_"
							   : "compute_";
	const char *name;
	int err = 0;

	if (!codes->count && (strcmp(arch, "all") == 0 || strcmp(arch, "all-major") == 0 ||
			      strcmp(arch, "native") == 0))
		return add_group(archs, arch, why, why_bytes);
	name = read_name(arch, kind, why, why_bytes);
	if (!name)
		return -EINVAL;
	if (codes->count && *kind == 's') {
		snprintf(why, why_bytes,
			 "'%s' is no virtual architecture: with codes, write compute_%s", arch,
			 name);
		return -EINVAL;
	}
	entry(archs, name)->is_virtual = true;
	for (size_t i = 0; i < codes->count && !err; i++)
		err = add_code(archs, name, codes->words[i], why, why_bytes);
	if (!codes->count) {
		entry(archs, name)->has_ptx = true;
		entry(archs, name)->has_binary |= *kind != 'c';
	}
	return err;
}

int ct_nvcc_archs_add_gencode(struct ct_nvcc_archs *archs, const char *text, char *why,
			      size_t why_bytes)
{
	struct ct_args fields = {0}, codes = {0};
	const char *arch = NULL;
	int err = -EINVAL;
	bool in_codes = false;

	ct_nvcc_words_split(&fields, text, false);
	for (size_t i = 0; i < fields.count; i++) {
		char *field = fields.words[i];

		if (strncmp(field, "arch=", 5) == 0) {
			arch = field + 5;
			in_codes = false;
			continue;
		}
		if (strncmp(field, "code=", 5) == 0) {
			field += 5;
			in_codes = true;
		}
		field += *field == '[';
		field[strcspn(field, "]")] = '\0';
		if (in_codes)
			ct_nvcc_words_split(&codes, field, false);
	}
	if (!arch || !codes.count)
		snprintf(why, why_bytes, "'%s': write arch=compute_90,code=[sm_90,compute_90]",
			 text);
	else
		err = ct_nvcc_archs_add(archs, arch, &codes, why, why_bytes);
	ct_args_fini(&fields);
	ct_args_fini(&codes);
	return err;
}

void ct_nvcc_archs_print_known(FILE *out, bool codes, bool virtuals)
{
	for (size_t i = 0; i < COUNT(known); i++) {
		if (!isdigit((unsigned char)known[i][strlen(known[i]) - 1]))
			continue;
		if (codes && virtuals)
			fprintf(out, "arch=compute_%s,code=[sm_%s,compute_%s]\n", known[i],
				known[i], known[i]);
		else
			fprintf(out, "%s_%s\n", codes ? "sm" : "compute", known[i]);
	}
}
