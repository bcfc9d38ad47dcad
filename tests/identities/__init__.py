"""The identities between the methods, as property tests."""
