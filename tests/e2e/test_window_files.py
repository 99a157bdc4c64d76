"""A picture and a PDF in the real window, with the real core behind it and a real model endpoint."""

import base64
import json
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.core.settings import EndpointSettings
from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.files_to_attach import GPS_WORDS, pdf_with, picture_bytes, with_exif, written
from tests.support.shell_app import BUNDLED_SERVER
from tests.support.waiting import until


async def test_files_go_from_the_clipboard_to_the_endpoint(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    written(data / "settings.json", json.dumps({"schema_version": 2, "bundled_servers_off": [BUNDLED_SERVER]}).encode())
    picture = written(tmp_path / "tower.jpg", with_exif(picture_bytes("JPEG"), orientation=6))
    pdf = written(tmp_path / "report.pdf", pdf_with("Seventeen bushels"))
    async with LoopbackEndpoint([[text("A tower, and bushels.")], [text("Tower")]]) as endpoint:
        launch = LaunchOptions(data_dir=data, endpoint=EndpointSettings(base_url=endpoint.base_url, model="test-model"))
        reporter = ErrorReporter()
        session = WindowSession(qapp, WindowCommand(launch=launch, theme="light", language="en"), reporter)
        await session.open()
        try:
            window = session.presenter.window
            mime = QMimeData()
            mime.setUrls([QUrl.fromLocalFile(str(path)) for path in (picture, pdf)])
            window.composer.edit.insertFromMimeData(mime)
            await until(lambda: len(window.composer.files.names()) == 2 and not window.composer.files.is_reading)
            QTest.keyClicks(window.composer.edit, "What is this?")
            window.composer.button.click()
            await until(lambda: bool(endpoint.chats))
            await until(lambda: session.presenter.thread_id is not None)
            thread_id = session.presenter.thread_id or ""
            await until(lambda: session.container.chat.run_of(thread_id) is None)
            words, shown = endpoint.chats[0].body["messages"][-1]["content"]
            assert "Seventeen bushels" in words["text"]
            sent = base64.b64decode(shown["image_url"]["url"].removeprefix("data:image/jpeg;base64,"))
            assert GPS_WORDS not in sent
            assert QImage.fromData(sent).height() == 60
            *_, answer = await session.container.store.threads.path(thread_id)
            assert answer.text == "A tower, and bushels."
            assert endpoint.problems == []
        finally:
            await session.close()
