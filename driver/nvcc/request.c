/* SPDX-License-Identifier: Apache-2.0 */
/* Read a command line of nvcc. */
#include "driver/nvcc/request.h"
#include "driver/nvcc/words.h"

#include <stdlib.h>
#include <string.h>

#define OPTIONS_FILES_MAX 20

static int take_phase(struct ct_nvcc_request *request, enum ct_nvcc_id id)
{
	static const struct {
		enum ct_nvcc_id id;
		enum ct_nvcc_phase phase;
	} phases[] = {
	    {CT_NVCC_CUBIN, CT_NVCC_MAKES_CUBIN},
	    {CT_NVCC_FATBIN, CT_NVCC_MAKES_FATBIN},
	    {CT_NVCC_PTX, CT_NVCC_MAKES_PTX},
	    {CT_NVCC_PREPROCESS, CT_NVCC_PREPROCESSES},
	    {CT_NVCC_DEPENDENCIES, CT_NVCC_PREPROCESSES},
	    {CT_NVCC_USER_DEPENDENCIES, CT_NVCC_PREPROCESSES},
	    {CT_NVCC_COMPILE, CT_NVCC_COMPILES},
	    {CT_NVCC_DEVICE_C, CT_NVCC_COMPILES},
	    {CT_NVCC_DEVICE_W, CT_NVCC_COMPILES},
	    {CT_NVCC_DEVICE_LINK, CT_NVCC_LINKS_DEVICE},
	    {CT_NVCC_LINK, CT_NVCC_LINKS},
	    {CT_NVCC_LIB, CT_NVCC_ARCHIVES},
	    {CT_NVCC_RUN, CT_NVCC_RUNS},
	};

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		if (phases[i].id == id)
			request->phase = phases[i].phase;
	if (request->phase == CT_NVCC_PREPROCESSES)
		request->preprocess = ct_nvcc_options[id].short_name;
	if (id == CT_NVCC_DEVICE_C || id == CT_NVCC_DEVICE_W)
		request->rdc = id == CT_NVCC_DEVICE_C;
	return 0;
}

/* text with value for its %s, cut at blanks of text. */
static void push_text(struct ct_args *args, const char *text, const char *value)
{
	while (*text) {
		size_t bytes = strcspn(text, " ");
		const char *place = strstr(text, "%s");

		if (place && place < text + bytes)
			ct_args_pushf(args, "%.*s%s%.*s", (int)(place - text), text, value,
				      (int)(text + bytes - place - 2), place + 2);
		else
			ct_args_pushf(args, "%.*s", (int)bytes, text);
		text += bytes + (text[bytes] == ' ');
	}
}

static void push_behind(struct ct_args *args, const char *first, const struct ct_args *words)
{
	for (size_t i = 0; i < words->count; i++) {
		ct_args_push(args, first);
		ct_args_push(args, words->words[i]);
	}
}

/* One option with one argument, "" if it has none. */
static int take(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	const struct ct_nvcc_option *option = &ct_nvcc_options[id];
	struct ct_args words = {0};
	int err = ct_nvcc_check_value(request, id, value);

	if (err < 0)
		return err;
	switch (option->fate) {
	case CT_NVCC_TO_PHASE:
		return take_phase(request, id);
	case CT_NVCC_TO_OWN:
		return ct_nvcc_take(request, id, value);
	case CT_NVCC_TO_WARN:
		ct_nvcc_warn(request, "%s: %s", option->name, option->text);
		return 0;
	case CT_NVCC_TO_BOTH:
		push_text(&request->compile, option->text, value);
		push_text(&request->link, option->text, value);
		return 0;
	case CT_NVCC_TO_COMPILE:
		push_text(&request->compile, option->text, value);
		return 0;
	case CT_NVCC_TO_HOST:
		push_text(&request->host, option->text, value);
		return 0;
	case CT_NVCC_TO_LINK:
		push_text(&request->link, option->text, value);
		return 0;
	case CT_NVCC_TO_DEVICE:
		push_text(&words, option->text, value);
		push_behind(&request->cuda, "-Xarch_device", &words);
		ct_args_fini(&words);
		return 0;
	case CT_NVCC_TO_IGNORE:
		return 0;
	}
	return 0;
}

static bool is_list(enum ct_nvcc_id id)
{
	enum ct_nvcc_argument argument = ct_nvcc_options[id].argument;

	return argument == CT_NVCC_TAKES_LIST || argument == CT_NVCC_TAKES_JOINED;
}

static enum ct_nvcc_list list_of(enum ct_nvcc_id id)
{
	switch (id) {
	case CT_NVCC_DEFINE:
	case CT_NVCC_UNDEFINE:
		return CT_NVCC_LIST_OF_TEXT;
	case CT_NVCC_XCOMPILER:
	case CT_NVCC_RUN_ARGS:
		return CT_NVCC_LIST_OF_SHELL;
	case CT_NVCC_XLINKER:
	case CT_NVCC_XPTXAS:
	case CT_NVCC_XARCHIVE:
	case CT_NVCC_XFATBIN:
	case CT_NVCC_XNVLINK:
		return CT_NVCC_LIST_OF_WORDS;
	default:
		return CT_NVCC_LIST_OF_NAMES;
	}
}

static int fail_stray(const struct ct_nvcc_request *request, const char *text, char stray)
{
	return ct_nvcc_error(request, "Stray '%c' character in '%s'", stray, text);
}

static int take_argument(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	struct ct_args list = {0};
	char stray;
	int err;

	if (!is_list(id))
		return take(request, id, value);
	err = ct_nvcc_words_of_list(&list, value, list_of(id), &stray);
	if (err < 0)
		fail_stray(request, value, stray);
	for (size_t i = 0; i < list.count && err >= 0; i++)
		err = take(request, id, list.words[i]);
	ct_args_fini(&list);
	return err;
}

static int take_unknown(struct ct_nvcc_request *request, const char *word)
{
	const char *near = ct_nvcc_option_nearest(word);
	struct ct_args words = {0};

	if (request->forward_to_compiler)
		ct_nvcc_words_of_shell(&words, word);
	for (size_t i = 0; i < words.count; i++)
		ct_nvcc_take_host_word(request, words.words[i]);
	ct_args_fini(&words);
	if (request->forward_to_linker)
		ct_args_push(&request->link, word);
	if (request->forward_to_compiler || request->forward_to_linker)
		return 0;
	if (near)
		return ct_nvcc_error(request, "Unknown option '%s'; did you mean %s? (see --help)",
				     word, near);
	return ct_nvcc_error(
	    request, "Unknown option '%s'; if it is the host compiler's, write -Xcompiler %s", word,
	    word);
}

static int take_input(struct ct_nvcc_request *request, const char *path)
{
	static const struct {
		const char *extension;
		enum ct_nvcc_kind kind;
	} kinds[] = {
	    {"cu", CT_NVCC_IS_CUDA},       {"cup", CT_NVCC_IS_CUDA},   {"c", CT_NVCC_IS_C},
	    {"i", CT_NVCC_IS_C},           {"cc", CT_NVCC_IS_CXX},     {"cpp", CT_NVCC_IS_CXX},
	    {"cxx", CT_NVCC_IS_CXX},       {"C", CT_NVCC_IS_CXX},      {"ii", CT_NVCC_IS_CXX},
	    {"gpu", CT_NVCC_IS_DEVICE},    {"ptx", CT_NVCC_IS_DEVICE}, {"cubin", CT_NVCC_IS_DEVICE},
	    {"fatbin", CT_NVCC_IS_DEVICE}, {"o", CT_NVCC_IS_OBJECT},   {"obj", CT_NVCC_IS_OBJECT},
	    {"a", CT_NVCC_IS_OBJECT},      {"so", CT_NVCC_IS_OBJECT},  {"lib", CT_NVCC_IS_OBJECT},
	    {"res", CT_NVCC_IS_OBJECT}};
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	struct ct_nvcc_input *input = &request->inputs[request->count];

	input->path = path;
	for (size_t i = 0; dot && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(dot + 1, kinds[i].extension) == 0) {
			input->kind = kinds[i].kind;
			request->count++;
			return 0;
		}
	/* Versions behind .so, objects of libtool, programs of --run. */
	if ((dot && strstr(slash ? slash : path, ".so.")) || request->language ||
	    request->phase == CT_NVCC_RUNS) {
		input->kind = CT_NVCC_IS_OBJECT;
		request->count++;
		return 0;
	}
	request->unknown_input = path;
	return 0;
}

static void set_kinds(struct ct_nvcc_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		struct ct_nvcc_input *input = &request->inputs[i];
		const char *slash = strrchr(input->path, '/');
		const char *dot = strrchr(slash ? slash : input->path, '.');
		bool links =
		    dot && (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0 || strstr(dot, ".so"));

		if (request->language && !links)
			input->kind = strcmp(request->language, "cu") == 0  ? CT_NVCC_IS_CUDA
				      : strcmp(request->language, "c") == 0 ? CT_NVCC_IS_C
									    : CT_NVCC_IS_CXX;
		request->sources += input->kind <= CT_NVCC_IS_C;
	}
}

static int expand(struct ct_nvcc_request *request, const char *word, const char *argument,
		  unsigned depth);

/* Words, those of files of options in their places. */
static int expand_words(struct ct_nvcc_request *request, char *const *words, size_t count,
			unsigned depth)
{
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const char *value;
		bool reads = ct_nvcc_option_find(words[i], &value) == CT_NVCC_OPTIONS_FILE;

		err = expand(request, words[i], i + 1 < count ? words[i + 1] : NULL, depth);
		i += reads && !value;
	}
	return err;
}

static int expand_file(struct ct_nvcc_request *request, const char *path, unsigned depth)
{
	struct ct_args words = {0};
	char *text = ct_args_read(path);
	char stray;
	int err;

	if (!text)
		return ct_nvcc_error(request, "%s: cannot read this file of options", path);
	err = ct_nvcc_words_of_file(&words, text, &stray);
	free(text);
	if (err < 0)
		fail_stray(request, path, stray);
	else if (depth >= OPTIONS_FILES_MAX)
		err = ct_nvcc_error(request, "%s: reads itself", path);
	else
		err = expand_words(request, words.words, words.count, depth + 1);
	ct_args_fini(&words);
	return err;
}

static int expand(struct ct_nvcc_request *request, const char *word, const char *argument,
		  unsigned depth)
{
	const char *value;
	struct ct_args files = {0};
	char stray;
	int err;

	if (ct_nvcc_option_find(word, &value) != CT_NVCC_OPTIONS_FILE) {
		ct_args_push(&request->words, word);
		return 0;
	}
	if (!value && !argument)
		return ct_nvcc_error(request, "%s: which file?", word);
	err =
	    ct_nvcc_words_of_list(&files, value ? value : argument, CT_NVCC_LIST_OF_NAMES, &stray);
	if (err < 0)
		fail_stray(request, value ? value : argument, stray);
	for (size_t i = 0; i < files.count && err == 0; i++)
		err = expand_file(request, files.words[i], depth);
	ct_args_fini(&files);
	return err;
}

static int expand_environment(struct ct_nvcc_request *request, const char *name)
{
	const char *text = getenv(name);
	struct ct_args words = {0};
	char stray;
	int err = 0;

	if (text && ct_nvcc_words_of_variable(&words, text, &stray) < 0)
		err = fail_stray(request, name, stray);
	if (err == 0)
		err = expand_words(request, words.words, words.count, 0);
	ct_args_fini(&words);
	return err;
}

static int expand_all(struct ct_nvcc_request *request, int argc, char **argv)
{
	int err = expand_environment(request, "NVCC_PREPEND_FLAGS");

	if (err == 0)
		err = expand_words(request, argv + 1, argc ? (size_t)argc - 1 : 0, 0);
	return err ? err : expand_environment(request, "NVCC_APPEND_FLAGS");
}

static int take_word(struct ct_nvcc_request *request, size_t *at)
{
	const char *word = request->words.words[*at], *value;
	enum ct_nvcc_id id;
	char why[512];

	if (ct_own_is(word)) {
		ct_args_push(&request->own_words, word);
		if (ct_own_parse(&request->own, word, why, sizeof(why)) < 0)
			return ct_nvcc_error(request, "%s", why);
		return 0;
	}
	if (word[0] != '-' || !word[1])
		return take_input(request, word);
	id = ct_nvcc_option_find(word, &value);
	if (id == CT_NVCC_COUNT)
		return take_unknown(request, word);
	if (ct_nvcc_options[id].argument == CT_NVCC_TAKES_NONE) {
		if (value)
			return ct_nvcc_error(request, "no argument expected after '%s'",
					     ct_nvcc_options[id].name);
		return take(request, id, "");
	}
	if (!value && *at + 1 < request->words.count)
		value = request->words.words[++*at];
	if (!value)
		return ct_nvcc_error(request, "%s: argument missing", word);
	return take_argument(request, id, value);
}

/* Unknown options are forwarded wherever that is asked for. */
static void note_forwarding(struct ct_nvcc_request *request)
{
	for (size_t i = 0; i < request->words.count; i++) {
		const char *value;
		enum ct_nvcc_id id = ct_nvcc_option_find(request->words.words[i], &value);

		if (id == CT_NVCC_FORWARD_COMPILER || id == CT_NVCC_FORWARD_BOTH)
			request->forward_to_compiler = true;
		if (id == CT_NVCC_FORWARD_LINKER || id == CT_NVCC_FORWARD_BOTH)
			request->forward_to_linker = true;
	}
}

int ct_nvcc_request_read(struct ct_nvcc_request *request, int argc, char **argv)
{
	char why[512];
	int err = ct_own_init(&request->own, why, sizeof(why));

	if (err < 0)
		return ct_nvcc_error(request, "%s", why);
	err = expand_all(request, argc, argv);
	if (err < 0)
		return err;
	request->inputs = calloc(request->words.count + 1, sizeof(*request->inputs));
	if (!request->inputs || request->words.failed)
		return ct_nvcc_error(request, "out of memory");
	note_forwarding(request);
	for (size_t i = 0; i < request->words.count && err >= 0; i++)
		err = take_word(request, &i);
	if (err >= 0)
		err = ct_nvcc_check_together(request);
	if (err >= 0 && request->arch) {
		err = ct_nvcc_archs_add(&request->archs, request->arch, &request->codes, why,
					sizeof(why));
		if (err > 0)
			ct_nvcc_warn(request, "%s", why);
		else if (err < 0)
			ct_nvcc_error(request, "%s", why);
	}
	if (err >= 0)
		err = ct_nvcc_check_archs(request);
	set_kinds(request);
	return err < 0 ? err : 0;
}

void ct_nvcc_request_fini(struct ct_nvcc_request *request)
{
	struct ct_args *all[] = {&request->words,   &request->own_words, &request->both,
				 &request->compile, &request->host,      &request->cuda,
				 &request->link,    &request->libraries, &request->archive,
				 &request->ptxas,   &request->fatbinary, &request->run,
				 &request->codes,   &request->kept};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		ct_args_fini(all[i]);
	ct_own_fini(&request->own);
	free(request->inputs);
	request->inputs = NULL;
}
