/* SPDX-License-Identifier: Apache-2.0 */
/* Domains in a list: programs have few. */
#include "host-rt/nvtx/domains.h"
#include "base/map.h"
#include "host-rt/nvtx/text.h"
#include "host-rt/spans/names.h"
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNNAMED "(unnamed)"

struct nvtxDomainRegistration_st {
	nvtxDomainRegistration *next;
	char *name;
	struct ct_map categories; /* by number: the number of its name */
};

static nvtxDomainRegistration default_domain = {.name = ""};
static nvtxDomainRegistration *domains;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static nvtxDomainRegistration *new_domain(const char *name)
{
	nvtxDomainRegistration *domain = calloc(1, sizeof(*domain));

	if (domain)
		domain->name = strdup(name);
	if (!domain || !domain->name) {
		free(domain);
		return NULL;
	}
	domain->next = domains;
	domains = domain;
	return domain;
}

nvtxDomainHandle_t ct_nvtx_domain(const char *name)
{
	nvtxDomainRegistration *domain;

	pthread_mutex_lock(&lock);
	for (domain = domains; domain && strcmp(domain->name, name) != 0;)
		domain = domain->next;
	if (!domain)
		domain = new_domain(name);
	pthread_mutex_unlock(&lock);
	return domain;
}

static nvtxDomainRegistration *known(nvtxDomainHandle_t domain)
{
	return domain ? domain : &default_domain;
}

const void *ct_nvtx_group(nvtxDomainHandle_t domain)
{
	return known(domain);
}

void ct_nvtx_name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
	uint32_t number = ct_span_name(name);
	union ct_map_value *value;

	pthread_mutex_lock(&lock);
	value = ct_map_put(&known(domain)->categories, category, 0);
	if (value)
		value->number = number;
	pthread_mutex_unlock(&lock);
}

nvtxStringHandle_t ct_nvtx_string(const char *text)
{
	return (nvtxStringHandle_t)(uintptr_t)ct_span_name_text(ct_span_name(text));
}

/* An attribute that the program's version of the struct does not have is not given. */
static const char *message_of(const nvtxEventAttributes_t *attributes,
			      char text[CT_NVTX_TEXT_BYTES])
{
	if (!attributes ||
	    attributes->size < offsetof(nvtxEventAttributes_t, message) + sizeof(void *) ||
	    !attributes->message.ascii)
		return UNNAMED;
	switch (attributes->messageType) {
	case NVTX_MESSAGE_TYPE_ASCII:
		return attributes->message.ascii;
	case NVTX_MESSAGE_TYPE_UNICODE:
		return ct_nvtx_narrow(attributes->message.unicode, text);
	case NVTX_MESSAGE_TYPE_REGISTERED:
		return (const char *)attributes->message.registered;
	default:
		return UNNAMED;
	}
}

static void put_category(nvtxDomainHandle_t domain, uint32_t category, char *text, size_t bytes)
{
	union ct_map_value *value;
	const char *name = NULL;

	pthread_mutex_lock(&lock);
	value = ct_map_find(&known(domain)->categories, category, 0);
	if (value)
		name = ct_span_name_text((uint32_t)value->number);
	pthread_mutex_unlock(&lock);
	if (name)
		snprintf(text, bytes, " [%s]", name);
	else
		snprintf(text, bytes, " [category %u]", category);
}

uint32_t ct_nvtx_name(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	char wide[CT_NVTX_TEXT_BYTES], category[256] = "", text[2 * CT_NVTX_TEXT_BYTES];
	const char *message = message_of(attributes, wide), *of = known(domain)->name;

	if (attributes && attributes->category)
		put_category(domain, attributes->category, category, sizeof(category));
	if (!*of && !*category)
		return ct_nvtx_name_plain(message);
	snprintf(text, sizeof(text), "%.300s%s%.*s%s", of, *of ? ": " : "", (int)CT_NVTX_TEXT_BYTES,
		 message, category);
	return ct_span_name(text);
}

uint32_t ct_nvtx_name_plain(const char *message)
{
	char text[CT_NVTX_TEXT_BYTES];

	if (!message)
		return ct_span_name(UNNAMED);
	if (strnlen(message, sizeof(text)) < sizeof(text))
		return ct_span_name(message);
	snprintf(text, sizeof(text), "%s", message);
	return ct_span_name(text);
}
