int a = HELPED(out);
