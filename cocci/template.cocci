// Rule: template
// Confidence: likely
// Summary: one line that says what is wrong
// Explain: what happens because of it, in words of the field, and what to do.
// Explain: As many lines as it takes; this file is no rule, it is copied.

@template_call exists@
identifier f =~ "^function_that_is_called$";
expression x;
position p, q;
@@
 x = f@p(...)
 ... when != x
 return@q ...;

@script:python@
f << template_call.f;
x << template_call.x;
p << template_call.p;
q << template_call.q;
@@
hit('template', p, "'%s' of %s() is not looked at" % (c(x), f), q)

