"""Attention over vectors as they are, without making keys and values of them; exact, for scoring.

    (W_q q + b_q)_h . (W_k d + b_k)_h  =  (W_k,h^T (W_q q + b_q)_h) . d  +  what is the same for all d
    sum_d a_d (W_v d + b_v)_h          =  W_v,h (sum_d a_d d) + b_v,h

Softmax does not see what is the same for all d, and its weights a sum to one. So W_k moves to the query and W_v behind
the pooling: for q queries and n heads over m vectors of d numbers 2 q n m d products in place of 2 m d^2. It pays where
q n < d, and where what is attended over is all there is.
"""

import torch
from torch import Tensor

from clir_cli.encoders.layer import Attention


def attend_absorbed(attention: Attention, q: Tensor, over: Tensor, mask: Tensor | None) -> Tensor:
    """``attention.attend`` without dropout: ``q`` [1 or B, q, d] over ``over`` [B, m, d] -> [B, q, d].

    ``mask`` boolean [B, m], False at padding, None where there is none.
    """
    heads, width = attention.heads, over.shape[-1]
    batch, length = len(over), q.shape[1]
    asked = attention.split(attention.query(q)) * (width // heads) ** -0.5  # [1 or B, n, q, d/n]
    by_head = attention.key.weight.view(heads, -1, width)  # [n, d/n, d]
    absorbed = (asked.transpose(0, 1).flatten(1, 2) @ by_head).view(heads, len(q), length, width)
    absorbed = absorbed.transpose(0, 1).reshape(len(q), heads * length, width)  # [1 or B, n q, d]
    scores = absorbed.expand(batch, -1, -1) @ over.transpose(1, 2)  # [B, n q, m]
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    pooled = scores.softmax(dim=-1) @ over  # [B, n q, d]
    pooled = pooled.view(batch, heads, length, width).transpose(0, 1).flatten(1, 2)  # [n, B q, d]
    found = pooled @ attention.value.weight.view(heads, -1, width).transpose(1, 2)  # [n, B q, d/n]
    found = found.view(heads, batch, length, -1).permute(1, 2, 0, 3).flatten(2) + attention.value.bias
    output: Tensor = attention.output(found)
    return output
