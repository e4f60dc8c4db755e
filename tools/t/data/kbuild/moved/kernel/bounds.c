int bounds;
