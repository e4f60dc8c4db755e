struct id a = VDEV(INTEL, 1);
