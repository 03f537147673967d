"""What happens to the activations of many tokens between the matrix products, and their attention's softmax.

Each kernel takes a range of tokens (or heads), so that the threads of a pool share the work; all is float32 by address
with strides in bytes, except the activations made ready for `gemm.py`.
"""

import numpy as np

_TINY = np.float32(1e-20)
_LOWEST = np.float32(-1e30)
