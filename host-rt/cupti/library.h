/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of CUPTI, found in the library at run time. */
#ifndef CT_HOST_RT_CUPTI_LIBRARY_H
#define CT_HOST_RT_CUPTI_LIBRARY_H

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <stdbool.h>

#define CT_CUPTI_FUNCTIONS(FUNCTION)                                                               \
	FUNCTION(cuptiGetVersion)                                                                  \
	FUNCTION(cuptiGetResultString)                                                             \
	FUNCTION(cuptiSubscribe)                                                                   \
	FUNCTION(cuptiUnsubscribe)                                                                 \
	FUNCTION(cuptiEnableCallback)                                                              \
	FUNCTION(cuptiGetCallbackName)                                                             \
	FUNCTION(cuptiActivityRegisterTimestampCallback)                                           \
	FUNCTION(cuptiActivityRegisterCallbacks)                                                   \
	FUNCTION(cuptiActivityEnable)                                                              \
	FUNCTION(cuptiActivityDisable)                                                             \
	FUNCTION(cuptiActivityGetNextRecord)                                                       \
	FUNCTION(cuptiActivityGetNumDroppedRecords)                                                \
	FUNCTION(cuptiActivityFlushAll)

struct ct_cupti_library {
#define CT_MEMBER(name) __typeof__(&name) name;
	CT_CUPTI_FUNCTIONS(CT_MEMBER)
#undef CT_MEMBER
};

/* All set after ct_cupti_load. */
extern struct ct_cupti_library ct_cupti;

/* Those that sample: an earlier version may lack them. */
#define CT_CUPTI_SAMPLING_FUNCTIONS(FUNCTION)                                                      \
	FUNCTION(cuptiGetDeviceId)                                                                 \
	FUNCTION(cuptiGetCubinCrc)                                                                 \
	FUNCTION(cuptiPCSamplingEnable)                                                            \
	FUNCTION(cuptiPCSamplingDisable)                                                           \
	FUNCTION(cuptiPCSamplingGetData)                                                           \
	FUNCTION(cuptiPCSamplingGetNumStallReasons)                                                \
	FUNCTION(cuptiPCSamplingGetStallReasons)                                                   \
	FUNCTION(cuptiPCSamplingSetConfigurationAttribute)

struct ct_cupti_sampling_library {
#define CT_MEMBER(name) __typeof__(&name) name;
	CT_CUPTI_SAMPLING_FUNCTIONS(CT_MEMBER)
#undef CT_MEMBER
};

/* All set after ct_cupti_load_sampling. */
extern struct ct_cupti_sampling_library ct_cupti_sampling;

/* From CUDATRACE_CUPTI if that is set, else where the program's CUDA is. False: *why says what was
 * looked for, or what it lacks. */
bool ct_cupti_load(const char **why);
/* After that. */
bool ct_cupti_load_sampling(const char **why);

/* callbacks.c: does a name of CUPTI's, "cudaMemcpy_ptds_v7000", mean that call? */
bool ct_cupti_means(const char *name, uint32_t call_number);
/* As CUPTI calls it for each call. */
void CUPTIAPI ct_cupti_on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
			       const void *data);
/* Was the call with this correlation made by us? As far back as a million calls. */
bool ct_cupti_is_ours(uint32_t correlation);

/* records.c */
void CUPTIAPI ct_cupti_want_buffer(uint8_t **buffer, size_t *bytes, size_t *records_max);
void CUPTIAPI ct_cupti_take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer,
				   size_t bytes, size_t valid_bytes);

#endif
