struct s { int m; };
