#!/bin/sh
# Device trees: what a patch breaks in those that read what it touches, on the
# architectures that have them; and what is right, or old.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

board=arch/arm64/boot/dts/bitmain/bm1880-sophon-edge.dts
soc=arch/arm64/boot/dts/bitmain/bm1880.dtsi
makefile=arch/arm64/boot/dts/bitmain/Makefile
resets=include/dt-bindings/reset/bitmain,bm1880-reset.h

begin
edit $resets 's/(#define\s+BM1880_RST_UART0_1)_CLK\b/$1_GONE/'
patch 'a constant goes that a board uses'
edit $resets 's/(#define\s+BM1880_RST_UART0_1)_GONE\b/$1_CLK/'
append $soc <<'END'
/ { respin@1 { compatible = "respin"; }; };
END
patch 'a warning, and the constant is back'
edit $makefile 's/(bm1880-sophon-edge.dtb)/$1 bm1880-respin.dtb/'
edit $board 's/bm1880\.dtsi/bm1880-gone.dtsi/'
patch 'a board without a source, an include of nothing'
judge 'wrong' 1 --arch arm64 <<END
finding 1/3 error $soc - - fails:arm64
finding 2/3 warning $soc - unit_address_vs_reg fails:arm64
finding 3/3 error $makefile - - fails:arm64
finding 3/3 error $board - - fails:arm64
hazard 1/3 gone 2/3
END
check 'the report names the board' grep -q 'arm64 (arch/arm64/boot/dts/bitmain/' "$out"
check 'the bindings are out of scope' grep -q 'dtbs_check' "$tmp/report.json"
run respin repro 2/3.1
check 'the reproducer shows the line' sh -c "sh '$out' 2>&1 |
	grep -q 'bm1880.dtsi.*unit_address_vs_reg'"

# The new board repeats a warning that the file has without the series.
new=arch/arm64/boot/dts/qcom/sdm845-respin.dts
begin
printf '/* text */\n' | append $soc
edit $resets 's/\z/#define BM1880_RST_RESPIN 99\n/'
patch 'nothing that matters'
g cat-file blob HEAD:arch/arm64/boot/dts/qcom/sdm845-db845c.dts | put $new
edit arch/arm64/boot/dts/qcom/Makefile \
	's/(sdm845-db845c.dtb)\n/$1 sdm845-respin.dtb\n/'
patch 'one more board'
append $new <<'END'
/ { respin@1 { compatible = "respin"; }; };
END
patch 'a warning of its own'
judge 'a new board' 1 --arch arm64 <<END
finding 3/3 warning $new - unit_address_vs_reg fails:arm64
END

# The ways of including of dtc; what no Makefile names; what nothing reads.
begin
edit arch/powerpc/boot/dts/mpc8308rdb.dts \
	's/(\/dts-v1\/;\n)/$1\/include\/ "respin.dtsi"\n/'
printf '/ { };\n' | put arch/powerpc/boot/dts/respin.dtsi
patch 'one that is there'
drop arch/powerpc/boot/dts/respin.dtsi
patch 'it goes'
printf '/dts-v1/;\n/ { };\n' | put arch/riscv/boot/dts/canaan/respin.dts
printf '/ { };\n' | put arch/riscv/boot/dts/canaan/respin.dtsi
patch 'left out'
judge 'other ways' 1 --arch powerpc,riscv <<END
finding 2/3 error arch/powerpc/boot/dts/mpc8308rdb.dts - - fails:powerpc
not-verified 3 arch/riscv/boot/dts/canaan/respin.dts: no Makefile names it: it was built by its name only
not-verified 3 arch/riscv/boot/dts/canaan/respin.dtsi: no device tree reads it
END

begin
printf '/* text */\n' | append $soc
patch 'another architecture'
judge 'another architecture' 2 --arch x86_64 <<END
not-verified 1 $soc: no variant of this run is of its architecture
END

finish
