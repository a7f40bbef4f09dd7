/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts that are sampled, and looks at what CUPTI has collected of them. */
#include "host-rt/cupti/sampling.h"
#include "base/array.h"
#include "base/clock.h"
#include "host-rt/calls/call.h"
#include "host-rt/cupti/library.h"
#include "host-rt/samples/samples.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS_MAX 64u
#define PCS 4096u /* of one answer of CUPTI's; what is more comes with the next */

/* One that is sampled, or could not be; or the place of one that has ended. */
struct context {
	CUcontext handle; /* NULL: it has ended. Read without the lock */
	uint32_t device;
	bool is_on;
	size_t reason_count;
	uint32_t *reason_ids;
	char **reason_names;
	/* CUPTI keeps the first until sampling ends, and looks are copied to the second. */
	CUpti_PCSamplingData kept, found;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context contexts[CONTEXTS_MAX];
static size_t context_count;
static struct ct_sampling_request request;
static bool has_begun; /* atomic */
static struct ct_sampled *list;
static size_t list_room;

bool ct_cupti_sampling_begin(const struct ct_sampling_request *asked, CUpti_SubscriberHandle who,
			     const char **why)
{
	static const CUpti_CallbackIdResource ids[] = {CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
						       CUPTI_CBID_RESOURCE_MODULE_LOADED};

	if (!ct_cupti_load_sampling(why))
		return false;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (ct_cupti.cuptiEnableCallback(1, who, CUPTI_CB_DOMAIN_RESOURCE, ids[i]) !=
		    CUPTI_SUCCESS) {
			*why = "CUPTI does not tell of modules";
			return false;
		}
	request = *asked;
	__atomic_store_n(&has_begun, true, __ATOMIC_RELEASE);
	return true;
}

/* Once: what is said of the first context holds for those that follow, as far as anybody knows. */
static void refuse(CUptiResult result, const char *what)
{
	const char *text = NULL;
	char why[512];

	ct_cupti.cuptiGetResultString(result, &text);
	if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
		snprintf(why, sizeof(why),
			 "this user may not read the device's counters (NVIDIA's "
			 "RmProfilingAdminOnly is set on the host, or the container lacks "
			 "CAP_SYS_ADMIN): an administrator allows it");
	else if (result == CUPTI_ERROR_NOT_SUPPORTED)
		snprintf(why, sizeof(why),
			 "this device or driver does not sample (MIG, a virtual GPU, or an "
			 "architecture before Volta)");
	else
		snprintf(why, sizeof(why), "CUPTI refuses %s: %s", what,
			 text ? text : "unknown error");
	ct_samples_refuse(why);
}

static bool take_reasons(struct context *c)
{
	CUpti_PCSamplingGetNumStallReasonsParams number = {
	    .size = CUpti_PCSamplingGetNumStallReasonsParamsSize,
	    .ctx = c->handle,
	    .numStallReasons = &c->reason_count};
	CUpti_PCSamplingGetStallReasonsParams names = {
	    .size = CUpti_PCSamplingGetStallReasonsParamsSize, .ctx = c->handle};

	if (ct_cupti_sampling.cuptiPCSamplingGetNumStallReasons(&number) != CUPTI_SUCCESS)
		return false;
	c->reason_ids = calloc(c->reason_count + 1, sizeof(*c->reason_ids));
	c->reason_names = calloc(c->reason_count + 1, sizeof(*c->reason_names));
	for (size_t i = 0; c->reason_names && i < c->reason_count; i++) {
		c->reason_names[i] = calloc(1, CUPTI_STALL_REASON_STRING_SIZE);
		if (!c->reason_names[i])
			return false;
	}
	if (!c->reason_ids || !c->reason_names)
		return false;
	names.numStallReasons = c->reason_count;
	names.stallReasonIndex = c->reason_ids;
	names.stallReasons = c->reason_names;
	return ct_cupti_sampling.cuptiPCSamplingGetStallReasons(&names) == CUPTI_SUCCESS;
}

static bool make_buffer(CUpti_PCSamplingData *data, size_t reasons)
{
	*data = (CUpti_PCSamplingData){.size = sizeof(*data), .collectNumPcs = PCS};
	data->pPcData = calloc(PCS, sizeof(*data->pPcData));
	for (size_t i = 0; data->pPcData && i < PCS; i++) {
		data->pPcData[i].size = sizeof(*data->pPcData);
		data->pPcData[i].stallReason =
		    calloc(reasons + 1, sizeof(*data->pPcData[i].stallReason));
		if (!data->pPcData[i].stallReason)
			return false;
	}
	return data->pPcData != NULL;
}

static CUptiResult configure(struct context *c)
{
	CUpti_PCSamplingConfigurationInfo info[] = {
	    {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE},
	    {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD},
	    {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT},
	    {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER},
	    {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON},
	};
	CUpti_PCSamplingConfigurationInfoParams params = {
	    .size = CUpti_PCSamplingConfigurationInfoParamsSize,
	    .ctx = c->handle,
	    .numAttributes = sizeof(info) / sizeof(info[0]),
	    .pPCSamplingConfigurationInfo = info};

	info[0].attributeData.collectionModeData.collectionMode =
	    request.is_concurrent ? CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS
				  : CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
	info[1].attributeData.samplingPeriodData.samplingPeriod = request.exponent;
	info[2].attributeData.outputDataFormatData.outputDataFormat =
	    CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED;
	info[3].attributeData.samplingDataBufferData.samplingDataBuffer = &c->kept;
	info[4].attributeData.stallReasonData.stallReasonCount = c->reason_count;
	info[4].attributeData.stallReasonData.pStallReasonIndex = c->reason_ids;
	return ct_cupti_sampling.cuptiPCSamplingSetConfigurationAttribute(&params);
}

static void turn_off(struct context *c)
{
	CUpti_PCSamplingDisableParams params = {.size = CUpti_PCSamplingDisableParamsSize,
						.ctx = c->handle};

	ct_cupti_sampling.cuptiPCSamplingDisable(&params);
	c->is_on = false;
}

static void turn_on(struct context *c)
{
	CUpti_PCSamplingEnableParams params = {.size = CUpti_PCSamplingEnableParamsSize,
					       .ctx = c->handle};
	CUptiResult result = ct_cupti_sampling.cuptiPCSamplingEnable(&params);

	if (result != CUPTI_SUCCESS) {
		refuse(result, "to sample");
		return;
	}
	c->is_on = true;
	result = CUPTI_ERROR_OUT_OF_MEMORY;
	if (take_reasons(c) && make_buffer(&c->kept, c->reason_count) &&
	    make_buffer(&c->found, c->reason_count))
		result = configure(c);
	if (result == CUPTI_SUCCESS)
		return;
	refuse(result, "the period of samples");
	turn_off(c);
}

/* Any thread. NULL: there is none of that handle. */
static struct context *known_context(CUcontext handle)
{
	size_t count = __atomic_load_n(&context_count, __ATOMIC_ACQUIRE);

	for (size_t i = 0; i < count; i++)
		if (__atomic_load_n(&contexts[i].handle, __ATOMIC_ACQUIRE) == handle)
			return &contexts[i];
	return NULL;
}

static void free_buffer(CUpti_PCSamplingData *data)
{
	for (size_t i = 0; data->pPcData && i < PCS; i++)
		free(data->pPcData[i].stallReason);
	free(data->pPcData);
}

/* Frees what was made for a context that has ended; CUPTI has let go of it. */
static void free_context(struct context *c)
{
	for (size_t i = 0; c->reason_names && i < c->reason_count; i++)
		free(c->reason_names[i]);
	free(c->reason_names);
	free(c->reason_ids);
	free_buffer(&c->kept);
	free_buffer(&c->found);
}

/* A place of one that has ended, or a new one. NULL: there are too many at once. */
static struct context *free_place(void)
{
	struct context *c = known_context(NULL);

	if (c) {
		free_context(c);
		return c;
	}
	if (context_count == CONTEXTS_MAX) {
		ct_samples_refuse("the program has made more contexts than are sampled");
		return NULL;
	}
	c = &contexts[context_count];
	__atomic_store_n(&context_count, context_count + 1, __ATOMIC_RELEASE);
	return c;
}

/* NULL: there are too many. */
static struct context *context_of(CUcontext handle)
{
	struct context *c = known_context(handle);

	if (!c)
		c = free_place();
	if (!c || c->handle == handle)
		return c;
	*c = (struct context){.handle = NULL};
	__atomic_store_n(&c->handle, handle, __ATOMIC_RELEASE);
	if (ct_cupti_sampling.cuptiGetDeviceId(handle, &c->device) != CUPTI_SUCCESS)
		c->device = 0;
	turn_on(c);
	return c;
}

static const char *reason_name(const struct context *c, uint32_t id)
{
	for (size_t i = 0; i < c->reason_count; i++)
		if (c->reason_ids[i] == id)
			return c->reason_names[i];
	return "";
}

/* Clones, and the kernels of host-rt. */
static bool is_ours(const char *function)
{
	static const char *const kernels[] = {"ct_flush",          "ct_launch_ids",
					      "ct_clock",          "ct_counts_collect",
					      "ct_counts_objects", "ct_digest"};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (strcmp(function, kernels[i]) == 0)
			return true;
	return strncmp(function, "__ct", 4) == 0;
}

/* The samples of an instruction of the program's. */
static size_t add_pc(const struct context *c, const CUpti_PCSamplingPCData *pc, size_t count)
{
	if (ct_array_reserve(&list, &list_room, count + pc->stallReasonCount, sizeof(*list)) < 0) {
		ct_samples_refuse("memory is short, and some samples are lost");
		return count;
	}
	if (is_ours(pc->functionName))
		return count;
	for (size_t i = 0; i < pc->stallReasonCount; i++)
		if (pc->stallReason[i].samples)
			list[count++] = (struct ct_sampled){
			    .cubin = pc->cubinCrc,
			    .pc = pc->pcOffset,
			    .samples = pc->stallReason[i].samples,
			    .function = pc->functionName,
			    .reason = reason_name(c, pc->stallReason[i].pcSamplingStallReasonIndex),
			};
	return count;
}

/* Takes the samples in data, a look for each kernel of it: its totals stand in the first. */
static void take(const struct context *c, const CUpti_PCSamplingData *data, uint32_t correlation,
		 uint32_t launch)
{
	struct ct_row_look look = {.time_ns = ct_clock_real_ns(),
				   .period = 1ull << request.exponent,
				   .total = data->totalSamples,
				   .dropped = data->droppedSamples,
				   .others = data->nonUsrKernelsTotalSamples,
				   .device = c->device,
				   .mode =
				       request.is_concurrent ? CT_LOOK_CONCURRENT : CT_LOOK_SERIAL};
	size_t first = 0, pcs = data->totalNumPcs < PCS ? data->totalNumPcs : PCS;

	if (!look.total && !pcs)
		return;
	do {
		size_t count = 0, at = first;

		look.correlation = first < pcs ? data->pPcData[first].correlationId : 0;
		for (; at < pcs && data->pPcData[at].correlationId == look.correlation; at++)
			count = add_pc(c, &data->pPcData[at], count);
		look.launch = look.correlation == correlation ? launch : 0;
		ct_samples_look(&look, list, count);
		look.total = look.dropped = look.others = 0;
		first = at;
	} while (first < pcs);
}

static void look_at(struct context *c, uint32_t correlation, uint32_t launch)
{
	CUpti_PCSamplingGetDataParams params = {.size = CUpti_PCSamplingGetDataParamsSize,
						.ctx = c->handle,
						.pcSamplingData = &c->found};
	CUptiResult result;

	do {
		result = ct_cupti_sampling.cuptiPCSamplingGetData(&params);
		/* Full: the device had no room, and what there was is gone. */
		if (result == CUPTI_ERROR_OUT_OF_MEMORY || c->found.hardwareBufferFull)
			ct_samples_refuse("the device's buffer for samples was full, and some are "
					  "lost: sample less often (--samples=CYCLES)");
		if (result != CUPTI_SUCCESS)
			return;
		take(c, &c->found, correlation, launch);
	} while (c->found.remainingNumPcs > 0 && c->found.totalNumPcs > 0);
}

/* Takes the samples that are left, which CUPTI puts into what it keeps. */
static void end_context(struct context *c)
{
	if (!c->is_on)
		return;
	look_at(c, 0, 0);
	turn_off(c);
	take(c, &c->kept, 0, 0);
}

static void take_module(const CUpti_ModuleResourceData *module)
{
	CUpti_GetCubinCrcParams params = {.size = CUpti_GetCubinCrcParamsSize,
					  .cubinSize = module->cubinSize,
					  .cubin = module->pCubin};

	if (module->pCubin && module->cubinSize &&
	    ct_cupti_sampling.cuptiGetCubinCrc(&params) == CUPTI_SUCCESS)
		ct_samples_module(params.cubinCrc, module->pCubin, module->cubinSize);
}

void ct_cupti_sampling_on_resource(CUpti_CallbackId id, const CUpti_ResourceData *data)
{
	struct context *c;

	if (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE))
		return;
	if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
		take_module(data->resourceDescriptor);
		return;
	}
	pthread_mutex_lock(&lock);
	c = known_context(data->context);
	if (c) {
		end_context(c);
		__atomic_store_n(&c->handle, NULL, __ATOMIC_RELEASE); /* it may be another's */
	}
	pthread_mutex_unlock(&lock);
}

static bool launches(const char *name)
{
	return strncmp(name, "cudaLaunch", 10) == 0 || strncmp(name, "cuLaunch", 8) == 0 ||
	       strncmp(name, "cudaGraphLaunch", 15) == 0 || strncmp(name, "cuGraphLaunch", 13) == 0;
}

void ct_cupti_sampling_on_call(const CUpti_CallbackData *call)
{
	const struct ct_call *wrapped = ct_call_innermost;
	struct context *c;

	if (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE) || !call->context ||
	    !launches(call->functionName))
		return;
	/* Nothing to do, and so no lock, which a thread that asks CUPTI for samples may hold while
	 * CUPTI waits for this call to return. */
	if ((request.is_concurrent || call->callbackSite == CUPTI_API_ENTER) &&
	    known_context(call->context))
		return;
	pthread_mutex_lock(&lock);
	c = context_of(call->context);
	if (c && c->is_on && !request.is_concurrent && call->callbackSite == CUPTI_API_EXIT)
		look_at(c, call->correlationId,
			wrapped && wrapped->correlation == call->correlationId ? wrapped->launch
									       : 0);
	pthread_mutex_unlock(&lock);
}

/* In serial mode looks are those of launches alone: CUPTI may hold a lock of its own there. */
void ct_cupti_sampling_flush(bool is_last)
{
	if (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE) || (!is_last && !request.is_concurrent))
		return;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < context_count; i++)
		if (is_last)
			end_context(&contexts[i]);
		else if (contexts[i].is_on)
			look_at(&contexts[i], 0, 0);
	if (is_last)
		__atomic_store_n(&has_begun, false, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
}
