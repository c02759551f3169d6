"""One picture language: every colour, mark and word that any view uses, said once.

Shape and line say what a thing is; colour only repeats it, so that the pictures survive grey paper and colour-blind eyes.
The hues are Okabe and Ito's, darkened on paper and lightened on the dark ground until text in them reads.
"""

from __future__ import annotations

PALETTE: dict[str, dict[str, str]] = {
    "light": {
        "bg": "#ffffff", "soft": "#f5f6f8", "ink": "#1a1f26", "mute": "#5d6672", "faint": "#a9b0ba", "line": "#dfe3e8",
        "value": "#0067a5", "gradient": "#bd4b00", "gradient2": "#93407a", "tangent": "#00785a", "tangent2": "#93407a",
        "replay": "#8a5f00", "tape": "#0067a5",
        "tint": "rgba(0,103,165,.055)", "gradient-tint": "rgba(189,75,0,.07)", "tangent-tint": "rgba(0,120,90,.07)",
        "second-tint": "rgba(147,64,122,.07)", "replay-tint": "rgba(240,170,0,.15)", "halo": "rgba(26,31,38,.16)",
        "m-variable": "#b9c0c9", "m-python": "#8a94a1", "m-tape": "#0072b2", "m-accumulator": "#00664c", "m-flight": "#d55e00",
    },
    "dark": {
        "bg": "#13161b", "soft": "#1c2027", "ink": "#e9ecf0", "mute": "#a0a9b5", "faint": "#5c6673", "line": "#323942",
        "value": "#6fbcf5", "gradient": "#ff9a55", "gradient2": "#e79bcd", "tangent": "#45d0a1", "tangent2": "#e79bcd",
        "replay": "#f2bd4a", "tape": "#6fbcf5",
        "tint": "rgba(111,188,245,.075)", "gradient-tint": "rgba(255,154,85,.08)", "tangent-tint": "rgba(69,208,161,.08)",
        "second-tint": "rgba(231,155,205,.08)", "replay-tint": "rgba(242,189,74,.14)", "halo": "rgba(233,236,240,.22)",
        "m-variable": "#48515d", "m-python": "#76818f", "m-tape": "#4aa3e0", "m-accumulator": "#45d0a1", "m-flight": "#f0813a",
    },
}  # fmt: skip

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", "Noto Sans CJK SC", Arial, sans-serif'
MONO = (
    'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace'
)

# mark: (what it says, the role whose colour repeats it)
MARKS: dict[str, tuple[str, str]] = {
    "enter": ("starts listening", "tape"),
    "exit": ("stops listening", "tape"),
    "pause": ("pauses", "tape"),
    "resume": ("goes on listening", "tape"),
    "watch": ("watches a value", "tape"),
    "op": ("op, written down", "value"),
    "ghost": ("op, not written down", "mute"),
    "seed": ("the way back starts", "gradient"),
    "back": ("backward step", "gradient"),
    "seed2": ("the way back of an outer recorder starts", "gradient2"),
    "back2": ("backward step of an outer recorder", "gradient2"),
    "tangent": ("tangent", "tangent"),
    "tangent2": ("tangent of an outer accumulator", "tangent2"),
    "replay": ("op, run again", "replay"),
    "rebuild": ("op, run backwards to rebuild a value", "replay"),
    "look": ("look-up", "ink"),
    "miss": ("look-up that finds nothing", "ink"),
    "free": ("lets go", "tape"),
    "write": ("a variable changes", "ink"),
}

# holder of bytes: its words in the memory legend, bottom of the stack first
HOLDERS: dict[str, str] = {
    "variable": "variables",
    "python": "Python names",
    "tape": "tapes",
    "accumulator": "accumulators",
    "flight": "in flight",
}

# kind of cell: its words in the legend
CELLS: dict[str, str] = {
    "value": "value, forward",
    "gradient": "gradient, back",
    "gradient2": "gradient of an outer tape",
    "tangent": "tangent",
    "tangent2": "tangent of an outer accumulator",
}

# kind of region: the role that tints it
REGIONS: dict[str, str] = {
    "tape": "tint",
    "gradient": "gradient-tint",
    "gradient2": "second-tint",
    "tangent": "tangent-tint",
    "tangent2": "second-tint",
    "recompute": "soft",
    "rebuild": "soft",
    "custom": "soft",
    "name": "soft",
}

# sizes of a card, in px; the layout, the static picture and the player all draw with these
ROW, PAD, DISC, CHAR, LABEL_CHAR, PIXEL = 21, 9, 30, 7.4, 6.6, 9

NOT_YET, NEVER, CUT, OWN_RULE = "·", "∅", "None", "✎"


def css_variables() -> str:
    """The palette as CSS custom properties of `.mt`: by system preference, or by `data-theme` on it."""

    def block(selector: str, theme: str) -> str:
        return selector + "{" + "".join(f"--{name}:{colour};" for name, colour in PALETTE[theme].items()) + "}"

    fonts = f".mt{{--sans:{SANS};--mono:{MONO};}}"
    dark = block(".mt:not([data-theme=light])", "dark")
    return "\n".join(
        [
            fonts,
            block(".mt", "light"),
            f"@media (prefers-color-scheme: dark){{{dark}}}",
            block(".mt[data-theme=dark]", "dark"),
        ]
    )
