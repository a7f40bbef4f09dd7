/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies on behalf of a command. */
#include "postproc/cmd/comparison.h"

#include <errno.h>

static int run_study(struct ctpost_study *study, struct ctpost_call *call,
		     void (*prepare)(struct ctpost_study *study))
{
	int err =
	    ctpost_study_read(study, call) == CTPOST_OK && ctpost_study_meet(study) == CTPOST_OK
		? 0
		: -EINVAL;

	if (prepare)
		prepare(study);
	if (err == 0)
		err = ctpost_study_open(study);
	if (err == 0)
		err = ctpost_study_run(study);
	if (err == 0 && study->ranks->rank == 0)
		ctpost_comm_warn(study->comm);
	return err;
}

static int init_side(struct ctpost_comparison *both, unsigned when)
{
	int err = ctpost_study_sources(&both->study[when], both->from->root[when],
				       both->from->quoting, &both->sources[when]);

	both->texts[when] = ctpost_line_texts_of(both->sources[when]);
	both->side[when] = (struct ct_side){
	    .name = both->study[when].operand,
	    .inquiry = &both->study[when].inquiry,
	    .problems = &both->study[when].problems,
	    .texts = &both->texts[when],
	};
	return err == 0 ? ct_side_init(&both->side[when]) : err;
}

/* On rank 0. */
static int compare(struct ctpost_comparison *both)
{
	int err = init_side(both, 0);

	if (err == 0)
		err = init_side(both, 1);
	return err == 0 ? ct_comparison_init(&both->comparison, &both->side[0], &both->side[1])
			: err;
}

int ctpost_comparison_run(struct ctpost_comparison *both, struct ctpost_call *call,
			  struct ct_ranks *ranks, void (*prepare)(struct ctpost_study *study))
{
	int err = ct_ranks_agree(
	    ranks, ranks->rank == 0 ? ctpost_source_choice_check(both->from, call) : 0);

	for (unsigned when = 0; when < 2 && err == 0; when++) {
		both->study[when] = (struct ctpost_study){
		    .operand = call->operand[when],
		    /* Data that would cross between devices is no problem of the program. */
		    .wanted = CT_STUDY_FINDINGS & ~CT_STUDY_SCALING,
		    .ranks = ranks,
		};
		err = run_study(&both->study[when], call, prepare);
	}
	if (err == 0 && ranks->rank == 0)
		err = ctpost_explain(call, compare(both), call->operand[0], "");
	return ct_ranks_agree(ranks, err);
}

void ctpost_comparison_close(struct ctpost_comparison *both)
{
	ct_comparison_fini(&both->comparison);
	for (unsigned when = 0; when < 2; when++) {
		ct_side_fini(&both->side[when]);
		ct_source_store_close(both->sources[when]);
		ctpost_study_close(&both->study[when]);
	}
}
