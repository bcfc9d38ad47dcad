"""The local app: a server on the loopback interface, and the pages that it serves."""
