"""Us and the peers on the same data: time, memory and accuracy side by side (`gramian bench`)."""
