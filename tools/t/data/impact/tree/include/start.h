int start(int x);
