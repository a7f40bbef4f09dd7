/* SPDX-License-Identifier: Apache-2.0 */
/* CUPTI's sampling of program counters, as far as it is asked here: what a file says of each
 * launch. As the real one, it is given a buffer to keep and another one to fill. */
#include "tests/cli/inject/fake_cupti.h"
#include <cupti_pcsampling.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REASONS 3u
#define ROWS_MAX 256u

#ifndef FAKE_OLD /* an earlier CUPTI lacks it */
static const char *const reasons[REASONS] = {
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
    "smsp__pcsamp_warps_issue_stalled_selected",
};

struct row {
	char function[256];
	unsigned long long pc;
	unsigned reason, samples;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_CallbackFunc listener;
static void *listener_user;
static bool is_on, is_serial, wants_modules;
static uint32_t pending[1024]; /* correlations of launches never looked at */
static size_t pendings;
static struct row rows[ROWS_MAX];
static size_t row_count;
static void *cubin;
static size_t cubin_bytes;

static void load_rows(void)
{
	FILE *file = getenv("FAKE_SAMPLES") ? fopen(getenv("FAKE_SAMPLES"), "r") : NULL;
	struct row row;

	while (file && row_count < ROWS_MAX &&
	       fscanf(file, "%255s %llx %u %u", row.function, &row.pc, &row.reason, &row.samples) ==
		   4)
		rows[row_count++] = row;
	if (file)
		fclose(file);
}

static void load_module(void)
{
	FILE *file = getenv("FAKE_CUBIN") ? fopen(getenv("FAKE_CUBIN"), "r") : NULL;
	CUpti_ModuleResourceData module = {.moduleId = 1};
	CUpti_ResourceData data = {.context = FAKE_CONTEXT, .resourceDescriptor = &module};

	if (!file || cubin || !wants_modules)
		goto close;
	cubin = malloc(1 << 20);
	if (!cubin)
		goto close;
	cubin_bytes = fread(cubin, 1, 1 << 20, file);
	module.cubinSize = cubin_bytes;
	module.pCubin = cubin;
	listener(listener_user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
close:
	if (file)
		fclose(file);
}

void fake_sampling_wanted(CUpti_CallbackFunc function, void *user, CUpti_CallbackId id)
{
	listener = function;
	listener_user = user;
	wants_modules |= id == CUPTI_CBID_RESOURCE_MODULE_LOADED;
}

/* The library calls back without a lock that its functions take. */
void fake_sampling_launch(bool begins, uint32_t correlation)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (begins) {
		pthread_once(&once, load_module);
		return;
	}
	pthread_mutex_lock(&lock);
	if (is_on && pendings < sizeof(pending) / sizeof(pending[0]))
		pending[pendings++] = correlation;
	pthread_mutex_unlock(&lock);
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *device)
{
	*device = 0;
	return context == FAKE_CONTEXT ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiGetCubinCrc(CUpti_GetCubinCrcParams *params)
{
	params->cubinCrc = params->cubinSize * 31;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *params)
{
	const char *mode = getenv("FAKE_CUPTI");

	if (params->ctx != FAKE_CONTEXT)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (mode && strcmp(mode, "nosample") == 0)
		return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
	load_rows();
	is_on = true;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *params)
{
	is_on = false;
	return params->ctx == FAKE_CONTEXT ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *params)
{
	*params->numStallReasons = REASONS;
	return CUPTI_SUCCESS;
}

/* In another order than their numbers, as of the real one. */
CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *params)
{
	for (uint32_t i = 0; i < REASONS; i++) {
		params->stallReasonIndex[i] = REASONS - 1 - i;
		strcpy(params->stallReasons[i], reasons[REASONS - 1 - i]);
	}
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams *params)
{
	for (size_t i = 0; i < params->numAttributes; i++) {
		const CUpti_PCSamplingConfigurationInfo *info =
		    &params->pPCSamplingConfigurationInfo[i];

		if (info->attributeType ==
		    CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE)
			is_serial = info->attributeData.collectionModeData.collectionMode ==
				    CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
	}
	return CUPTI_SUCCESS;
}

/* Rows of one instruction stand together in the file. */
static size_t fill(CUpti_PCSamplingPCData *pc, size_t first, uint32_t correlation)
{
	size_t i = first;

	pc->cubinCrc = cubin_bytes * 31;
	pc->pcOffset = rows[first].pc;
	pc->functionName = rows[first].function;
	pc->correlationId = is_serial ? correlation : 0;
	pc->stallReasonCount = 0;
	for (; i < row_count && rows[i].pc == rows[first].pc; i++)
		pc->stallReason[pc->stallReasonCount++] =
		    (CUpti_PCSamplingStallReason){rows[i].reason, rows[i].samples};
	return i;
}

CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams *params)
{
	CUpti_PCSamplingData *data = params->pcSamplingData;

	pthread_mutex_lock(&lock);
	data->totalSamples = data->droppedSamples = data->nonUsrKernelsTotalSamples = 0;
	data->totalNumPcs = data->remainingNumPcs = 0;
	data->hardwareBufferFull = 0;
	/* A launch an answer: what is left comes with the next one. */
	if (pendings > 0 && row_count > 0) {
		uint32_t correlation = pending[--pendings];

		for (size_t i = 0; i < row_count;)
			i = fill(&data->pPcData[data->totalNumPcs++], i, correlation);
		for (size_t i = 0; i < row_count; i++)
			data->totalSamples += rows[i].reason == 1 ? 0 : rows[i].samples;
		data->droppedSamples = 2;
		data->totalSamples += 2;
		data->remainingNumPcs = pendings * data->totalNumPcs;
	}
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}
#else
void fake_sampling_wanted(CUpti_CallbackFunc function, void *user, CUpti_CallbackId id)
{
	(void)function;
	(void)user;
	(void)id;
}

void fake_sampling_launch(bool begins, uint32_t correlation)
{
	(void)begins;
	(void)correlation;
}
#endif
