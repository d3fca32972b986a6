"""Compares the similarities of three sentences with those that the library sentence-transformers computes, to the four
digits that its documentation prints: test_encoder.py MODEL, with MODEL a folder."""
import sys

import numpy

from encoder import Encoder

SENTENCES = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
WANTED = {
    384: [[1.0000, 0.6660, 0.1046], [0.6660, 1.0000, 0.1411], [0.1046, 0.1411, 1.0000]],  # all-MiniLM-L6-v2
    768: [[1.0000, 0.6817, 0.0492], [0.6817, 1.0000, 0.0421], [0.0492, 0.0421, 1.0000]],  # all-mpnet-base-v2
}

rows = Encoder(sys.argv[1]).encode(SENTENCES)
numpy.testing.assert_allclose(rows @ rows.T, WANTED[rows.shape[1]], atol=1e-4)
