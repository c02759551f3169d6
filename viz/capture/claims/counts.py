"""Counts, places and draws: ops without a derivative, so that their formula is all there is to say."""

from __future__ import annotations

from .words import Claims, Use, row, shaped


@row("bincount", "weighted_bincount")
def _bincount(use: Use) -> Claims:
    cut = use.settings["least"] or use.settings["most"] is not None
    weights = ", weights" * (use.name == "weighted_bincount")
    return Claims(f"bincount(x{weights}{f', {use.out[0]} places' if cut else ''})")


@row("confusion_matrix", "weighted_confusion_matrix")
def _confusion(use: Use) -> Claims:
    return Claims(f"confusion_matrix({', '.join(use.arguments)}, {use.settings['count']} places)")


@row("histogram_fixed_width", "in_top_k", "sequence_mask")
def _with_a_number(use: Use) -> Claims:
    number = next(use.settings[word] for word in ("parts", "k", "width") if word in use.settings)
    return Claims(f"{use.name}({', '.join(use.arguments)}, {number})")


@row("unravel_index")
def _unravelled(use: Use) -> Claims:
    return Claims(f"unravel_index(x, {shaped(use.settings['dims'])})")


@row("unique", "unique_with_counts")
def _unique(use: Use) -> Claims:
    return Claims(f"{use.name}(x)[0]")


@row("places", "invert_permutation")
def _places(use: Use) -> Claims:
    return Claims(f"{'where' if use.name == 'places' else use.name}(x)")


@row("categorical")
def _drawn(use: Use) -> Claims:
    noise = use.takes[1]
    if len(noise) == 2:
        return Claims("argmax(logits + noise, axis 1, kept)")
    logits = "logits" if noise[0] == 1 else f"reshape(logits, {shaped((noise[0], 1, noise[2]))})"
    return Claims(f"argmax({logits} + noise, axis 2)")
