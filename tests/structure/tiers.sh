#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tiers.sh CTEST BUILD: every test is in one tier (cmake/CtTests.cmake), and what another one needs is there.
set -eu
"$1" --test-dir "$2" --show-only=json-v1 | jq -r '
	def property(name): [.properties[] | select(.name == name) | .value] | flatten;
	[.tests[] | {name, labels: property("LABELS"), setup: property("FIXTURES_SETUP"),
		required: property("FIXTURES_REQUIRED")}] |
	(map(.setup) | flatten) as $setups | (map(.required) | flatten) as $needed | .[] |
	[.labels[] | select(test("^(quick|test|full|soak|fixture)$"))] as $tiers |
	if $tiers | length != 1 then "\(.name): in \($tiers | length) tiers; use ct_add_test" else empty end,
	if $tiers == ["fixture"] and (.setup - $needed | length) > 0
		then "\(.name): nothing needs it, so it runs with no tier" else empty end,
	if .required - $setups | length > 0 then "\(.name): nothing makes \(.required - $setups)" else empty end' >wrong
cat wrong
[ ! -s wrong ]
