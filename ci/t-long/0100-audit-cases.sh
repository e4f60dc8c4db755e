#!/bin/sh
# Series that a check must not miss, one for each way in which the impact can
# be too small: each is found, its patch is blamed, and what the check leaves
# out, compiled for some minutes, shows nothing more.
. "$(dirname "$0")/../t/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
minutes=${RESPIN_AUDIT_MINUTES:-2}

check "the cases can be made" "$root/ci/audit-cases" "$tmp/cases" "$tree"
for case in "$tmp/cases"/*.mbox; do
	check "$(basename "$case" .mbox): $(sed -n 's/^what	//p' "${case%.mbox}.expect")" \
		"$root/ci/audit-run" --tree "$tree" --minutes "$minutes" "$case"
done
finish
