"""A page to download: translations side by side in one HTML file that steps without a server."""

from collections.abc import Sequence

from regard.app.components.shared.head import Head
from regard.app.export.page import page
from regard.app.ui.download import download
from regard.model.posterior_attention import Posterior
from regard.model.trace import AnyTrace


def page_download(
    traces: Sequence[AnyTrace], name: str, heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> None:
    """Draw the button for a file of this name; `heads` gives the head shown for each translation, if any; with
    `posteriors`, the page opens with them."""
    download(
        "Page (HTML)",
        lambda: page(traces, heads, posteriors),
        f"{name}.html",
        "All of it in one file, to step through without a server",
        key=f"page-{name}",
    )
