"""What predicts: logistic regression with a kernel, and models on principal components."""
