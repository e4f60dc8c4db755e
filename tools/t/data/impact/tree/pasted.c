struct id a = VDEV(AMD, 1);
