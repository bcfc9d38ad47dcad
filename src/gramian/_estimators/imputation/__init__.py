"""Tables with missing values, completed by iterated PCA: behind `gm.missing` and `missing=`."""
