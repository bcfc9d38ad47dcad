"""What RELIABILITY asks for, checked against exact arithmetic and brute force."""
