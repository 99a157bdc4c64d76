"""What people read for an endpoint and its model."""

from desktop.core.settings import EndpointSettings
from desktop.ui.state.endpoint_entry import host_of


def endpoint_name(endpoint: EndpointSettings) -> str:
    """Return what people call the endpoint: its name, else the host of its address; empty for the demo model."""
    return endpoint.name.strip() or host_of(endpoint.base_url)


def model_label(endpoint: EndpointSettings) -> str:
    """Return the model with its endpoint's name, for example ``qwen3:8b · Ollama``; empty for the demo model."""
    model, name = endpoint.model.strip(), endpoint.name.strip()
    return f"{model} · {name}" if model and name and name != model else model or endpoint_name(endpoint)
