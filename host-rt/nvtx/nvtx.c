/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of NVTX: names of what they tell, then spans. */
#include "host-rt/nvtx/nvtx.h"
#include "host-rt/nvtx/text.h"
#include "host-rt/spans/spans.h"
#include "host-rt/spans/threads.h"
#include <cudatrace/format.h>
#include <errno.h>

#define HERE __builtin_frame_address(0)

/* Programs do not expect errno to change where they only say what they do. */
#define KEEPING_ERRNO(statement)                                                                   \
	do {                                                                                       \
		int saved_errno = errno;                                                           \
		statement;                                                                         \
		errno = saved_errno;                                                               \
	} while (0)

static void domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	KEEPING_ERRNO(ct_span_mark(ct_nvtx_name(domain, attributes), HERE));
}

static void mark(const nvtxEventAttributes_t *attributes)
{
	KEEPING_ERRNO(ct_span_mark(ct_nvtx_name(NULL, attributes), HERE));
}

static void mark_plain(const char *message)
{
	KEEPING_ERRNO(ct_span_mark(ct_nvtx_name_plain(message), HERE));
}

static void mark_wide(const wchar_t *message)
{
	char text[CT_NVTX_TEXT_BYTES];

	KEEPING_ERRNO(ct_span_mark(ct_nvtx_name_plain(ct_nvtx_narrow(message, text)), HERE));
}

static nvtxRangeId_t domain_start(nvtxDomainHandle_t domain,
				  const nvtxEventAttributes_t *attributes)
{
	nvtxRangeId_t range;

	KEEPING_ERRNO(range = ct_span_start(ct_nvtx_name(domain, attributes), HERE));
	return range;
}

static nvtxRangeId_t start(const nvtxEventAttributes_t *attributes)
{
	nvtxRangeId_t range;

	KEEPING_ERRNO(range = ct_span_start(ct_nvtx_name(NULL, attributes), HERE));
	return range;
}

static nvtxRangeId_t start_plain(const char *message)
{
	nvtxRangeId_t range;

	KEEPING_ERRNO(range = ct_span_start(ct_nvtx_name_plain(message), HERE));
	return range;
}

static nvtxRangeId_t start_wide(const wchar_t *message)
{
	char text[CT_NVTX_TEXT_BYTES];
	nvtxRangeId_t range;

	KEEPING_ERRNO(range =
			  ct_span_start(ct_nvtx_name_plain(ct_nvtx_narrow(message, text)), HERE));
	return range;
}

static void stop(nvtxRangeId_t range)
{
	KEEPING_ERRNO(ct_span_stop(range));
}

static void domain_stop(nvtxDomainHandle_t domain, nvtxRangeId_t range)
{
	(void)domain;
	stop(range);
}

static int domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	int level;

	KEEPING_ERRNO(level = ct_span_push(CT_SPAN_RANGE, ct_nvtx_group(domain),
					   ct_nvtx_name(domain, attributes), HERE));
	return level;
}

static int push(const nvtxEventAttributes_t *attributes)
{
	int level;

	KEEPING_ERRNO(level = ct_span_push(CT_SPAN_RANGE, ct_nvtx_group(NULL),
					   ct_nvtx_name(NULL, attributes), HERE));
	return level;
}

static int push_plain(const char *message)
{
	int level;

	KEEPING_ERRNO(level = ct_span_push(CT_SPAN_RANGE, ct_nvtx_group(NULL),
					   ct_nvtx_name_plain(message), HERE));
	return level;
}

static int push_wide(const wchar_t *message)
{
	char text[CT_NVTX_TEXT_BYTES];
	int level;

	KEEPING_ERRNO(level =
			  ct_span_push(CT_SPAN_RANGE, ct_nvtx_group(NULL),
				       ct_nvtx_name_plain(ct_nvtx_narrow(message, text)), HERE));
	return level;
}

static int domain_pop(nvtxDomainHandle_t domain)
{
	int level;

	KEEPING_ERRNO(level = ct_span_pop(ct_nvtx_group(domain)));
	return level;
}

static int pop(void)
{
	return domain_pop(NULL);
}

static void domain_name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
	if (name)
		KEEPING_ERRNO(ct_nvtx_name_category(domain, category, name));
}

static void name_category(uint32_t category, const char *name)
{
	domain_name_category(NULL, category, name);
}

static void domain_name_category_wide(nvtxDomainHandle_t domain, uint32_t category,
				      const wchar_t *name)
{
	char text[CT_NVTX_TEXT_BYTES];

	domain_name_category(domain, category, ct_nvtx_narrow(name, text));
}

static void name_category_wide(uint32_t category, const wchar_t *name)
{
	domain_name_category_wide(NULL, category, name);
}

static void name_thread(uint32_t thread, const char *name)
{
	if (name && *name)
		KEEPING_ERRNO(ct_thread_name_give(thread, name));
}

static void name_thread_wide(uint32_t thread, const wchar_t *name)
{
	char text[CT_NVTX_TEXT_BYTES];

	name_thread(thread, ct_nvtx_narrow(name, text));
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *text)
{
	nvtxStringHandle_t string = NULL;

	(void)domain;
	if (text)
		KEEPING_ERRNO(string = ct_nvtx_string(text));
	return string;
}

static nvtxStringHandle_t register_string_wide(nvtxDomainHandle_t domain, const wchar_t *wide)
{
	char text[CT_NVTX_TEXT_BYTES];

	return register_string(domain, ct_nvtx_narrow(wide, text));
}

static nvtxDomainHandle_t create_domain(const char *name)
{
	nvtxDomainHandle_t domain = NULL;

	if (name && *name)
		KEEPING_ERRNO(domain = ct_nvtx_domain(name));
	return domain;
}

static nvtxDomainHandle_t create_domain_wide(const wchar_t *name)
{
	char text[CT_NVTX_TEXT_BYTES];

	return create_domain(ct_nvtx_narrow(name, text));
}

#define FUNCTION(module, name, ours) [NVTX_CBID_##module##_##name] = (NvtxFunctionPointer)(ours)

static const NvtxFunctionPointer core[NVTX_CBID_CORE_SIZE] = {
    FUNCTION(CORE, MarkEx, mark),
    FUNCTION(CORE, MarkA, mark_plain),
    FUNCTION(CORE, MarkW, mark_wide),
    FUNCTION(CORE, RangeStartEx, start),
    FUNCTION(CORE, RangeStartA, start_plain),
    FUNCTION(CORE, RangeStartW, start_wide),
    FUNCTION(CORE, RangeEnd, stop),
    FUNCTION(CORE, RangePushEx, push),
    FUNCTION(CORE, RangePushA, push_plain),
    FUNCTION(CORE, RangePushW, push_wide),
    FUNCTION(CORE, RangePop, pop),
    FUNCTION(CORE, NameCategoryA, name_category),
    FUNCTION(CORE, NameCategoryW, name_category_wide),
    FUNCTION(CORE, NameOsThreadA, name_thread),
    FUNCTION(CORE, NameOsThreadW, name_thread_wide),
};

static const NvtxFunctionPointer core2[NVTX_CBID_CORE2_SIZE] = {
    FUNCTION(CORE2, DomainMarkEx, domain_mark),
    FUNCTION(CORE2, DomainRangeStartEx, domain_start),
    FUNCTION(CORE2, DomainRangeEnd, domain_stop),
    FUNCTION(CORE2, DomainRangePushEx, domain_push),
    FUNCTION(CORE2, DomainRangePop, domain_pop),
    FUNCTION(CORE2, DomainNameCategoryA, domain_name_category),
    FUNCTION(CORE2, DomainNameCategoryW, domain_name_category_wide),
    FUNCTION(CORE2, DomainRegisterStringA, register_string),
    FUNCTION(CORE2, DomainRegisterStringW, register_string_wide),
    FUNCTION(CORE2, DomainCreateA, create_domain),
    FUNCTION(CORE2, DomainCreateW, create_domain_wide),
};

/* An earlier NVTX has fewer functions. */
static bool replace(const NvtxExportTableCallbacks *callbacks, NvtxCallbackModule module,
		    const NvtxFunctionPointer *ours, unsigned count)
{
	NvtxFunctionTable table = NULL;
	unsigned theirs = 0;

	if (!callbacks->GetModuleFunctionTable(module, &table, &theirs) || !table)
		return false;
	for (unsigned i = 1; i < count && i < theirs; i++)
		if (ours[i] && table[i])
			*table[i] = ours[i];
	return true;
}

int __ct_nvtx_attach(NvtxGetExportTableFunc_t table_of)
{
	const NvtxExportTableCallbacks *callbacks = table_of(NVTX_ETID_CALLBACKS);

	if (!callbacks || callbacks->struct_size < sizeof(*callbacks) ||
	    !callbacks->GetModuleFunctionTable)
		return 0;
	replace(callbacks, NVTX_CB_MODULE_CORE2, core2, NVTX_CBID_CORE2_SIZE);
	return replace(callbacks, NVTX_CB_MODULE_CORE, core, NVTX_CBID_CORE_SIZE);
}
