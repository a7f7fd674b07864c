"""A student of about 120 thousand random parameters, whose tokenizer is trained on the spot."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cwktrain.students import prepare_process

_HIDDEN, _LAYERS, _HEADS, _KEYS = 64, 2, 4, 2
_END, _PAD = "<|im_end|>", "<|endoftext|>"


def tiny_student(folder: Path, texts: Iterable[str], seed: int = 0) -> Path:
    """Writes a Qwen3 that knows nothing, with a vocabulary of the texts and no chat template; gives the folder."""
    prepare_process()
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    pairs = Tokenizer(models.BPE())
    pairs.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    pairs.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=[_PAD, "<|im_start|>", _END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    pairs.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=pairs, eos_token=_END, pad_token=_PAD)
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=_HIDDEN,
        intermediate_size=3 * _HIDDEN,
        num_hidden_layers=_LAYERS,
        num_attention_heads=_HEADS,
        num_key_value_heads=_KEYS,
        head_dim=_HIDDEN // _HEADS,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
