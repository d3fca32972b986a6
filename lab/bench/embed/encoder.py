"""Sentence embeddings by all-MiniLM-L6-v2 (BERT) and all-mpnet-base-v2 (MPNet) with NumPy alone, from the weights that
their packages carry. It computes what the library sentence-transformers computes (test_encoder.py compares with its
documentation), but needs no PyTorch, whose package for Linux brings gigabytes of GPU libraries."""
import json
import math
import os

import numpy
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

BATCH = 1024  # tokens; more does not fit in the cache of a core


class Encoder:
    """A model in a folder with config.json, tokenizer.json and model.safetensors."""

    def __init__(self, folder):
        def read(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return json.load(file)

        config = read("config.json")
        self.mpnet = config["model_type"] == "mpnet"
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.buckets = config.get("relative_attention_num_buckets")
        self.weights = load_file(os.path.join(folder, "model.safetensors"))
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(read("sentence_bert_config.json")["max_seq_length"])

    def encode(self, texts):
        """Return a row of length 1 for each text."""
        ids = [e.ids for e in self.tokenizer.encode_batch(texts)]
        out = numpy.empty((len(ids), self.weights["embeddings.word_embeddings.weight"].shape[1]), numpy.float32)
        by_length = {}  # texts of one length make a batch without padding
        for i, text in enumerate(ids):
            by_length.setdefault(len(text), []).append(i)
        for length, same in by_length.items():
            size = max(1, BATCH // length)
            for start in range(0, len(same), size):
                batch = same[start : start + size]
                out[batch] = self.forward(numpy.array([ids[i] for i in batch]))
        return normalised(out)

    def forward(self, ids):
        """Return the mean of the last hidden states of the tokens of each text."""
        length = ids.shape[1]
        first = 2 if self.mpnet else 0  # position of the first token
        x = self.weights["embeddings.word_embeddings.weight"][ids]
        x = x + self.weights["embeddings.position_embeddings.weight"][first : first + length]
        if not self.mpnet:
            x += self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        bias = self.bias(length)
        for i in range(self.layers):
            layer = f"encoder.layer.{i}."
            x = self.attend(x, layer + "attention.", bias)
            wide = self.dense(x, layer + "intermediate.dense")
            wide *= 0.5 * (1 + erf(wide * numpy.float32(math.sqrt(0.5))))  # GELU
            x = self.norm(x + self.dense(wide, layer + "output.dense"), layer + "output.LayerNorm")
        return x.mean(axis=1)

    def attend(self, x, layer, bias):
        names = ["attn.q", "attn.k", "attn.v", "attn.o"]
        norm = "LayerNorm"
        if not self.mpnet:
            names, norm = ["self.query", "self.key", "self.value", "output.dense"], "output.LayerNorm"
        texts, length, width = x.shape
        q, k, v = (
            self.dense(x, layer + name).reshape(texts, length, self.heads, -1).transpose(0, 2, 1, 3) for name in names[:3]
        )
        a = q @ k.transpose(0, 1, 3, 2) * numpy.float32(1 / math.sqrt(width // self.heads)) + bias
        a = numpy.exp(a - a.max(axis=-1, keepdims=True))
        a /= a.sum(axis=-1, keepdims=True)
        mixed = (a @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        return self.norm(x + self.dense(mixed, layer + names[3]), layer + norm)

    def bias(self, length):
        """Return what MPNet adds to the attention by the distance of two tokens, in buckets that grow as it does."""
        if not self.mpnet:
            return numpy.float32(0)
        distance = numpy.arange(length)[:, None] - numpy.arange(length)[None, :]
        half = self.buckets // 2
        near = half // 2
        far = numpy.maximum(abs(distance), 1) / near
        bucket = near + (numpy.log(far) / math.log(128 / near) * (half - near)).astype(int)
        bucket = numpy.where(abs(distance) < near, abs(distance), numpy.minimum(bucket, half - 1))
        bucket += half * (distance < 0)
        return self.weights["encoder.relative_attention_bias.weight"][bucket].transpose(2, 0, 1)

    def dense(self, x, name):
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[name + ".weight"].T
        flat += self.weights[name + ".bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def norm(self, x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x /= numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + numpy.float32(self.epsilon))
        x *= self.weights[name + ".weight"]
        x += self.weights[name + ".bias"]
        return x


def normalised(rows):
    return rows / numpy.linalg.norm(rows, axis=-1, keepdims=True)
