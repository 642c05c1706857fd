"""The Transformer: an encoder and a decoder of attention alone.  Vaswani et al. (2017), section 3.

Reading order: attention (and the other parts of a layer), layers (encoder and decoder), transformer (configuration,
network and tracing), checkpoint (and the shipped models); trace loads without torch. Layer normalisation comes first in
every part of a layer ("pre-norm", Xiong et al. 2020), x + part(LayerNorm(x)), where the paper has LayerNorm(x +
part(x)): it learns at a higher rate and needs less warm-up.

Dimension letters in addition to those of `model`; E, the components of an annotation, is D here:

    L  layers      N  attention heads      Q  components of a query, a key or a value: D / N
    F  components of the feed-forward network's hidden vector
"""
