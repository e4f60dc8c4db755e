// Rule: unused
// Confidence: likely
// Summary: a local variable is not used
// Explain: what the compiler says as well, here also for code that no compiler
// Explain: sees. Remove it.

@initialize:python@ @@
# How often a function, and the macros of its file, name a variable.
def unused_count(p, name):
    word = re.compile(r'(?<!\bstruct )(?<!->)(?<!\.)\b%s\b' % name)
    macros = re.findall(r'^[ \t]*#[ \t]*define(?:\\\n|[^\n])*',
                        '\n'.join(source(p[0].file)), re.M)
    return len(word.findall(body(p))) + sum(len(re.findall(r'\b%s\b' % name, m))
                                            for m in macros)

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
        and not i.startswith('__')
        and not p[0].current_element.isupper()
        and int(p[0].current_element_line) < int(p[0].line)
        and not re.search(r'unused|##', around(p, 0, 1))
        and unused_count(p, i) == 1):
    hit('unused', p, "'%s' is not used" % i)

