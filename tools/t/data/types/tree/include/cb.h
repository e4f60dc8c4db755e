struct cb {
	union {
		struct parm h4;
		long h6;
	};
};
typedef struct cb cb_t;
struct outer {
	cb_t __packed cb[2];
	char room[PARM_SIZE];
};
#define CB(x) ((struct cb *)(x))
