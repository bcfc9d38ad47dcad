"""The methods, as scikit-learn estimators: each says which Gram operator it means."""
