"""What Sphinx is told. `build` gathers the pages; here is only how they look."""

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
myst_enable_extensions = ["attrs_inline", "colon_fence"]
default_role = "literal"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ |    "
copybutton_prompt_is_regexp = True
suppress_warnings = ["misc.highlighting_failure"]  # a cell that is wrong on purpose (a bug clinic) is no Python
