/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses arguments and options together that nvcc refuses, so that a build fails where it did. */
#include "driver/nvcc/request.h"
#include "driver/nvcc/words.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_number(const char *text)
{
	bool is_hexadecimal = strncmp(text, "0x", 2) == 0;
	const char *digits = is_hexadecimal ? text + 2 : text;
	size_t count = strspn(digits, is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");

	return count && digits[count] == '\0';
}

int ct_nvcc_check_value(const struct ct_nvcc_request *request, enum ct_nvcc_id id,
			const char *value)
{
	static const struct {
		enum ct_nvcc_id id;
		const char *words; /* NULL: a number */
	} closed[] = {
	    {CT_NVCC_OPTIMIZE, NULL},
	    {CT_NVCC_THREADS, NULL},
	    {CT_NVCC_MAXRREGCOUNT, NULL},
	    {CT_NVCC_TEMPLATE_DEPTH, NULL},
	    {CT_NVCC_TEMPLATE_BACKTRACE, NULL},
	    {CT_NVCC_SPLIT_COMPILE, NULL},
	    {CT_NVCC_JUMP_TABLES, NULL},
	    {CT_NVCC_MACHINE, "64"},
	    {CT_NVCC_CUDART, "none shared static"},
	    {CT_NVCC_CUDADEVRT, "none static"},
	    {CT_NVCC_OFAST_COMPILE, "0 min mid max"},
	    {CT_NVCC_DOPT, "on"},
	};
	struct ct_args words = {0};
	bool known = false;

	for (size_t i = 0; i < COUNT(closed); i++) {
		if (closed[i].id != id)
			continue;
		if (!closed[i].words && !is_number(value))
			return ct_nvcc_error(request, "%s: expected a number, not '%s'",
					     ct_nvcc_options[id].name, value);
		if (!closed[i].words)
			return 0;
		ct_nvcc_words_of_shell(&words, closed[i].words);
		for (size_t j = 0; j < words.count; j++)
			known |= strcmp(words.words[j], value) == 0;
		ct_args_fini(&words);
		if (!known)
			return ct_nvcc_error(request, "Value '%s' is not defined for option '%s'",
					     value, ct_nvcc_options[id].name + 2);
	}
	return 0;
}

/* Code that records accesses needs instructions that came with sm_70. */
#define OLDEST_TRACED 700

int ct_nvcc_check_archs(struct ct_nvcc_request *request)
{
	bool named = request->archs.count;
	char dropped[256];

	if (request->own.target == CT_TARGET_CPU)
		return 0;
	ct_nvcc_archs_drop_older(&request->archs, OLDEST_TRACED, dropped, sizeof(dropped));
	if (*dropped && !request->archs.count)
		return ct_nvcc_error(request, "%s: GPUs can be traced from sm_70 on", dropped);
	if (named && *dropped)
		ct_nvcc_warn(request, "no code for %s: GPUs can be traced from sm_70 on", dropped);
	return 0;
}

int ct_nvcc_check_together(const struct ct_nvcc_request *request)
{
	if (request->codes.count && !request->arch)
		return ct_nvcc_error(request, "-arch option not specified: --gpu-code (-code) "
					      "says what is made of it");
	if (request->dependency_file && !request->dependencies &&
	    (!request->preprocess || request->preprocess[1] != 'M'))
		return ct_nvcc_error(request, "Option '--dependency-output' requires one of '-M', "
					      "'-MM', '-MD' or '-MMD' to be specified");
	return 0;
}
