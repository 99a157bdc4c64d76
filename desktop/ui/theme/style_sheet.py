"""The application's one style sheet, made from the tokens: the common controls, then what each room adds."""

from desktop.ui.theme.control_images import control_images
from desktop.ui.theme.control_style import control_style
from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens
from desktop.ui.theme.window_style import window_style


def style_sheet(tokens: Tokens, sizes: Sizes) -> str:
    """Return the whole style sheet for these colours and sizes."""
    # Not at the top of the module: these rooms import the theme, which imports this.
    from desktop.ui.comparison.style import comparison_style
    from desktop.ui.composer.style import composer_style
    from desktop.ui.dialogs.style import dialogs_style
    from desktop.ui.endpoints.style import endpoints_style
    from desktop.ui.memory.style import memory_style
    from desktop.ui.settings.style import settings_style
    from desktop.ui.transcript.style import transcript_style

    return "\n".join(
        (
            control_style(tokens, sizes, control_images(tokens).urls),
            window_style(tokens, sizes),
            transcript_style(tokens, sizes),
            comparison_style(tokens, sizes),
            composer_style(tokens, sizes),
            dialogs_style(tokens, sizes),
            settings_style(tokens, sizes),
            endpoints_style(tokens, sizes),
            memory_style(tokens, sizes),
        )
    )
