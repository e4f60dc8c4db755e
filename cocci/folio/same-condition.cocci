// Rule: same-condition
// Confidence: likely
// Summary: the same property of a folio is tested twice on one path
// Explain: the first test decides already, so the second, or with it the lock that
// Explain: is taken between them, does nothing, or the first was not meant for all
// Explain: folios. Keep the one that belongs there.

@same_condition_two exists@
identifier f =~ "mapcount|ref_count|nr_pages|mapped_shared";
identifier g;
expression x, E;
position p, q;
statement S1, S2;
@@
(
 if@p (f(x) != g(x)) S1
 ... when != x = E
 if@q (f(x) != g(x)) S2
|
 if@p (f(x) == g(x)) S1
 ... when != x = E
 if@q (f(x) == g(x)) S2
)

@script:python@
f << same_condition_two.f;
g << same_condition_two.g;
x << same_condition_two.x;
p << same_condition_two.p;
q << same_condition_two.q;
@@
if not same_place(p, q):
    hit('same-condition', p, "%s(%s) is tested against %s(%s) again"
        % (f, c(x), g, c(x)), q)

@same_condition_one exists@
identifier f =~ "mapcount|mapped_shared|ref_count";
expression x, E, K;
position p, q;
statement S1, S2;
@@
(
 if@p (f(x)) S1
 ... when != x = E
 if@q (f(x)) S2
|
 if@p (f(x) != K) S1
 ... when != x = E
 if@q (f(x) != K) S2
|
 if@p (f(x) > K) S1
 ... when != x = E
 if@q (f(x) > K) S2
)

@script:python@
f << same_condition_one.f;
x << same_condition_one.x;
K << same_condition_one.K = "";
p << same_condition_one.p;
q << same_condition_one.q;
@@
if not same_place(p, q) and not re.match(r'\w+\s*\([^()]*\)$', c(K)):
    hit('same-condition', p, "%s(%s) is tested again" % (f, c(x)), q)

