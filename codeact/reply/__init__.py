"""What a model's reply means: the code to run, the answer, or one sentence to ask back with."""
