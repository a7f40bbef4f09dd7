/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, their points in the roofline and its lines as tables. */
#include "postproc/analysis/model/section.h"

#include <math.h>
#include <string.h>

static const struct ct_section_column kernel_columns[] = {
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    {"predicted_seconds", "predicted", "Of a launch, the mean of those that are traced.",
     CT_SECTION_NUMBER, "s", false},
    {"measured_seconds", "measured", "Of launches that are not traced.", CT_SECTION_NUMBER, "s",
     false},
    {"all_seconds", "in all", "Predicted, of all its traced launches.", CT_SECTION_NUMBER, "s",
     true},
    {"bound", "bound by", NULL, CT_SECTION_TEXT, NULL, false},
    {"evidence", "since", NULL, CT_SECTION_TEXT, NULL, true},
    {"memory_percent", "memory", "What its warps wait for, of their time.", CT_SECTION_NUMBER, "%",
     false},
    {"memory_seconds", "memory, of the time", "That part of the predicted time.", CT_SECTION_NUMBER,
     "s", true},
    {"chain_percent", "own results", "Likewise: instructions that the next one needs.",
     CT_SECTION_NUMBER, "%", true},
    {"issue_percent", "a turn", "Likewise: a scheduler, or the load-store unit.", CT_SECTION_NUMBER,
     "%", true},
    {"barrier_percent", "barriers", "Likewise.", CT_SECTION_NUMBER, "%", true},
    {"change", "what helps most", "By a simulation of the launch after it.", CT_SECTION_TEXT, NULL,
     false},
    {"saved_seconds", "saves", "Of a launch, by the model.", CT_SECTION_NUMBER, "s", false},
    {"memory_cycles", "T_mem", "GPUPerf, of one SM: memory.", CT_SECTION_NUMBER, "cycles", true},
    {"computation_cycles", "T_comp", "Likewise: computation.", CT_SECTION_NUMBER, "cycles", true},
    {"ideal_memory_cycles", "T_mem_min", "Likewise: the bytes alone, at full bandwidth.",
     CT_SECTION_NUMBER, "cycles", true},
    {"ideal_computation_cycles", "T_fp", "Likewise: floating-point instructions alone.",
     CT_SECTION_NUMBER, "cycles", true},
    {"itilp_cycles", "B_itilp", "What enough independent instructions would save.",
     CT_SECTION_NUMBER, "cycles", true},
    {"serial_cycles", "B_serial", "What no barriers, conflicts and special functions would save.",
     CT_SECTION_NUMBER, "cycles", true},
    {"fp_cycles", "B_fp", "What floating-point instructions alone would save.", CT_SECTION_NUMBER,
     "cycles", true},
    {"memlp_cycles", "B_memlp", "What memory at full bandwidth would save.", CT_SECTION_NUMBER,
     "cycles", true},
};
enum { ALL_SECONDS = 3 };

static const struct ct_section_column change_columns[] = {
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    {"change", "change", "The launch after it was simulated.", CT_SECTION_TEXT, NULL, false},
    {"line", "line", "Of the source, if the change is of one alone.", CT_SECTION_NUMBER, NULL,
     false},
    {"saved_seconds", "saves", "Of a launch.", CT_SECTION_NUMBER, "s", false},
    {"predicted_seconds", "left", "What the launch takes then.", CT_SECTION_NUMBER, "s", false},
};
enum { CHANGE_SAVED = 3 };

static const struct ct_section_column point_columns[] = {
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    {"level", "level", "Whose bytes count.", CT_SECTION_TEXT, NULL, false},
    {"intensity", "flop per byte", NULL, CT_SECTION_NUMBER, NULL, false},
    {"flops", "flop/s", "Of the measured time, else of the predicted one.", CT_SECTION_NUMBER,
     "flop/s", false},
    {"roof", "roof", "Flop/s that the machine has for so many operations per byte.",
     CT_SECTION_NUMBER, "flop/s", false},
    {"bytes", "bytes", "Of a launch.", CT_SECTION_NUMBER, "B", true},
};
enum { POINT_FLOPS = 3 };

static const struct ct_section_column ceiling_columns[] = {
    {"what", "ceiling", NULL, CT_SECTION_TEXT, NULL, false},
    {"flops", "flop/s", NULL, CT_SECTION_NUMBER, "flop/s", false},
    {"bandwidth", "bytes/s", NULL, CT_SECTION_NUMBER, "B/s", false},
};
enum { CEILING_FLOPS = 1 };

static void add_kernel(struct ct_sections *sections, const struct ct_model_kernel *k)
{
	const struct ct_simulation *s = &k->simulation;
	const struct ct_gpuperf *r = &k->perf;
	bool is_simulated = s->cycles > 0;
	const double parts[] = {s->chain, s->issue, s->barrier};

	ct_sections_name(sections, k->name);
	ct_sections_number(sections, k->predicted);
	ct_sections_number(sections, k->measured.count ? k->measured.seconds : NAN);
	ct_sections_number(sections, k->predicted * k->launches);
	ct_sections_text(sections, k->bound);
	ct_sections_text(sections, k->evidence);
	ct_sections_number(sections, is_simulated ? 100 * s->memory : NAN);
	ct_sections_number(sections, is_simulated ? k->running * s->memory : NAN);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		ct_sections_number(sections, is_simulated ? 100 * parts[i] : NAN);
	ct_sections_text(sections, k->changes ? k->change[0].what : NULL);
	ct_sections_number(sections, k->changes ? k->change[0].seconds : NAN);
	ct_sections_number(sections, r->t_mem);
	ct_sections_number(sections, r->t_comp);
	ct_sections_number(sections, r->t_mem_min);
	ct_sections_number(sections, r->t_fp);
	ct_sections_number(sections, fmax(r->b_itilp, 0));
	ct_sections_number(sections, r->b_serial);
	ct_sections_number(sections, fmax(r->b_fp, 0));
	ct_sections_number(sections, r->b_memlp);
}

static void add_changes(struct ct_sections *sections, const struct ct_model_kernel *k)
{
	for (uint32_t i = 0; i < k->changes; i++) {
		const struct ct_model_change *change = &k->change[i];

		ct_sections_name(sections, k->name);
		ct_sections_text(sections, change->what);
		ct_sections_number(sections, change->line ? change->line : NAN);
		ct_sections_number(sections, change->seconds);
		ct_sections_number(sections, k->predicted - change->seconds);
	}
}

static void add_points(struct ct_sections *sections, const struct ct_model_kernel *k)
{
	double seconds = k->measured.count ? k->measured.seconds : k->predicted;

	for (uint32_t i = 0; i < CT_MODEL_POINTS; i++) {
		if (!(k->point[i].bytes > 0 && k->flops > 0))
			continue;
		ct_sections_name(sections, k->name);
		ct_sections_text(sections, k->point[i].level);
		ct_sections_number(sections, k->point[i].intensity);
		ct_sections_number(sections, k->flops / seconds);
		ct_sections_number(sections, k->point[i].roof);
		ct_sections_number(sections, k->point[i].bytes);
	}
}

static void add_ceilings(struct ct_sections *sections, const struct ct_model_kernel *k)
{
	for (uint32_t i = 0; i < CT_MODEL_CEILINGS; i++) {
		const struct ct_model_ceiling *ceiling = &k->ceiling[i];

		ct_sections_text(sections, ceiling->what);
		ct_sections_number(sections, ceiling->flops > 0 ? ceiling->flops : NAN);
		ct_sections_number(sections, ceiling->bandwidth > 0 ? ceiling->bandwidth : NAN);
	}
}

void ct_model_show(struct ct_sections *sections, const struct ct_model_kernel *kernel,
		   size_t kernels)
{
	static const struct ct_section of_kernels = {
	    .analysis = "model",
	    .name = CT_MODEL_SECTION,
	    .title = "What bounds each kernel",
	    .about = "How long each kernel should take on the device, what its warps wait for, and "
		     "what single changes would bring (docs/model.md).",
	    .column = kernel_columns,
	    .columns = sizeof(kernel_columns) / sizeof(*kernel_columns),
	    .order = ALL_SECONDS,
	};
	static const struct ct_section of_changes = {
	    .analysis = "model",
	    .name = "changes",
	    .title = "What changes would bring",
	    .about = "Of each kernel, what single changes would save at best, and what would be "
		     "left: its launch, simulated after the change (docs/model.md).",
	    .column = change_columns,
	    .columns = sizeof(change_columns) / sizeof(*change_columns),
	    .order = CHANGE_SAVED,
	};
	static const struct ct_section of_points = {
	    .analysis = "model",
	    .name = "roofline",
	    .title = "Roofline",
	    .about = "Operations per second that each kernel achieves over operations per byte, by "
		     "the bytes that lanes request, that the L2 serves, that memory moves, and "
		     "that no cache could avoid.",
	    .column = point_columns,
	    .columns = sizeof(point_columns) / sizeof(*point_columns),
	    .order = POINT_FLOPS,
	};
	static const struct ct_section of_ceilings = {
	    .analysis = "model",
	    .name = "ceilings",
	    .title = "Ceilings of the roofline",
	    .about = "What the device can do at most, of the kernel that takes longest.",
	    .column = ceiling_columns,
	    .columns = sizeof(ceiling_columns) / sizeof(*ceiling_columns),
	    .order = CEILING_FLOPS,
	};

	if (!kernels)
		return;
	ct_sections_add(sections, &of_kernels);
	for (size_t i = 0; i < kernels; i++)
		add_kernel(sections, &kernel[i]);
	ct_sections_add(sections, &of_changes);
	for (size_t i = 0; i < kernels; i++)
		add_changes(sections, &kernel[i]);
	ct_sections_add(sections, &of_points);
	for (size_t i = 0; i < kernels; i++)
		add_points(sections, &kernel[i]);
	ct_sections_add(sections, &of_ceilings);
	add_ceilings(sections, kernel);
}
