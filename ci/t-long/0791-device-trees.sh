#!/bin/sh
# Device trees: what a patch breaks in those that read what it touches, on the
# architectures that have them, and what is old there.
. "$(dirname "$0")/../t/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
. "$root/ci/t/scratch.sh"

# judge NAME STATUS ARCH: checks the series, with its verdict and its facts.
judge() {
	series
	run respin check --tree "$tree" --base HEAD --arch "$3" \
		--json "$tmp/report.json" "$tmp/series.mbox"
	is "$1: status" "$status" "$2"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' >"$tmp/facts"
	is "$1: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$failed" = 0 ] || sed 's/^/# /' "$out" "$err"
}
qcom=arch/arm64/boot/dts/qcom

# A header of constants that C code does not read; a file that two boards read;
# an error that is mended; a Makefile.
begin
edit include/dt-bindings/sound/qcom,q6asm.h \
	's/(#define\s+MSM_FRONTEND_DAI_MULTIMEDIA)3\b/${1}_GONE/'
patch 'a constant goes that boards use'
edit include/dt-bindings/sound/qcom,q6asm.h \
	's/(#define\s+MSM_FRONTEND_DAI_MULTIMEDIA)_GONE/${1}3/'
append $qcom/sdm845-cheza.dtsi <<'END'
/ { respin@1 { compatible = "respin"; }; };
END
patch 'a warning'
edit $qcom/Makefile 's/(sdm845-db845c.dtb)\n/$1 sdm845-respin.dtb\n/'
patch 'a board without a source'
judge 'wrong' 1 arm64 <<'END'
hazard 1/3 gone 2/3
END

finish
