int AMD;
