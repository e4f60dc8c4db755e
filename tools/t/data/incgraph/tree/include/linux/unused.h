/* #include <linux/mm.h> */
int x; #include <linux/mm.h>
