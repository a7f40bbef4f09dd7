/* SPDX-License-Identifier: Apache-2.0 */
/* Architectures as nvcc's options name them. */
#include "driver/nvcc/arch.h"
#include "driver/base/gpus.h"
#include "driver/nvcc/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* By number, with the toolkits that have them; a: for one GPU alone, f: for its family. */
static const struct {
	const char *name;
	unsigned first, last; /* CUDA_VERSION; last 0: the newest has it */
} known[] = {
    {"50", 0, 12090},       {"52", 0, 12090},       {"53", 0, 12090},   {"60", 0, 12090},
    {"61", 0, 12090},       {"62", 0, 12090},       {"70", 0, 12090},   {"72", 0, 12090},
    {"75", 0, 0},           {"80", 0, 0},           {"86", 0, 0},       {"87", 0, 0},
    {"88", 13000, 0},       {"89", 0, 0},           {"90", 0, 0},       {"90a", 0, 0},
    {"100", 12080, 0},      {"100a", 12080, 0},     {"100f", 12090, 0}, {"101", 12080, 12090},
    {"101a", 12080, 12090}, {"101f", 12090, 12090}, {"103", 12090, 0},  {"103a", 12090, 0},
    {"103f", 12090, 0},     {"110", 13000, 0},      {"110a", 13000, 0}, {"110f", 13000, 0},
    {"120", 12080, 0},      {"120a", 12080, 0},     {"120f", 12090, 0}, {"121", 12090, 0},
    {"121a", 12090, 0},     {"121f", 12090, 0}};

unsigned ct_nvcc_arch_number(const char *name)
{
	return (unsigned)strtoul(name, NULL, 10) * 10;
}

/* Without a toolkit (0), the newest. */
static bool has(unsigned toolkit, size_t i)
{
	return !toolkit || toolkit >= 13000
		   ? !known[i].last
		   : toolkit >= known[i].first && (!known[i].last || toolkit <= known[i].last + 9);
}

static const char *find_known(const struct ct_nvcc_archs *archs, const char *name)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (has(archs->toolkit, i) && strcmp(known[i].name, name) == 0)
			return known[i].name;
	return NULL;
}

static bool begins_generation(const struct ct_nvcc_archs *archs, const char *name)
{
	if (strcmp(name, "75") == 0)
		return !find_known(archs, "70");
	return name[strlen(name) - 1] == '0';
}

/* For every GPU, and not for one alone. */
static bool is_general(unsigned toolkit, size_t i)
{
	return has(toolkit, i) && isdigit((unsigned char)known[i].name[strlen(known[i].name) - 1]);
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
static const char *read_name(const struct ct_nvcc_archs *archs, const char *text, const char *kind,
			     char *why, size_t why_bytes)
{
	size_t bytes = strlen(kind);
	const char *name = strncmp(text, kind, bytes) == 0 ? find_known(archs, text + bytes) : NULL;

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
	const char *name = read_name(archs, code, kind, why, why_bytes);
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

/* all, or all-major: those that begin a generation, of which nvcc 13 has no 70. PTX is of the last
 * that does. */
static void add_all(struct ct_nvcc_archs *archs, bool major)
{
	size_t newest = 0;

	for (size_t i = 0; i < COUNT(known); i++)
		if (is_general(archs->toolkit, i) && begins_generation(archs, known[i].name))
			newest = i;
	for (size_t i = 0; i < COUNT(known); i++)
		if (is_general(archs->toolkit, i) &&
		    (!major || begins_generation(archs, known[i].name)))
			add_real(archs, known[i].name, i == newest);
}

/* all, all-major, native. */
static int add_group(struct ct_nvcc_archs *archs, const char *arch, char *why, size_t why_bytes)
{
	struct ct_args found = {0};

	if (strncmp(arch, "all", 3) == 0) {
		add_all(archs, strcmp(arch, "all-major") == 0);
		return 0;
	}
	ct_gpus_names(&found);
	for (size_t i = 0; i < found.count; i++)
		if (find_known(archs, found.words[i]))
			add_real(archs, find_known(archs, found.words[i]), false);
	if (!archs->count) {
		snprintf(why, why_bytes, "no GPU here for -arch=native; compiled for sm_%s",
			 CT_NVCC_ARCH_DEFAULT);
		add_real(archs, find_known(archs, CT_NVCC_ARCH_DEFAULT), true);
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
	name = read_name(archs, arch, kind, why, why_bytes);
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
	char stray;

	if (ct_nvcc_words_of_list(&fields, text, CT_NVCC_LIST_OF_NAMES, &stray) < 0)
		ct_args_fini(&fields);
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
			ct_nvcc_words_of_list(&codes, field, CT_NVCC_LIST_OF_NAMES, &stray);
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

void ct_nvcc_archs_drop_older(struct ct_nvcc_archs *archs, unsigned number, char *dropped,
			      size_t dropped_bytes)
{
	size_t kept = 0, bytes = 0;

	*dropped = '\0';
	for (size_t i = 0; i < archs->count; i++)
		if (ct_nvcc_arch_number(archs->list[i].name) >= number)
			archs->list[kept++] = archs->list[i];
		else if (bytes < dropped_bytes)
			bytes += (size_t)snprintf(dropped + bytes, dropped_bytes - bytes, "%ssm_%s",
						  bytes ? ", " : "", archs->list[i].name);
	archs->count = kept;
}

void ct_nvcc_archs_print_known(FILE *out, unsigned toolkit, bool codes, bool virtuals)
{
	for (size_t i = 0; i < COUNT(known); i++) {
		const char *name = known[i].name;

		if (!is_general(toolkit, i))
			continue;
		if (codes && virtuals)
			fprintf(out, "arch=compute_%s,code=[sm_%s,compute_%s]\n", name, name, name);
		else
			fprintf(out, "%s_%s\n", codes ? "sm" : "compute", name);
	}
}
