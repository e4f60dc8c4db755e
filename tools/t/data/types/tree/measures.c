void *f(void) { struct cb *c = alloc(sizeof(*c)); return c; }
