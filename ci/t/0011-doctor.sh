#!/bin/sh
# After ci/setup all is there; a tool that is taken away is named.
. "$(dirname "$0")/lib.sh"

doctor() {
	run respin -c respin.cacheDir="$real_cache" doctor "$@"
}

doctor
is 'all is there: exit status, stderr' "$status $(cat "$err")" '0 '
is 'all is there: the last line' "$(tail -n 1 "$out")" 'all is there'
check 'nothing is missing' sh -c '! grep -q "^missing\|^broken" "$0"' "$out"
for arch in x86_64 arm64 powerpc riscv; do
	check "the compiler of $arch" grep -q "^ok  *gcc $arch  *[0-9]" "$out"
done

doctor --arch arm64
is '--arch: exit status' "$status" 0
is '--arch: only that' "$(sed -n 's/^ok  *gcc \([a-z][a-z0-9_]*\) .*/\1/p' "$out")" arm64
doctor --arch x86_64,vax
is 'unknown arch: exit status, stdout' "$status $(cat "$out")" '2 '
check 'unknown arch: it is named' \
	grep -q "^respin doctor: unknown arch 'vax'; there are x86_64, " "$err"

# Without flex and bc: both are empty files now, which nobody can run.
run bwrap --dev-bind / / --ro-bind /dev/null /usr/bin/flex \
	--ro-bind /dev/null /usr/bin/bc \
	respin -c respin.cacheDir="$real_cache" doctor
is 'without flex: exit status' "$status" 2
check 'without flex: flex is missing' grep -q '^missing  flex ' "$out"
check 'without flex: bc is missing' grep -q '^missing  bc ' "$out"
check 'without flex: bison is there' grep -q '^ok  *bison ' "$out"
is 'without flex: one line installs both' "$(grep apt-get "$out")" \
	'to install what is missing, as root: apt-get install flex bc'

# Configuration
printf '[respin]\n\tarchs = x86_64\n' >"$HOME/.gitconfig"
doctor
is 'a slip in a key: exit status' "$status" 2
is 'a slip in a key: it is named' "$(tail -n 1 "$out")" \
	"configuration: there is no 'respin.archs' in '$HOME/.gitconfig'; see respin(1)"
printf '[respin]\n\tarches = riscv\n' >"$HOME/.gitconfig"
doctor
check 'respin.arches: riscv is looked for' grep -q '^ok  *gcc riscv ' "$out"
check 'respin.arches: arm64 is not' sh -c '! grep -q "gcc arm64" "$0"' "$out"
printf '[respin\n' >"$HOME/.gitconfig"
doctor
is 'a broken file: exit status' "$status" 2
check 'a broken file: it is named' \
	grep -q "^respin doctor: cannot read the configuration '$HOME/.gitconfig': " "$err"

finish
