/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code of functions that are compiled apart. In the cache a function is two files,
 * apart/HASH.ptx and apart/HASH.cubin. The first is what ptxas was given, behind lines that say
 * which ptxas it was and how it was called, and HASH is its hash; so a function is found by its
 * text, and whatever may change its machine code changes its name. Both appear complete, the source
 * last. Who deletes them loses the time to compile them.
 */
#include "driver/ptxas/apart.h"
#include "base/hash.h"
#include "driver/base/cache.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where, and how. */
struct apart {
	const struct ct_ptxas_request *request;
	const struct ct_ptx_functions *functions;
	int registers;
	char directory[PATH_MAX];
	char *identity; /* comments: the compiler and its command line */
	FILE *unseen;   /* messages: what they say is of code that is not the user's */
};

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool names(const char *text, const char *name)
{
	size_t bytes = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += bytes)
		if (!is_of_name(at[bytes]) && (at == text || !is_of_name(at[-1])))
			return true;
	return false;
}

/* Marks the functions near that those apart reach, and those apart. */
static void mark_reached(const struct ct_ptx_functions *functions, bool *is_reached)
{
	bool grows = true;

	for (size_t i = 0; i < functions->count; i++)
		is_reached[i] = functions->items[i].is_apart && functions->items[i].body;
	while (grows) {
		grows = false;
		for (size_t i = 0; i < functions->count; i++)
			for (size_t k = 0; k < functions->count && is_reached[i]; k++)
				if (!is_reached[k] && functions->items[k].body &&
				    names(functions->items[i].body, functions->items[k].name))
					grows = is_reached[k] = true;
	}
}

/* Writes the functions that are defined here; whatever else they name is another cubin's. */
static void put_source(FILE *file, const struct ct_ptx_functions *functions, const bool *is_here)
{
	size_t count = functions->count;

	fputs(functions->header ? functions->header : "", file);
	for (size_t i = 0; i < count; i++) {
		const struct ct_ptx_function *f = &functions->items[i];
		bool is_named = false;

		for (size_t k = 0; k < count && !is_here[i]; k++)
			is_named |= is_here[k] && names(functions->items[k].body, f->name);
		if (is_here[i] || is_named)
			fprintf(file, "%s %s;\n", is_here[i] ? ".visible" : ".extern", f->head);
	}
	for (size_t i = 0; i < count; i++)
		if (is_here[i])
			fprintf(file, ".visible %s%s", functions->items[i].head,
				functions->items[i].body);
}

bool ct_apart_compile(const struct ct_ptxas_request *request,
		      const struct ct_ptx_functions *functions, int registers, const char *source,
		      const char *cubin)
{
	bool *is_here = calloc(functions->count, sizeof(*is_here));
	FILE *unseen = tmpfile(), *file = fopen(source, "w");
	bool made = is_here && unseen && file;

	if (made) {
		mark_reached(functions, is_here);
		put_source(file, functions, is_here);
	}
	if (file)
		made &= fclose(file) == 0;
	made = made && ct_ptxas_compile(request, source, cubin, registers, unseen);
	if (unseen)
		fclose(unseen);
	free(is_here);
	return made;
}

/* Nothing is linked from a folder that belongs to another user. */
static bool open_directory(char directory[PATH_MAX])
{
	struct stat st;

	if (ct_cache_path_of_compiles(directory, "apart") < 0)
		return false;
	ct_cache_make_folders(directory);
	mkdir(directory, 0700);
	return lstat(directory, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* NULL where a file says more of the command line. Which file the compiler is is determined by its
 * size and time, which a new one does not have. */
static char *identity_of(const struct ct_ptxas_request *request, int registers)
{
	const struct ct_args *ptxas = &request->ptxas;
	char path[PATH_MAX], *text = NULL;
	size_t bytes;
	struct stat st;
	FILE *file;
	bool is_all = true;

	if (!realpath(ptxas->words[0], path) || stat(path, &st) < 0)
		return NULL;
	file = open_memstream(&text, &bytes);
	if (!file)
		return NULL;
	fprintf(file, "// %s %jd %jd.%09ld\n//", path, (intmax_t)st.st_size,
		(intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	for (size_t i = 1; i < ptxas->count; i++) {
		const char *word = ptxas->words[i];

		is_all &= word[0] != '@' && !strstr(word, "options-file") &&
			  strncmp(word, "-optf", 5) != 0 && !strchr(word, '\n');
		if (strcmp(word, request->input) != 0)
			fprintf(file, " %s", word);
	}
	fprintf(file, "\n// %d registers\n", registers);
	if (fclose(file) == 0 && is_all)
		return text;
	free(text);
	return NULL;
}

/* Returns the PTX that ptxas is given for this function alone; malloc'ed, or NULL. */
static char *source_of(const struct apart *apart, size_t function)
{
	bool *is_here = calloc(apart->functions->count, sizeof(*is_here));
	char *text = NULL;
	size_t bytes;
	FILE *file = is_here ? open_memstream(&text, &bytes) : NULL;

	if (file) {
		is_here[function] = true;
		fputs(apart->identity, file);
		put_source(file, apart->functions, is_here);
		if (fclose(file) != 0) {
			free(text);
			text = NULL;
		}
	}
	free(is_here);
	return text;
}

static bool holds(const char *path, const char *text)
{
	size_t bytes = strlen(text), read = 0;
	char *held = malloc(bytes + 1);
	FILE *file = held ? fopen(path, "re") : NULL;

	if (file) {
		read = fread(held, 1, bytes + 1, file);
		fclose(file);
	}
	read = read == bytes && memcmp(held, text, bytes) == 0;
	free(held);
	return read;
}

static bool write_text(int fd, const char *text)
{
	FILE *file = fdopen(fd, "w");
	bool bad;

	if (!file) {
		close(fd);
		return false;
	}
	bad = fputs(text, file) < 0;
	return fclose(file) == 0 && !bad;
}

/* Compiles it beside where it will be. */
static bool make_kept(const struct apart *apart, const char *text, const char *source,
		      const char *cubin)
{
	char partial[PATH_MAX + 16], partial_cubin[PATH_MAX + 32];
	bool made;
	int fd;

	snprintf(partial, sizeof(partial), "%s/part.XXXXXX.ptx", apart->directory);
	fd = mkostemps(partial, 4, O_CLOEXEC);
	if (fd < 0)
		return false;
	snprintf(partial_cubin, sizeof(partial_cubin), "%s.cubin", partial);
	made = write_text(fd, text) &&
	       ct_ptxas_compile(apart->request, partial, partial_cubin, apart->registers,
				apart->unseen) &&
	       rename(partial_cubin, cubin) == 0 && rename(partial, source) == 0;
	if (!made) {
		unlink(partial);
		unlink(partial_cubin);
	}
	return made;
}

static bool push_kept(const struct apart *apart, size_t function, struct ct_args *cubins)
{
	char source[PATH_MAX + 32], cubin[PATH_MAX + 32], *text = source_of(apart, function);
	uint64_t hash;
	bool found;

	if (!text)
		return false;
	hash = ct_hash_join_string(0, text);
	snprintf(source, sizeof(source), "%s/%016" PRIx64 ".ptx", apart->directory, hash);
	snprintf(cubin, sizeof(cubin), "%s/%016" PRIx64 ".cubin", apart->directory, hash);
	found = (holds(source, text) && access(cubin, R_OK) == 0) ||
		make_kept(apart, text, source, cubin);
	if (found)
		ct_args_push(cubins, cubin);
	free(text);
	return found;
}

bool ct_apart_find(const struct ct_ptxas_request *request, const struct ct_ptx_functions *functions,
		   int registers, struct ct_args *cubins)
{
	struct apart apart = {.request = request, .functions = functions, .registers = registers};
	bool *is_reached = calloc(functions->count, sizeof(*is_reached));
	bool found = false;

	if (!is_reached || !open_directory(apart.directory))
		goto out;
	apart.identity = identity_of(request, registers);
	apart.unseen = tmpfile();
	found = apart.identity && apart.unseen;
	mark_reached(functions, is_reached);
	for (size_t i = 0; i < functions->count && found; i++)
		if (is_reached[i])
			found = push_kept(&apart, i, cubins);
	if (apart.unseen)
		fclose(apart.unseen);
	free(apart.identity);
out:
	free(is_reached);
	return found;
}
