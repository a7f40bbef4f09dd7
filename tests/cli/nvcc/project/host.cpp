// SPDX-License-Identifier: Apache-2.0
int four() { return 4; }
