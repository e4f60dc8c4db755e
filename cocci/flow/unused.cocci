// Rule: unused
// Confidence: likely
// Summary: a local variable is not used
// Explain: what the compiler says as well, here also for code that no compiler
// Explain: sees. Remove it.

@unused disable decl_init@
type T;
identifier i;
position p;
@@
(
 T i@p;
|
 T i@p = ...;
)

@script:python@
i << unused.i;
p << unused.p;
@@
if (p[0].current_element not in ('something_else', i)
        and int(p[0].current_element_line) < int(p[0].line)
        and len(re.findall(r'(?<!struct )(?<!->)(?<!\.)\b%s\b' % i, body(p))) == 1
        and not re.search(r'unused|##', around(p, 0, 1))):
    hit('unused', p, "'%s' is not used" % i)

