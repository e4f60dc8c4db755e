# /* c */ include \
	<linux/only.h>
/* c */ #include "own.h"
