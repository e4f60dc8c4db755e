int f(void) { return first_parm.a; }
