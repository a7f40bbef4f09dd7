/* SPDX-License-Identifier: Apache-2.0 */
/* Options that are more than words for clang. */
#include "driver/nvcc/request.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int take_standard(struct ct_nvcc_request *request, const char *value)
{
	static const char *const known[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};

	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(value, known[i]) == 0) {
			request->standard = value;
			return 0;
		}
	return ct_nvcc_error(request, "Value '%s' is not defined for option 'std'", value);
}

static int take_language(struct ct_nvcc_request *request, const char *value)
{
	if (strcmp(value, "cu") != 0 && strcmp(value, "c") != 0 && strcmp(value, "c++") != 0)
		return ct_nvcc_error(request, "Value '%s' is not defined for option 'x'", value);
	request->language = value;
	return 0;
}

static int take_truth(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	bool is_true = strcmp(value, "true") == 0;

	if (!is_true && strcmp(value, "false") != 0)
		return ct_nvcc_error(request, "%s: write true or false, not '%s'",
				     ct_nvcc_options[id].name, value);
	switch (id) {
	case CT_NVCC_RDC:
		request->rdc = is_true;
		break;
	case CT_NVCC_FTZ:
		request->ftz = is_true;
		break;
	case CT_NVCC_PREC_DIV:
		request->approximate_division = !is_true;
		break;
	case CT_NVCC_PREC_SQRT:
		request->approximate_roots = !is_true;
		break;
	case CT_NVCC_FMAD:
		request->no_fmad = !is_true;
		break;
	case CT_NVCC_HIDDEN_ENTITIES:
		request->hidden = is_true ? CT_NVCC_YES : CT_NVCC_NO;
		break;
	default: /* --brief-diagnostics */
		ct_args_push(&request->compile,
			     is_true ? "-fno-caret-diagnostics" : "-fcaret-diagnostics");
		break;
	}
	return 0;
}

static int take_werror(struct ct_nvcc_request *request, const char *kind)
{
	if (strcmp(kind, "cross-execution-space-call") == 0)
		request->strict_sides = true;
	else if (strcmp(kind, "all-warnings") == 0)
		ct_args_push(&request->compile, "-Werror");
	else if (strcmp(kind, "reorder") == 0 || strcmp(kind, "deprecated-declarations") == 0)
		ct_args_pushf(&request->compile, "-Werror=%s", kind);
	else if (strcmp(kind, "default-stream-launch") == 0 ||
		 strcmp(kind, "missing-launch-bounds") == 0 ||
		 strcmp(kind, "ext-lambda-captures-this") == 0)
		ct_nvcc_warn(request, "--Werror %s: clang has no such warning", kind);
	else
		return ct_nvcc_error(request, "Value '%s' is not defined for option 'Werror'",
				     kind);
	return 0;
}

static int take_stream(struct ct_nvcc_request *request, const char *value)
{
	request->per_thread_streams = strcmp(value, "per-thread") == 0;
	if (!request->per_thread_streams && strcmp(value, "legacy") != 0 &&
	    strcmp(value, "null") != 0)
		return ct_nvcc_error(
		    request, "Value '%s' is not defined for option 'default-stream'", value);
	return 0;
}

static int take_gencode(struct ct_nvcc_request *request, const char *value)
{
	char why[512];

	if (ct_nvcc_archs_add_gencode(&request->archs, value, why, sizeof(why)) < 0)
		return ct_nvcc_error(request, "--generate-code: %s", why);
	return 0;
}

/* Options that set one field: text, or a switch. */
static bool take_field(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	const struct {
		enum ct_nvcc_id id;
		const char **text;
		bool *flag;
	} fields[] = {
	    {CT_NVCC_OUTPUT, &request->output, NULL},
	    {CT_NVCC_OUTPUT_DIRECTORY, &request->output_directory, NULL},
	    {CT_NVCC_ARBIN, &request->archiver, NULL},
	    {CT_NVCC_CCBIN, &request->host_compiler, NULL},
	    {CT_NVCC_ARCH, &request->arch, NULL},
	    {CT_NVCC_DEPENDENCY_OUTPUT, &request->dependency_file, NULL},
	    {CT_NVCC_DEPENDENCY_TARGET, &request->dependency_target, NULL},
	    {CT_NVCC_DEPENDENCY_TARGETS, NULL, &request->dependency_phony},
	    {CT_NVCC_DEVICE_DEBUG, NULL, &request->device_debug},
	    {CT_NVCC_DOPT, NULL, &request->device_optimized},
	    {CT_NVCC_NO_DEVICE_LINK, NULL, &request->no_device_link},
	    {CT_NVCC_FAST_MATH, NULL, &request->fast_math},
	    {CT_NVCC_EWP, NULL, &request->rdc},
	    {CT_NVCC_DRYRUN, NULL, &request->dry_run},
	    {CT_NVCC_VERBOSE, NULL, &request->verbose},
	    {CT_NVCC_KEEP, NULL, &request->keep},
	    {CT_NVCC_SAVE_TEMPS, NULL, &request->keep},
	    {CT_NVCC_KEEP_DIR, &request->keep_directory, NULL},
	    {CT_NVCC_CLEAN, NULL, &request->clean},
	    {CT_NVCC_HELP, NULL, &request->help},
	    {CT_NVCC_VERSION, NULL, &request->version},
	    {CT_NVCC_LIST_CODE, NULL, &request->list_codes},
	    {CT_NVCC_LIST_ARCH, NULL, &request->list_archs},
	    {CT_NVCC_FORWARD_COMPILER, NULL, &request->forward_to_compiler},
	    {CT_NVCC_FORWARD_LINKER, NULL, &request->forward_to_linker},
	};

	for (size_t i = 0; i < COUNT(fields); i++) {
		if (fields[i].id != id)
			continue;
		if (fields[i].text)
			*fields[i].text = value; /* of request->words */
		else
			*fields[i].flag = true;
		return true;
	}
	return false;
}

/* Options that add words somewhere. */
static void take_words(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	switch (id) {
	case CT_NVCC_XCOMPILER:
		ct_nvcc_take_host_word(request, value);
		break;
	case CT_NVCC_LIBRARY:
		ct_args_pushf(&request->libraries, "-l%s", value);
		break;
	case CT_NVCC_LIBRARY_PATH:
		ct_args_pushf(&request->libraries, "-L%s", value);
		break;
	case CT_NVCC_XARCHIVE:
		ct_args_push(&request->archive, value);
		break;
	case CT_NVCC_XPTXAS:
		ct_args_push(&request->ptxas, value);
		break;
	case CT_NVCC_XFATBIN:
		ct_args_push(&request->fatbinary, value);
		break;
	case CT_NVCC_RUN_ARGS:
		ct_args_push(&request->run, value);
		break;
	case CT_NVCC_CODE:
		ct_args_push(&request->codes, value);
		break;
	case CT_NVCC_MAXRREGCOUNT:
		ct_args_pushf(&request->ptxas, "--maxrregcount=%s", value);
		break;
	case CT_NVCC_RESOURCE_USAGE:
		ct_args_push(&request->ptxas, "-v");
		break;
	case CT_NVCC_PROFILE:
		ct_args_push(&request->host, "-pg");
		ct_args_push(&request->link, "-pg");
		break;
	case CT_NVCC_WITH_DEPENDENCIES:
	case CT_NVCC_WITH_USER_DEPENDENCIES:
		request->dependencies = ct_nvcc_options[id].short_name;
		break;
	case CT_NVCC_DEVICE_TIME_TRACE:
		ct_args_pushf(&request->cuda, "-ftime-trace%s%s",
			      strcmp(value, "-") == 0 ? "" : "=",
			      strcmp(value, "-") == 0 ? "" : value);
		break;
	case CT_NVCC_NO_COMPRESS:
		ct_args_push(&request->fatbinary, "-compress=false");
		break;
	case CT_NVCC_COMPRESS_MODE:
		ct_args_pushf(&request->fatbinary, "--compress-mode=%s", value);
		break;
	default:
		break;
	}
}

static int take_choice(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	if (id == CT_NVCC_OFAST_COMPILE) {
		request->device_fast = strcmp(value, "0") != 0;
	} else if (id == CT_NVCC_XNVLINK) {
		ct_args_push(&request->link, "-Xoffload-linker");
		ct_args_push(&request->link, value);
	} else if (id == CT_NVCC_FORWARD_BOTH) {
		request->forward_to_compiler = request->forward_to_linker = true;
	} else if (!take_field(request, id, value)) {
		take_words(request, id, value);
	}
	return 0;
}

int ct_nvcc_take(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value)
{
	if (ct_nvcc_options[id].argument == CT_NVCC_TAKES_TRUTH)
		return take_truth(request, id, value);
	switch (id) {
	case CT_NVCC_STD:
		return take_standard(request, value);
	case CT_NVCC_X:
		return take_language(request, value);
	case CT_NVCC_WERROR:
		return take_werror(request, value);
	case CT_NVCC_DEFAULT_STREAM:
		return take_stream(request, value);
	case CT_NVCC_GENCODE:
		return take_gencode(request, value);
	default:
		return take_choice(request, id, value);
	}
}
