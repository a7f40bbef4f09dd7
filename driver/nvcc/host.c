/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of the host's compiler. clang is given them for the host's side alone (-Xarch_host), but
 * for those that both sides read, and those that it takes for the whole line only.
 */
#include "driver/nvcc/request.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool begins(const char *word, const char *prefix)
{
	return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* Options that the preprocessor reads are for both sides, as with nvcc; the rest is clang's. */
static bool is_for_both_sides(const char *word)
{
	static const char *const prefixes[] = {
	    "-D",         "-U",    "-I",       "-isystem",   "-include",    "-iquote",
	    "-idirafter", "-std=", "-fopenmp", "-imacros",   "-m16",        "-m32",
	    "-mx32",      "-B",    "-pthread", "--sysroot=", "-save-temps", "--save-temps"};

	if (strcmp(word, "-fopenmp-simd") == 0)
		return false; /* of it clang takes no device code */
	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (begins(word, prefixes[i]))
			return true;
	return false;
}

static bool is_for_links_alone(const char *word)
{
	static const char *const prefixes[] = {"-Wl,",      "-l",        "-L",      "-static",
					       "-rdynamic", "-nostdlib", "-no-pie", "-pie",
					       "-T",        "-fuse-ld="};

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (begins(word, prefixes[i]))
			return true;
	return false;
}

/* These change nothing: 64 bit is the default, how far to go is nvcc's to say, and comments are
 * removed by the preprocessor. */
static bool is_empty(const char *word)
{
	static const char *const words[] = {"-m64", "-c", "-C", "-CC"};

	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* Options whose value is the next word: whether compiles and links have them. */
static bool takes_value(const char *word, struct ct_nvcc_sides *sides)
{
	static const char *const compiles[] = {
	    "-include",    "-isystem",      "-I",       "-D",           "-U",        "-iquote",
	    "-idirafter",  "-imacros",      "-iprefix", "-iwithprefix", "-isysroot", "--param",
	    "-Xassembler", "-Xpreprocessor"};
	static const char *const links[] = {"-L", "-l", "-T",     "-u",
					    "-e", "-z", "-rpath", "-Xlinker"};
	static const char *const both[] = {"-B", "--sysroot"};

	*sides = (struct ct_nvcc_sides){false, false};
	for (size_t i = 0; i < COUNT(compiles); i++)
		sides->compile |= strcmp(word, compiles[i]) == 0;
	for (size_t i = 0; i < COUNT(links); i++)
		sides->link |= strcmp(word, links[i]) == 0;
	for (size_t i = 0; i < COUNT(both); i++)
		if (strcmp(word, both[i]) == 0)
			*sides = (struct ct_nvcc_sides){true, true};
	return sides->compile || sides->link;
}

static void push(struct ct_nvcc_request *request, struct ct_nvcc_sides sides, const char *word)
{
	if (sides.compile)
		ct_args_push(&request->both, word);
	if (sides.link)
		ct_args_push(&request->link, word);
}

/* Words of the host's compiler may be gone before the request. */
static void keep_text(struct ct_nvcc_request *request, const char **text, const char *word)
{
	ct_args_push(&request->kept, word);
	if (!request->kept.failed)
		*text = request->kept.words[request->kept.count - 1];
}

/* -MF, -MT and -MQ have their value behind them or in the next word. */
static bool take_dependency_value(struct ct_nvcc_request *request, const char *word)
{
	bool is_file = begins(word, "-MF");
	const char **text = is_file ? &request->dependency_file : &request->dependency_target;

	if (!is_file && !begins(word, "-MT") && !begins(word, "-MQ"))
		return false;
	if (!is_file)
		request->dependency_quoted = word[2] == 'Q';
	if (word[3])
		keep_text(request, text, word + 3);
	else
		request->text_of_value = text;
	return true;
}

static bool take_dependencies(struct ct_nvcc_request *request, const char *word)
{
	if (strcmp(word, "-MD") == 0)
		request->dependencies = "-MD";
	else if (strcmp(word, "-MMD") == 0)
		request->dependencies = "-MMD";
	else if (strcmp(word, "-MP") == 0)
		request->dependency_phony = true;
	else
		return take_dependency_value(request, word);
	return true;
}

void ct_nvcc_take_host_word(struct ct_nvcc_request *request, const char *word)
{
	struct ct_nvcc_sides sides = request->of_value;

	request->of_value = (struct ct_nvcc_sides){false, false};
	if (sides.compile || sides.link) {
		push(request, sides, word);
		return;
	}
	if (request->text_of_value) {
		keep_text(request, request->text_of_value, word);
		request->text_of_value = NULL;
		return;
	}
	if (takes_value(word, &request->of_value)) {
		push(request, request->of_value, word);
		return;
	}
	if (is_empty(word) || take_dependencies(request, word))
		return;
	if (begins(word, "-isystem=")) { /* CMake's form */
		ct_args_push(&request->both, "-isystem");
		ct_args_push(&request->both, word + strlen("-isystem="));
		return;
	}
	if (is_for_links_alone(word)) {
		ct_args_push(&request->link, word);
		return;
	}
	ct_args_push(is_for_both_sides(word) ? &request->both : &request->host, word);
	if (!begins(word, "-W") && !begins(word, "-D") && !begins(word, "-I") &&
	    !begins(word, "-std=") && !begins(word, "-M") && word[0] == '-')
		ct_args_push(&request->link, word); /* nvcc says them to the linker as well */
}
