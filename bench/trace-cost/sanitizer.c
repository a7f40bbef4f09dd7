/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host side of the tracer on the Sanitizer API. The driver loads this library
 * into the program (CUDA_INJECTION64_PATH).
 */
#include "sanitizer.h"
#include <sanitizer.h>
#include <stdio.h>
#include <stdlib.h>

int InitializeInjection(void);
unsigned long long trace_cost_sanitizer_count(void);

static struct sanitizer_buffer *buffer; /* device memory */
static Sanitizer_StreamHandle stream;
static CUcontext patched;

/* Figures of a tracer that does not work would mislead. */
static void need(SanitizerResult result, const char *what)
{
	const char *text = "";

	if (result == SANITIZER_SUCCESS)
		return;
	sanitizerGetResultString(result, &text);
	fprintf(stderr, "trace-cost: sanitizer: %s: %s\n", what, text);
	exit(1);
}

static void patch_module(const Sanitizer_ResourceModuleData *module)
{
	const char *path = getenv(SANITIZER_PATCH_VARIABLE);

	if (patched != module->context)
		need(sanitizerAddPatchesFromFile(path ? path : "", module->context), "patch");
	patched = module->context;
	need(sanitizerPatchInstructions(SANITIZER_INSTRUCTION_GLOBAL_MEMORY_ACCESS, module->module,
					"trace_access"),
	     "instructions");
	need(sanitizerPatchModule(module->module), "module");
}

static void begin_launch(const Sanitizer_LaunchData *launch)
{
	void *memory;

	stream = launch->hStream;
	if (!buffer) {
		need(sanitizerAlloc(launch->context, &memory, sizeof(*buffer)), "memory");
		buffer = memory;
		need(sanitizerMemset(&buffer->count, 0, sizeof(buffer->count), stream), "memset");
	}
	need(sanitizerSetLaunchCallbackData(launch->hLaunch, launch->function, stream, buffer),
	     "launch");
}

static void SANITIZERAPI on_callback(void *user, Sanitizer_CallbackDomain domain,
				     Sanitizer_CallbackId id, const void *data)
{
	(void)user;
	if (domain == SANITIZER_CB_DOMAIN_RESOURCE && id == SANITIZER_CBID_RESOURCE_MODULE_LOADED)
		patch_module(data);
	if (domain == SANITIZER_CB_DOMAIN_LAUNCH && id == SANITIZER_CBID_LAUNCH_BEGIN)
		begin_launch(data);
}

int InitializeInjection(void)
{
	Sanitizer_SubscriberHandle subscriber;

	need(sanitizerSubscribe(&subscriber, on_callback, NULL), "subscribe");
	need(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_RESOURCE), "resources");
	need(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_LAUNCH), "launches");
	return 1;
}

/* Accesses so far, of all launches; for the program. */
unsigned long long trace_cost_sanitizer_count(void)
{
	unsigned long long count = 0;

	if (buffer)
		need(sanitizerMemcpyDeviceToHost(&count, &buffer->count, sizeof(count), stream),
		     "count");
	return count;
}
