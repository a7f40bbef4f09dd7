/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of problems, and what sites are to them, in words. */
#include "postproc/analysis/ffm/kinds.h"

struct words {
	const char *name, *title, *text;
};

static const struct words kinds[] = {
#define CT_FFM_KIND(ID, name, title, text) [CT_FFM_##ID] = {name, title, text},
#include "postproc/analysis/ffm/kinds.def"
};

static const struct words roles[CT_FFM_ROLES] = {
    [CT_FFM_ALLOCATED] = {"allocated", .text = "allocated"},
    [CT_FFM_FREED] = {"freed", .text = "freed"},
    [CT_FFM_USED] = {"first-use", .text = "first used"},
    [CT_FFM_PRODUCED] = {"produced", .text = "work asked for"},
    [CT_FFM_COPIED] = {"copied-before", .text = "same bytes copied"},
    [CT_FFM_WRITTEN] = {"written", .text = "written"},
    [CT_FFM_CLOCKED] = {"clocked", .text = "clock read"},
    [CT_FFM_VARIABLE] = {"variable", .text = "variable"},
    [CT_FFM_ON_STACK] = {"on-stack", .text = "on a stack"},
    [CT_FFM_TAKER] = {"waits-too", .text = "waited for the same"},
};

const char *ct_ffm_kind_name(enum ct_ffm_kind kind)
{
	return kinds[kind].name;
}

const char *ct_ffm_kind_title(enum ct_ffm_kind kind)
{
	return kinds[kind].title;
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
