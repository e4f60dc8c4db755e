// Rule: units-arg
// Confidence: likely
// Summary: a difference of byte addresses is used as a number of pages
// Explain: the callee takes that many pages or page table entries, 4096 times
// Explain: what is meant, and leaves the page table. Shift the difference by
// Explain: PAGE_SHIFT.

@units_arg_call@
expression E1, E2;
identifier f;
expression list[n] before;
position p;
@@
f@p(before, E1 - E2, ...)

@script:python@
E1 << units_arg_call.E1;
E2 << units_arg_call.E2;
f << units_arg_call.f;
n << units_arg_call.n;
p << units_arg_call.p;
@@
if takes_pages(f, n) and is_bytes(E1, p) and is_bytes(E2, p):
    hit('units-arg', p, "'%s - %s' is in bytes, %s() takes a number of pages there"
        % (c(E1), c(E2), f))

@units_arg_set@
expression N, E1, E2;
position p;
@@
N =@p E1 - E2

@script:python@
N << units_arg_set.N;
E1 << units_arg_set.E1;
E2 << units_arg_set.E2;
p << units_arg_set.p;
@@
if is_pages(N) and is_bytes(E1, p) and is_bytes(E2, p):
    hit('units-arg', p, "'%s - %s' is in bytes, '%s' is a number of pages"
        % (c(E1), c(E2), c(N)))

@units_arg_entry@
expression P, E1, E2;
position p;
@@
(
 P + (E1 -@p E2)
|
 P - (E1 -@p E2)
|
 P += E1 -@p E2
|
 P -= E1 -@p E2
)

@script:python@
P << units_arg_entry.P;
E1 << units_arg_entry.E1;
E2 << units_arg_entry.E2;
p << units_arg_entry.p;
@@
if re.search(r'ptep?$', c(P)) and is_bytes(E1, p) and is_bytes(E2, p):
    hit('units-arg', p, "'%s - %s' is in bytes, '%s' steps by entries"
        % (c(E1), c(E2), c(P)))

