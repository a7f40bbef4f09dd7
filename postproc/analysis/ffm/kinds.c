/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of problems, and what sites are to them, in words. */
#include "postproc/analysis/ffm/kinds.h"

static const struct {
	enum ct_finding_id id;
	const char *text;
} kinds[] = {
#define CT_FFM_KIND(ID, text) [CT_FFM_##ID] = {CT_ID_##ID, text},
#include "postproc/analysis/ffm/kinds.def"
};

static const struct {
	const char *name, *text;
} roles[CT_FFM_ROLES] = {
    [CT_FFM_ALLOCATED] = {"allocated", "allocated"},
    [CT_FFM_FREED] = {"freed", "freed"},
    [CT_FFM_USED] = {"first-use", "first used"},
    [CT_FFM_PRODUCED] = {"produced", "work asked for"},
    [CT_FFM_COPIED] = {"copied-before", "same bytes copied"},
    [CT_FFM_WRITTEN] = {"written", "written"},
    [CT_FFM_CLOCKED] = {"clocked", "clock read"},
    [CT_FFM_VARIABLE] = {"variable", "variable"},
    [CT_FFM_ON_STACK] = {"on-stack", "on a stack"},
    [CT_FFM_TAKER] = {"waits-too", "waited for the same"},
    [CT_FFM_LAUNCHED] = {"launched", "launched, too"},
};

enum ct_finding_id ct_ffm_kind_id(enum ct_ffm_kind kind)
{
	return kinds[kind].id;
}

const char *ct_ffm_kind_name(enum ct_ffm_kind kind)
{
	return ct_finding_id_text(kinds[kind].id);
}

const char *ct_ffm_kind_text(enum ct_ffm_kind kind)
{
	return kinds[kind].text;
}

const char *ct_ffm_role_name(enum ct_ffm_site_role role)
{
	return roles[role].name;
}

const char *ct_ffm_role_text(enum ct_ffm_site_role role)
{
	return roles[role].text;
}
