int d = PCI_ID_AMD;
