/* SPDX-License-Identifier: Apache-2.0 */
/* How a pass ends before it is done: the first error, and that of any rank. */
#include "postproc/scan/state.h"
#include <errno.h>

int ct_pass_stop(struct ct_pass *pass, int err, size_t task)
{
	int none = 0;

	if (err && atomic_compare_exchange_strong(&pass->stop, &none, err))
		atomic_store(&pass->failed, task);
	return err;
}

int ct_pass_agree(const struct ct_pass *pass, int err)
{
	int all = ct_ranks_agree(pass->options.ranks, err > 0 ? -ECANCELED : err);

	return err > 0 ? err : all;
}
