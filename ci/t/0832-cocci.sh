#!/bin/sh
# The rules of Coccinelle on the samples; what they cannot look at; tools that are
# missing or do not work.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"
git config --global --unset respin.skip

# of SAMPLE [OPTION...]: the facts of a sample, on x86_64.
of() {
	sample=$1
	shift
	run respin ${before:-} check --tree "$tree" --arch x86_64 \
		--json "$tmp/report.json" "$@" \
		"$root/patches/$sample/series.mbox"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' >"$tmp/facts"
}

of lazyfree --check cocci,kernel-doc
is 'lazyfree: status' "$status" 1
is 'lazyfree: facts' "$(cat "$tmp/facts")" "$(cat <<-'END'
	also 2/3 warning arch/arm64/mm/contpte.c contpte_clear_dirty_ptes units-arg fails:host
	finding 1/3 warning include/linux/pgtable.h clear_dirty_ptes - fails:host
	finding 2/3 warning arch/arm64/mm/contpte.c contpte_clear_dirty_ptes units-add fails:host
	finding 3/3 warning mm/madvise.c madvise_free_pte_range same-condition fails:host
	END
)"
check 'lazyfree: in bytes and pages' grep -q "in bytes, 'nr' is a number" "$out"

# Without any compiler they still name what the compilers do.
before='-c respin-toolchain.x86_64.crossCompile=nowhere-'
of mprotect-batch --skip header-order,helper-override
before=
is 'no compiler: status' "$status" 1
is 'no compiler: facts' "$(grep ' cocci\|ordering\|unused' "$tmp/facts")" "$(cat <<-'END'
	finding 3/7 warning include/linux/pgtable.h modify_prot_commit_ptes ordering fails:host
	finding 3/7 warning include/linux/pgtable.h modify_prot_start_ptes ordering fails:host
	finding 6/7 warning mm/mprotect.c can_change_ptes_writable unused fails:host
	END
)"
check 'no compiler: said' grep -q '^NOT VERIFIED  x86_64-defconfig: ' "$out"

for sample in respun right; do
	of $sample --check cocci,kernel-doc
	is "$sample: status" "$status" 0
	is "$sample: facts" "$(cat "$tmp/facts")" ''
done

# An entry that is taken and not written back.
begin
edit include/linux/pgtable.h 's/(\tclear_young_dirty_ptes\(|void clear_young_dirty_ptes\(.*?)\n\t+set_pte_at\([^;]*;/$1/s'
patch 'mm: no set_pte_at()'
judge 'lost' 1 --check cocci <<-'END'
	finding 1/1 warning include/linux/pgtable.h clear_young_dirty_ptes lost-writeback fails:host
	END

# A function that spatch cannot parse is not verified, if the patch touches it.
begin
edit arch/riscv/include/asm/pgtable.h 's/\twhile \(nr--\)\n/\t\/* all of them *\/\n$&/'
patch 'riscv: mm: a comment'
judge 'not parsed' 2 --check cocci <<-'END'
	not-verified 1 arch/riscv/include/asm/pgtable.h update_mmu_cache_range(): spatch cannot parse it
	END
begin
edit arch/riscv/include/asm/pgtable.h 's/\nstatic inline pte_t pte_mkold/\n\/* old *\/$&/'
patch 'riscv: mm: a comment elsewhere'
judge 'not parsed, not touched' 0 --check cocci </dev/null

# Tools that are not there, fail, or never come to an end.
fake() {
	printf '#!/bin/sh\ncase $1 in --version) echo fake 1.0; exit;; esac\n%s\n' "$2" \
		>"$tmp/$1"
	chmod 755 "$tmp/$1"
}
begin
c respin_tools | append mm/mlock.c
patch 'mm/mlock: a function'
fake spatch 'echo "minus: parse error" >&2; exit 255'
before="-c respin-tool.spatch.path=$tmp/spatch"
judge 'a rule that does not parse' 2 --check cocci <<-'END'
	not-verified 1 mm/mlock.c: minus: parse error
	END
fake spatch 'echo "Py.find_library: unable to find the Python library" >&2; exit 255'
before="-c respin-tool.spatch.path=$tmp/spatch"
judge 'spatch without Python' 2 --check cocci <<-'END'
	not-verified 1 mm/mlock.c: spatch finds no Python library; apt-get install libpython3.11
	END
fake spatch 'sleep 100'
before="-c respin.timeout=2 -c respin-tool.spatch.path=$tmp/spatch"
judge 'spatch that does not end' 2 --check cocci <<-'END'
	not-verified 1 mm/mlock.c: prlimit: killed after its time limit of 2 s
	END
before="-c respin-tool.spatch.path=$tmp/nowhere"
judge 'no spatch' 2 --check cocci <<-END
	not-verified 0 cocci: '$tmp/nowhere' is not there; apt-get install coccinelle
	END
fake sparse 'echo "$1: fatal: something" >&2'
before="-c respin-tool.sparse.path=$tmp/sparse"
judge 'sparse that gives up' 2 --check gcc,sparse <<-'END'
	not-verified 1 mm/mlock.o: sparse says what respin does not understand: -D__linux__: fatal: something
	END
before="-c respin-tool.clang-tidy-19.path=$tmp/nowhere"
judge 'no clang-tidy' 2 --check gcc,clang-tidy <<-END
	not-verified 0 clang-tidy: '$tmp/nowhere' is not there; apt-get install clang-tidy-19
	END
finish
