int f(void) { struct outer o = { }; return o.room[0]; }
