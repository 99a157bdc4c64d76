"""Addresses that are nearly right: which one is offered instead."""

import asyncio

import pytest

from desktop.core.error_texts import english
from desktop.providers.address_slips import suggested_address
from desktop.providers.addresses import parse_address
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from tests.support.endpoint import LoopbackEndpoint, status
from tests.support.model_streams import receive


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:11434/api", "http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:11434/api/chat", "http://127.0.0.1:11434/v1"),
        ("http://localhost:1234/api/v0", "http://localhost:1234/v1"),
        ("http://10.0.0.5:8000/v1/v1", "http://10.0.0.5:8000/v1"),
        ("https://gateway.example/llm", "https://gateway.example/llm/v1"),
        ("https://gateway.example/llm/v1", ""),
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://chatgpt.com/c/123", "https://api.openai.com/v1"),
        ("https://platform.openai.com/", "https://api.openai.com/v1"),
        ("https://chat.deepseek.com", "https://api.deepseek.com/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/v1", "https://openrouter.ai/api/v1"),
        ("https://www.openrouter.ai/v1", "https://openrouter.ai/api/v1"),
        ("https://dashscope.aliyuncs.com/api/v1", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
        ("https://open.bigmodel.cn/v1", "https://open.bigmodel.cn/api/paas/v4"),
        ("https://api.groq.com/v1", "https://api.groq.com/openai/v1"),
        (
            "https://generativelanguage.googleapis.com/v1beta",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        ("https://my.openai.azure.com/openai/deployments/x", "https://my.openai.azure.com/openai/v1"),
        ("https://api.openai.com/v1", ""),
        ("https://openrouter.ai/api/v1", ""),
    ],
)
def test_what_was_probably_meant(given: str, meant: str) -> None:
    assert suggested_address(parse_address(given)) == meant


async def test_it_is_offered_when_the_address_does_not_answer() -> None:
    html = status(200, "<html><body>Welcome</body></html>", {"content-type": "text/html"})
    for answer in (status(404, "404 page not found"), status(405, {"detail": "Method Not Allowed"}), html):
        async with LoopbackEndpoint([[answer]]) as endpoint:
            base_url = endpoint.base_url + "/v1"
            model = OpenAILanguageModel(base_url=base_url, model="m", patience=NO_PATIENCE)
            received = await receive(model)
            await model.close()
        assert received.error is not None
        assert received.code == "model.wrong_address"
        assert received.error.params["suggestion"] == endpoint.base_url
        assert endpoint.base_url in english(received.code, received.error.params).detail


async def test_a_model_that_is_not_there_is_no_wrong_address() -> None:
    async with LoopbackEndpoint(
        [[status(404, {"error": {"message": "model 'm' not found", "code": 404}})]]
    ) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url + "/v1", model="m", patience=NO_PATIENCE)
        received = await receive(model)
        await model.close()
    assert received.code == "model.no_such_model"


async def test_a_server_without_tls_is_offered_without() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        model = OpenAILanguageModel(base_url=f"https://127.0.0.1:{port}/v1", model="m", patience=NO_PATIENCE)
        received = await receive(model)
        await model.close()
    assert received.code == "model.unreachable"
    assert received.error is not None
    assert received.error.params["suggestion"] == f"http://127.0.0.1:{port}/v1"
