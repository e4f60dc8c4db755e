// Rule: units-add
// Confidence: likely
// Summary: a number of pages is added to a byte address
// Explain: the sum is a few bytes further on, not a few pages. Multiply the
// Explain: number by PAGE_SIZE (of an unsigned long, so that it cannot wrap).

@units_add_nr@
expression S, N;
position p;
@@
\( S + N@p \| N@p + S \| S - N@p \| S += N@p \| S -= N@p \)

@script:python@
S << units_add_nr.S;
N << units_add_nr.N;
p << units_add_nr.p;
@@
if is_pages(N) and is_bytes(S, p):
    hit('units-add', p, "'%s' is in bytes, '%s' is a number of pages" % (c(S), c(N)))

// The entry pointer and the address of one call advance by the same index.
@units_add_index@
expression S, P;
identifier i, f;
position p;
@@
f(..., S + i@p, P + i, ...)

@script:python@
S << units_add_index.S;
P << units_add_index.P;
i << units_add_index.i;
p << units_add_index.p;
@@
if re.search(r'pte|pmd', c(P)) and is_bytes(S, p):
    hit('units-add', p, "'%s' is in bytes, '%s' counts the entries of '%s'"
        % (c(S), i, c(P)))

// The page and the address of one statement are found by the same index.
@units_add_page@
expression S;
identifier i;
position p;
@@
S + i@p

@script:python@
S << units_add_page.S;
i << units_add_page.i;
p << units_add_page.p;
@@
page = re.search(r'\b(folio_page|nth_page)\([^()]*\b%s\)' % i, around(p, 1, 1))
if page and ADDRESS.search(c(S)):
    hit('units-add', p, "'%s' is in bytes, '%s' counts pages" % (c(S), i))

@units_add_step@
expression S;
position p;
@@
\( S++@p \| ++S@p \| S += 1@p \)

@script:python@
S << units_add_step.S;
p << units_add_step.p;
@@
# The entry pointer moves in the same statement.
entry = re.search(r'(\w*(pte|pmd)\w*)\s*\+[+=]', around(p, 0, 0))
if entry and ADDRESS.search(c(S)):
    hit('units-add', p, "'%s' is in bytes and advances by one with the entry '%s'"
        % (c(S), entry[1]))

