/* SPDX-License-Identifier: Apache-2.0 */
/* Domains of NVTX with their categories and strings; names of what happens in them. */
#ifndef CT_HOST_RT_NVTX_DOMAINS_H
#define CT_HOST_RT_NVTX_DOMAINS_H

#include <stdint.h>

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

/* Those of one name are one; they stay until the process ends. NULL, which stands for the default
 * domain everywhere, if memory is short. */
nvtxDomainHandle_t ct_nvtx_domain(const char *name);
/* The same as a group of spans: never NULL. */
const void *ct_nvtx_group(nvtxDomainHandle_t domain);

void ct_nvtx_name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name);

/* Its handle is the string. */
nvtxStringHandle_t ct_nvtx_string(const char *text);

/* The number (spans/names.h) of "domain: message [category]", without what is not given. */
uint32_t ct_nvtx_name(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);
/* The same of a message alone. */
uint32_t ct_nvtx_name_plain(const char *message);

#endif
