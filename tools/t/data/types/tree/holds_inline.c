int f(void) { return parm_local(); }
