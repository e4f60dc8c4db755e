#define NOT_SIZE 1
struct s {
	char a[SIZE];
	int (*member_name)(int x);
};

struct z {
#ifdef CONFIG_Z
	int z;
#endif
};
#ifdef CONFIG_Z
int with_z(void);
#endif
