int f(void) { DEFINE_PARM(o); return o.a; }
