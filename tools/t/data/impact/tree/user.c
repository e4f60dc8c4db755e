int u = rt_inline(1);
int w = innocent(2);
