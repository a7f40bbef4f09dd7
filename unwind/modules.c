/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what is loaded with what was loaded. */
#include "unwind/modules.h"
#include "base/array.h"
#include "unwind/lock.h"
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct news {
	struct ct_module *module;
	bool is_gone;
};

/* One walk over the loader's list finds these, in the order in which they were loaded. */
struct scan {
	struct ct_module **found;
	size_t count;
	unsigned long long adds, subs;
	bool is_short; /* of memory */
};

_Atomic uint32_t ct_modules_generation = 1;
_Atomic uint64_t ct_modules_checked_at;

static _Atomic unsigned long long known_adds, known_subs;
static _Atomic uintptr_t code_start, code_end; /* of all modules */
static struct ct_module **loaded;
static size_t loaded_count;
static struct news *news;
static size_t news_count, news_reported;
static uint32_t last_id, last_reported;

static void free_module(struct ct_module *module)
{
	if (module)
		free(module->name);
	free(module);
}

static size_t aligned(size_t bytes, size_t alignment)
{
	return (bytes + alignment - 1) & ~(alignment - 1);
}

/* Notes are {name bytes, bytes, type}, name, content, both padded. */
static void read_notes(struct ct_module *module, const ElfW(Phdr) * part)
{
	const uint8_t *note = (const uint8_t *)(module->base + part->p_vaddr); /* NOLINT */
	size_t left = part->p_memsz, alignment = part->p_align == 8 ? 8 : 4;
	ElfW(Nhdr) head;

	while (left >= sizeof(head)) {
		size_t content, bytes;

		memcpy(&head, note, sizeof(head));
		content = aligned(sizeof(head) + (size_t)head.n_namesz, alignment);
		bytes = aligned(content + head.n_descsz, alignment);
		if (content + head.n_descsz > left)
			return;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    memcmp(note + sizeof(head), "GNU", 4) == 0 &&
		    2 * (size_t)head.n_descsz < sizeof(module->build_id))
			for (size_t i = 0; i < head.n_descsz; i++)
				sprintf(module->build_id + 2 * i, "%02x", note[content + i]);
		if (bytes > left)
			return;
		note += bytes;
		left -= bytes;
	}
}

static bool is_mapped(const struct ct_module *module, const ElfW(Phdr) * part)
{
	uintptr_t address = module->base + part->p_vaddr;

	return address >= module->start && address <= module->end &&
	       part->p_memsz <= module->end - address;
}

static void read_parts(struct ct_module *module, const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD)
			continue;
		if (!module->end || start < module->start)
			module->start = start;
		if (start + part->p_memsz > module->end)
			module->end = start + part->p_memsz;
		if (!(part->p_flags & PF_X))
			continue;
		if (!module->text_end || start < module->text_start)
			module->text_start = start;
		if (start + part->p_memsz > module->text_end)
			module->text_end = start + part->p_memsz;
	}
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE && is_mapped(module, &info->dlpi_phdr[i]))
			read_notes(module, &info->dlpi_phdr[i]);
}

static bool is_of_cuda(const char *path)
{
	static const char *const libraries[] = {"libcuda.so", "libcudart.so", "libcupti.so"};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
			return true;
	return false;
}

static struct ct_module *new_module(const struct dl_phdr_info *info)
{
	struct ct_module *module = calloc(1, sizeof(*module));
	uintptr_t kernels = getauxval(AT_SYSINFO_EHDR);

	if (!module)
		return NULL;
	module->name = strdup(info->dlpi_name ? info->dlpi_name : "");
	module->is_cuda = is_of_cuda(info->dlpi_name ? info->dlpi_name : "");
	module->base = info->dlpi_addr;
	read_parts(module, info);
	module->is_kernels = kernels && module->start == kernels;
	return module;
}

static int look_at_counts(struct dl_phdr_info *info, size_t bytes, void *of)
{
	struct scan *scan = of;

	(void)bytes;
	scan->adds = info->dlpi_adds;
	scan->subs = info->dlpi_subs;
	return 1;
}

static int look_at_module(struct dl_phdr_info *info, size_t bytes, void *of)
{
	struct scan *scan = of;
	struct ct_module *module = NULL;

	(void)bytes;
	scan->adds = info->dlpi_adds;
	scan->subs = info->dlpi_subs;
	if (ct_array_grow(&scan->found, scan->count, sizeof(struct ct_module *)) == 0)
		module = new_module(info);
	if (module && module->name)
		scan->found[scan->count++] = module;
	else
		free_module(module);
	scan->is_short |= !module;
	return scan->is_short;
}

static bool is_same(const struct ct_module *a, const struct ct_module *b)
{
	return a->base == b->base && a->start == b->start && a->end == b->end &&
	       strcmp(a->name, b->name) == 0 && strcmp(a->build_id, b->build_id) == 0;
}

static void tell(struct ct_module *module, bool is_gone)
{
	if (ct_array_grow(&news, news_count, sizeof(*news)) == 0)
		news[news_count++] = (struct news){module, is_gone};
}

static void find_code(void)
{
	uintptr_t start = UINTPTR_MAX, end = 0;

	for (size_t i = 0; i < loaded_count; i++) {
		if (loaded[i]->text_end && loaded[i]->text_start < start)
			start = loaded[i]->text_start;
		if (loaded[i]->text_end > end)
			end = loaded[i]->text_end;
	}
	code_start = start;
	code_end = end;
}

/*
 * Files are appended when they are loaded. Of those that are there, what was loaded since the last
 * scan is among the last (difference of adds): whoever stands further in front has stayed. Behind,
 * where something was unloaded as well, one with known name and place may have been loaded again,
 * and counts as another: at worst a module has two ids.
 */
static void compare(struct scan *scan)
{
	unsigned long long fresh = scan->adds - known_adds;
	bool has_unloaded = scan->subs != known_subs;

	for (size_t i = 0; i < scan->count; i++) {
		bool may_be_again = has_unloaded && i + fresh >= scan->count;

		for (size_t j = 0; j < loaded_count && !may_be_again; j++) {
			if (!loaded[j] || !is_same(loaded[j], scan->found[i]))
				continue;
			free_module(scan->found[i]);
			scan->found[i] = loaded[j];
			loaded[j] = NULL;
			break;
		}
	}
	for (size_t j = 0; j < loaded_count; j++)
		if (loaded[j] && loaded[j]->id)
			tell(loaded[j], true);
	free(loaded);
	loaded = scan->found;
	loaded_count = scan->count;
	scan->found = NULL;
	scan->count = 0;
	find_code();
	known_adds = scan->adds;
	known_subs = scan->subs;
	ct_modules_generation++;
}

static void scan_modules(void)
{
	struct scan scan = {0};

	dl_iterate_phdr(look_at_module, &scan);
	pthread_mutex_lock(&ct_stacks_lock);
	/* Another thread may have seen more since. */
	if (!scan.is_short && scan.adds >= known_adds && scan.subs >= known_subs &&
	    (scan.adds != known_adds || scan.subs != known_subs))
		compare(&scan);
	pthread_mutex_unlock(&ct_stacks_lock);
	for (size_t i = 0; i < scan.count; i++)
		free_module(scan.found[i]);
	free(scan.found);
}

void ct_modules_check(void)
{
	struct scan scan = {0};
	uint64_t now = 0;

#ifdef __x86_64__
	now = __rdtsc();
#endif
	dl_iterate_phdr(look_at_counts, &scan);
	if (scan.adds != known_adds || scan.subs != known_subs)
		scan_modules();
	atomic_store_explicit(&ct_modules_checked_at, now, memory_order_release);
}

struct ct_module *ct_modules_find(uintptr_t address)
{
	for (size_t i = 0; i < loaded_count; i++)
		if (address >= loaded[i]->start && address < loaded[i]->end)
			return loaded[i];
	return NULL;
}

bool ct_modules_are(unsigned long long adds, unsigned long long subs)
{
	return adds == known_adds && subs == known_subs;
}

/* Most words that are asked for are no addresses of code: no lock for these. */
bool ct_modules_have_code(uintptr_t address)
{
	bool has = false;

	if (address < code_start || address >= code_end)
		return false;
	pthread_mutex_lock(&ct_stacks_lock);
	for (size_t i = 0; i < loaded_count && !has; i++)
		has = address >= loaded[i]->text_start && address < loaded[i]->text_end;
	pthread_mutex_unlock(&ct_stacks_lock);
	return has;
}

/* The program itself has no name; a relative one holds as long as the working directory does. */
static char *path_of(const struct ct_module *module)
{
	char path[PATH_MAX];
	ssize_t bytes;

	if (module->is_kernels)
		return NULL;
	if (*module->name == '/')
		return module->name;
	if (*module->name)
		return realpath(module->name, NULL);
	bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[bytes > 0 ? bytes : 0] = '\0';
	return strdup(path);
}

uint32_t ct_module_id(struct ct_module *module)
{
	if (!module || module->id)
		return module ? module->id : 0;
	module->path = path_of(module);
	if (!module->path && !module->is_kernels)
		module->path = module->name;
	module->id = ++last_id;
	tell(module, false);
	return module->id;
}

uint32_t ct_modules_reported(void)
{
	return last_reported;
}

bool ct_stacks_next_module(struct ct_stack_module *out)
{
	const struct ct_module *module;
	bool is_one;

	pthread_mutex_lock(&ct_stacks_lock);
	is_one = news_reported < news_count;
	if (is_one) {
		module = news[news_reported].module;
		*out = (struct ct_stack_module){.id = module->id,
						.is_gone = news[news_reported].is_gone,
						.path = module->path,
						.build_id = module->build_id,
						.base = module->base,
						.size = module->end - module->start};
		if (!out->is_gone)
			last_reported = module->id;
		news_reported++;
	}
	pthread_mutex_unlock(&ct_stacks_lock);
	return is_one;
}

void ct_modules_forget(void)
{
	loaded = NULL;
	loaded_count = 0;
	known_adds = known_subs = 0;
	news = NULL;
	news_count = news_reported = 0;
	last_id = last_reported = 0;
	ct_modules_generation++;
}
