"""What Sphinx is told. `build` gathers the pages; here is only how they look."""

import gc
from functools import cache

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import toctree

# Pages are trees of nodes that know each other, and stay to the end: to look for garbage among them takes a quarter of the time.
gc.disable()

project = "minitape"
author = copyright = "the minitape authors"  # noqa: A001
extensions = ["myst_nb", "sphinx_copybutton"]
exclude_patterns = ["docs/site/**"]

html_theme = "furo"
html_title = "minitape"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_search_summary = False  # it would fetch pages, which a browser refuses on file://
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}

nb_execution_mode = "off"  # the notebooks are stored with their outputs, and a test keeps these true
# A widget's view needs a kernel; the still beside it does not.
nb_mime_priority_overrides = [
    ("html", "application/vnd.jupyter.widget-view+json", None),
    ("html", "text/html", 0),
]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
html_math_renderer = "mathml"
default_role = "literal"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "github-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ |    "
copybutton_prompt_is_regexp = True
suppress_warnings = ["misc.highlighting_failure"]  # a cell that is wrong on purpose (a bug clinic) is no Python


def setup(app):
    """Formulas are MathML, which browsers set by themselves: nothing is fetched from anywhere. Lessons have the player."""

    def shown(writer, node, block):
        writer.body.append(tex2mathml(node.astext(), as_block=block))
        raise nodes.SkipNode

    inline = (lambda writer, node: shown(writer, node, False)), None
    block = (lambda writer, node: shown(writer, node, True)), None
    app.add_html_math_renderer("mathml", inline, block)

    def plays(app, page, *_):
        if page.startswith("notebooks/"):
            app.add_css_file("course.css")
            app.add_js_file("course.js", loading_method="defer")

    app.connect("html-page-context", plays)

    @cache
    def titles():
        short = {name: parts.deepcopy() for name, parts in app.env.tocs.items()}
        for parts in short.values():
            for part in parts:
                if len(part) > 1 and not [*part.findall(toctree)]:
                    part.pop(1)
        return short

    def listed(app, page, template, context, tree):
        """Beside each page stand the titles of all pages.  Sphinx would copy what is in each of them too, and throw that
        away: a third of its time."""
        drawn = context["toctree"]

        def sidebar(**how):
            whole, app.env.tocs = app.env.tocs, titles()
            try:
                return drawn(**how)
            finally:
                app.env.tocs = whole

        context["toctree"] = sidebar

    app.connect("html-page-context", listed, priority=400)  # before the theme draws it
