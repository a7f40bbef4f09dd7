/* SPDX-License-Identifier: Apache-2.0 */
/* Code for the device that is there (seed 000, 3.4), work that it could do at the same time, and
 * time that it idles. */
#include "postproc/analysis/ffm/place.h"
#include "postproc/analysis/ffm/remedy/remedy.h"

#define FRAMES_MAX 64u

/* "sm_80, sm_90": those of the devices, each once. Returns the last one; 0: there are none. */
static uint32_t write_architectures(FILE *out, const struct ct_trace *trace)
{
	const struct ct_device_info *device;
	size_t count = ct_trace_devices(trace, &device);
	uint32_t last = 0;

	for (size_t i = 0; i < count; i++) {
		size_t before = 0;

		while (before < i && device[before].event->arch != device[i].event->arch)
			before++;
		if (before < i || !device[i].event->arch)
			continue;
		fprintf(out, "%ssm_%u", last ? ", " : "", device[i].event->arch);
		last = device[i].event->arch;
	}
	return last;
}

void ct_ffm_write_build_for(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];
	uint32_t arch;

	fputs("Compile the program for its device (", remedying->fix);
	arch = write_architectures(remedying->fix, remedying->study->calls);
	if (!arch)
		fputs("nvidia-smi --query-gpu=compute_cap", remedying->fix);
	fputs("): --cuda-gpu-arch of Clang and cuda-trace-clang++, -arch of nvcc, "
	      "CMAKE_CUDA_ARCHITECTURES of CMake",
	      remedying->fix);
	if (entry->site.stack)
		fprintf(remedying->fix, "; the driver compiles at %s at %s", entry->site.call,
			ct_ffm_remedy_place(remedying->study, entry->site.stack, place));
	fputc('.', remedying->fix);
	ct_ffm_condition(remedying,
			 "Shown: the driver compiled for %.3g ms. Not known: whether it "
			 "keeps that for later runs (CUDA_CACHE_PATH), as it does where "
			 "there is a home directory to write to.",
			 (double)entry->expected_ns / 1e6);
	if (arch)
		fprintf(remedying->skeleton,
			"cuda-trace-clang++ --cuda-gpu-arch=sm_%u …\n"
			"nvcc -gencode arch=compute_%u,code=sm_%u …\n"
			"cmake -DCMAKE_CUDA_ARCHITECTURES=%u …\n",
			arch, arch, arch, arch);
}

/* "cufftDestroy at solver.cu:12": what the program has called there that unloads. */
static void write_caller(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_entry *entry)
{
	const struct ct_code_frame *frame[FRAMES_MAX];
	size_t count = ct_ffm_study_frames(study, entry->site.stack, frame, FRAMES_MAX);
	char place[CT_FFM_PLACE_BYTES];

	for (size_t i = 0; i < count; i++)
		if (*frame[i]->file) {
			fprintf(out, "%s at %s", i ? frame[i - 1]->function : entry->site.call,
				ct_ffm_place(frame[i], place));
			return;
		}
	fprintf(out, "%s in %s", entry->site.call,
		count ? frame[count - 1]->function : "a place that is not known");
}

void ct_ffm_write_keep_loaded(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;

	fputs("Keep what ", remedying->fix);
	write_caller(remedying->fix, remedying->study, entry);
	fputs(" unloads (a module, a plan of a library): make it once, outside of the loop, and "
	      "let it go behind a wait that is needed.",
	      remedying->fix);
	ct_ffm_condition(remedying,
			 "Shown: unloading code waits for the device, %llu times. Not known: "
			 "whether what is made next differs.",
			 (unsigned long long)entry->site.count);
}

void ct_ffm_write_other_stream(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	fprintf(remedying->fix, "Ask for %s at %s in a stream of its own: it waits for ",
		entry->site.call, place);
	ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_PRODUCED);
	fputs(", with which it shares no memory.", remedying->fix);
	ct_ffm_condition(
	    remedying,
	    "Shown: the %llu copies were asked for while that was under way, and touch "
	    "other memory, or such as was allocated behind it. The benefit is what "
	    "would overlap at most. What uses the bytes must wait for them. Not known: "
	    "kernels that change the host's memory which is copied.",
	    (unsigned long long)entry->site.count);
	fprintf(remedying->skeleton,
		"%s(…, other_stream);  // at %s\n"
		"cudaEventRecord(copied, other_stream);\n"
		"cudaStreamWaitEvent(stream, copied);  // before what uses the bytes\n",
		entry->site.call, place);
}

/* Microseconds of each of the entry's calls. */
static double mean_us(const struct ct_ffm_entry *entry, uint64_t ns)
{
	return (double)ns / 1e3 / (double)(entry->site.count ? entry->site.count : 1);
}

void ct_ffm_write_graph(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	fprintf(remedying->fix, "Make one call of many: capture the launches at %s", place);
	if (ct_ffm_related_site(entry, CT_FFM_LAUNCHED)) {
		fputs(", with ", remedying->fix);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_LAUNCHED);
	}
	fputs(", as a CUDA graph, and launch that in their place; or fuse the kernels, or let each "
	      "do more.",
	      remedying->fix);
	ct_ffm_condition(
	    remedying,
	    "Shown: %llu times the device idled %.3g us in the mean before work that "
	    "took %.3g us, and no call between waited. What a graph leaves between two "
	    "works, and what recording the launches took, is not counted. Not known: "
	    "whether arguments change from one round to the next; then capture as many "
	    "rounds as it takes until they are the same, or set them "
	    "(cudaGraphExecKernelNodeSetParams).",
	    (unsigned long long)entry->site.count, mean_us(entry, entry->facts.idle_ns),
	    mean_us(entry, entry->facts.device_ns));
	fprintf(remedying->skeleton,
		"cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);\n"
		"…  // launches at %s\n"
		"cudaStreamEndCapture(stream, &graph);\n"
		"cudaGraphInstantiate(&exec, graph, 0);\n"
		"for (…)\n"
		"\tcudaGraphLaunch(exec, stream);\n",
		place);
}

void ct_ffm_write_launch_early(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	fprintf(remedying->fix,
		"Let the device work while the host does: ask for %s at %s before the computation "
		"that stands in front of it, or let another thread, or the device itself, do that.",
		entry->site.call, ct_ffm_remedy_place(remedying->study, entry->site.stack, place));
	ct_ffm_condition(
	    remedying,
	    "Shown: %llu times the device idled %.3g us in the mean, in which the thread "
	    "computed for %.3g us; what the device had done since the time before took "
	    "%.3g us. The worth is what of both could be at the same time. Not known: "
	    "whether what is computed depends on what the device did last, or the work "
	    "on what is computed; then work on two parts in turn.",
	    (unsigned long long)entry->site.count, mean_us(entry, entry->facts.idle_ns),
	    mean_us(entry, entry->facts.host_ns), mean_us(entry, entry->facts.device_ns));
}
