"""The words for every error code, in English: what happened, what it means, what to do.

The UI translates them (context ``errors``); the command line prints them as they are. Placeholders in braces are
filled from the error's parameters.
"""

from collections.abc import Mapping

from desktop.core.api_error_texts import API_ERROR_TEXTS
from desktop.core.assistant_error_texts import ASSISTANT_ERROR_TEXTS
from desktop.core.backup_error_texts import BACKUP_ERROR_TEXTS
from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText, within
from desktop.core.model_error_texts import MODEL_ERROR_TEXTS
from desktop.core.picture_error_texts import PICTURE_ERROR_TEXTS
from desktop.core.session_error_texts import SESSION_ERROR_TEXTS

ERROR_TEXTS: Mapping[str, ErrorText] = {
    **MODEL_ERROR_TEXTS,
    **PICTURE_ERROR_TEXTS,
    **BACKUP_ERROR_TEXTS,
    **API_ERROR_TEXTS,
    **ASSISTANT_ERROR_TEXTS,
    **SESSION_ERROR_TEXTS,
    "storage.unwritable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The data folder cannot be written"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Changes cannot be saved now: {path}: {detail} Give yourself the right to write there, or start with another folder (--data-dir).",
        ),
    ),
    "storage.newer": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The database was made by a newer Threadwell"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{path} has version {found}; this program knows version {known}. It was left untouched. Update Threadwell, or choose another folder with --data-dir.",
        ),
    ),
    "storage.damaged": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The database was damaged"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Nothing of your chats could be read ({detail}). The file was kept as {kept_as}, and a new one was started. If you have a backup, restore it in the settings under Data.",
        ),
    ),
    "storage.full": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The disk is full"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The last change could not be saved in {path}; what was saved before is safe. Free some space, then try again.",
        ),
    ),
    "storage.failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The database could not be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{detail} The last change was not saved; what was saved before is safe. Try again; if it happens again, restart Threadwell.",
        ),
    ),
    "storage.thread_missing": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This chat no longer exists"),
        QT_TRANSLATE_NOOP(
            "errors", "It was deleted, or its id {thread_id} is wrong. Look for it in the list or in the Trash."
        ),
    ),
    "storage.busy": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The data folder is in use"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{holder} uses {path}, and two at once would damage it. Close the other one first, then start again.",
        ),
    ),
    "storage.attachment_missing": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The file “{name}” is no longer there"),
        QT_TRANSLATE_NOOP("errors", "Nothing was sent. Remove it from the message, attach it again, and send."),
    ),
    "file.unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” cannot be opened"),
        QT_TRANSLATE_NOOP("errors", "The system says: {detail} Check that the file is there and that you may read it."),
    ),
    "file.not_saved": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” was not saved"),
        QT_TRANSLATE_NOOP("errors", "The system says: {detail} Choose another folder, or make room on the disk."),
    ),
    "file.no_file": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” is not a file"),
        QT_TRANSLATE_NOOP("errors", "Only single files can be attached, no folders."),
    ),
    "file.empty": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” is empty"),
        QT_TRANSLATE_NOOP("errors", "There is nothing in it that could be sent."),
    ),
    "file.too_large": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” is too large"),
        QT_TRANSLATE_NOOP(
            "errors", "It has {size}; at most {limit} can be attached. Attach a smaller file or a part of it."
        ),
    ),
    "file.text_too_long": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The text in “{name}” is too long"),
        QT_TRANSLATE_NOOP("errors", "It has {size}; at most {limit} can be sent. Attach the part that matters."),
    ),
    "file.binary": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” holds no text"),
        QT_TRANSLATE_NOOP("errors", "Text files, PDFs and pictures can be attached. Save it as one of these first."),
    ),
    "file.picture_kind": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” is a picture of a kind that cannot be read here"),
        QT_TRANSLATE_NOOP("errors", "Save it as JPEG or PNG in another program, and attach that file."),
    ),
    "file.picture_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The picture “{name}” cannot be read"),
        QT_TRANSLATE_NOOP("errors", "The file may be damaged. Open it in another program and save it as JPEG or PNG."),
    ),
    "file.picture_too_large": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The picture “{name}” is too large"),
        QT_TRANSLATE_NOOP("errors", "It has {width} × {height} pixels; at most 100 million can be read."),
    ),
    "file.pdf_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The PDF “{name}” cannot be read"),
        QT_TRANSLATE_NOOP("errors", "The file may be damaged. Open it in another program and save it anew."),
    ),
    "file.pdf_locked": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The PDF “{name}” is protected by a password"),
        QT_TRANSLATE_NOOP("errors", "Save it without the password and attach that."),
    ),
    "file.pdf_no_text": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no text in the PDF “{name}”"),
        QT_TRANSLATE_NOOP("errors", "It may be a scan. Attach its pages as pictures, for a model that can see."),
    ),
    "file.docx_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The Word document “{name}” cannot be read"),
        QT_TRANSLATE_NOOP(
            "errors", "It may be damaged or protected by a password. Open it in Word and save it anew without one."
        ),
    ),
    "file.unpacks_too_large": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” is too large inside"),
        QT_TRANSLATE_NOOP(
            "errors", "Unpacked it has more than {limit}, which no ordinary document has. It was not read."
        ),
    ),
    "file.no_text": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” holds no text"),
        QT_TRANSLATE_NOOP("errors", "Nothing can be found in it. It may be a scan, or hold nothing but pictures."),
    ),
    "file.document_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” cannot be read"),
        QT_TRANSLATE_NOOP("errors", "The file may be damaged. Open it in another program and save it anew."),
    ),
    "file.no_room": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” does not fit into this message"),
        QT_TRANSLATE_NOOP(
            "errors", "At most 14 MB of pictures and 2 MB of text go with one message. Send it without this one."
        ),
    ),
    "file.chats_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The chats in “{name}” cannot be read"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The file is damaged, or it is no export of chats. What was read before is here. Export the chats again where they come from, and import the new file.",
        ),
    ),
    "file.chats_too_large": ErrorText(
        QT_TRANSLATE_NOOP("errors", "“{name}” holds too much"),
        QT_TRANSLATE_NOOP(
            "errors",
            "What is packed into it is far larger than an export of chats could be, so it was not opened. Export the chats again where they come from, a part at a time.",
        ),
    ),
    "file.no_chats": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There are no chats in “{name}”"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Choose an export of Threadwell, ChatGPT, Claude, Open WebUI or Cherry Studio, as a JSON or ZIP file, or the folder with the conversations of LM Studio.",
        ),
    ),
    "file.too_slow": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Reading “{name}” took too long"),
        QT_TRANSLATE_NOOP("errors", "It was given up after {seconds} seconds. Attach a smaller file."),
    ),
    "settings.broken": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The settings file could not be read"),
        QT_TRANSLATE_NOOP(
            "errors",
            "It was kept as {kept_as}, and the default settings are used ({detail}). Your chats are not affected. Set up again what you need, or fix the file while Threadwell is closed.",
        ),
    ),
    "settings.edited": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The settings file was changed by something else"),
        QT_TRANSLATE_NOOP(
            "errors",
            "That version was kept as {kept_as}; what is set in Threadwell applies. Change the file only while Threadwell is closed.",
        ),
    ),
    "settings.newer": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The settings were made by a newer Threadwell"),
        QT_TRANSLATE_NOOP(
            "errors",
            "They were kept as {kept_as}, and the default settings are used. Your chats are not affected. Update Threadwell, or set up again what you need.",
        ),
    ),
    "settings.mcp_config": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The list of MCP servers cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors", "{path}: {detail} None of its servers is used. Correct the file, then restart Threadwell."
        ),
    ),
    "settings.mcp_entry": ErrorText(
        QT_TRANSLATE_NOOP("errors", "An MCP server was left out"),
        QT_TRANSLATE_NOOP(
            "errors", "{path}: {detail} The other servers are used. Correct this one in Settings, Tool servers."
        ),
    ),
    "settings.mcp_unseen": ErrorText(
        QT_TRANSLATE_NOOP("errors", "A tool server waits for you"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{detail}: new or changed, and not started yet. Look at what would be started in Settings, Tool servers.",
        ),
    ),
    "settings.sign_out_untold": ErrorText(
        QT_TRANSLATE_NOOP("errors", "You are signed out here only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{host} could not be told that you signed out. Threadwell has forgotten the sign-in, but what you allowed may hold there until it ends by itself. You can withdraw it on that site, in your account there.",
        ),
    ),
    "settings.key_not_deleted": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key may still be in the keychain"),
        QT_TRANSLATE_NOOP(
            "errors",
            "It could not be deleted there ({detail}). Threadwell does not use it any more. Delete the entry “{entry}” in the system's keychain yourself.",
        ),
    ),
    "memory.embedder_missing": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "What finds them by their meaning is missing or damaged ({detail}). Install Threadwell again, then restart it. Nothing that is remembered is lost.",
        ),
    ),
    "memory.embedder_failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "A text could not be looked at for its meaning"),
        QT_TRANSLATE_NOOP(
            "errors", "It is found by its words only ({detail}). Nothing that is remembered is lost; it is tried again."
        ),
    ),
    "memory.index_broken": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The index of memories is being made anew"),
        QT_TRANSLATE_NOOP(
            "errors",
            "It could not be used ({detail}). Until it is there again, memories are found by their words only. Nothing that is remembered is lost.",
        ),
    ),
    "memory.embedder_late": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "What finds them by their meaning answers too slowly to be waited for. Each answer is told what shares words with the question.",
        ),
    ),
    "memory.endpoint_gone": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The provider that was to find them by their meaning is not among your providers any more, or has no model for it. Choose another one in the settings of memory.",
        ),
    ),
    "memory.endpoint_failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The provider that finds them by their meaning does not answer ({detail}). Nothing that is remembered is lost; it is asked again from time to time.",
        ),
    ),
    "memory.endpoint_changed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The provider's model is another one than before: its answers have another length ({detail}). Choose it anew in the settings of memory, and everything is prepared for it.",
        ),
    ),
    "memory.endpoint_odd": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Memories are found by words only"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The provider's model cannot tell texts apart ({detail}). Choose a model that is made for comparing texts in the settings of memory.",
        ),
    ),
    "memory.index_makeshift": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The index of memories is kept in this computer's working memory"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Its usual place, a folder or a server, cannot be used at the moment. Memories are found all the same; the usual place is tried again from time to time.",
        ),
    ),
    "memory.index_waits": ErrorText(
        QT_TRANSLATE_NOOP("errors", "A part of what you removed is still in the index of memories"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The index cannot be reached at the moment. What you removed is not found any more, and its last traces are deleted as soon as that is possible.",
        ),
    ),
    "memory.known": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This is remembered already"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The same sentence is among your memories, and is not kept twice. Search for it on the memory page to change it.",
        ),
    ),
    "run.busy": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This chat is still answering"),
        QT_TRANSLATE_NOOP("errors", "Wait for the answer or stop it, then send again."),
    ),
    "queue.full": ErrorText(
        QT_TRANSLATE_NOOP("errors", "{most} messages wait in this chat already"),
        QT_TRANSLATE_NOOP(
            "errors",
            "No more can wait at once. Your text stays in the message field; remove one that waits, or send some.",
        ),
    ),
    "run.too_many_answers": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This message has {most} answers already"),
        QT_TRANSLATE_NOOP(
            "errors", "No more can stand beside each other. Go on with one of them, or send the message once more."
        ),
    ),
    "run.nothing_to_continue": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is nothing to continue"),
        QT_TRANSLATE_NOOP("errors", "The last answer of this chat is complete. Send a message instead."),
    ),
    "run.question_removed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The message that this answers was deleted"),
        QT_TRANSLATE_NOOP(
            "errors", "There is nothing left that could be answered again. Send the message once more to get an answer."
        ),
    ),
    # These three are read by the model as the call's result, too.
    "tool.timeout": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The tool did not answer in time"),
        QT_TRANSLATE_NOOP("errors", "No result within {seconds} seconds."),
    ),
    "tool.server_gone": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The tool's server is not there"),
        QT_TRANSLATE_NOOP("errors", "{server}: {detail}"),
    ),
    "tool.failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The tool call failed"),
        QT_TRANSLATE_NOOP("errors", "{detail}"),
    ),
    "server.timeout": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The tool server did not answer in time"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Nothing came from {server} within {seconds} seconds. Try again; Settings, Tool servers, shows how it is.",
        ),
    ),
    "server.failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The tool server did not do it"),
        QT_TRANSLATE_NOOP(
            "errors", "{server}: {detail} Nothing was put into your message; try again, or choose something else."
        ),
    ),
    "unknown": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Something went wrong"),
        QT_TRANSLATE_NOOP(
            "errors",
            "An error in Threadwell: {detail} What was saved is safe. If something does not work now, restart Threadwell; the log files have the details for a report.",
        ),
    ),
}


def english(code: str, params: Mapping[str, str | int | float]) -> ErrorText:
    """Return title and detail in English; an unknown code falls back to ``unknown`` with the code as detail."""
    return fill(ERROR_TEXTS.get(code, ERROR_TEXTS["unknown"]), {"detail": code, **params})


def fill(text: ErrorText, params: Mapping[str, str | int | float]) -> ErrorText:
    """Fill the placeholders; one that the parameters lack is left out rather than failing."""
    known = _Lenient(within(text.detail, params))
    template, detail = text.detail, str(known["detail"])
    if detail and "{detail} " in template:  # a sentence of ours follows
        if detail[-1] not in ".!?…。！？":
            known["detail"] = detail = detail + ("。" if template[-1] == "。" else ".")
        if detail[-1] in "。！？":
            template = template.replace("{detail} ", "{detail}")
    return ErrorText(text.title.format_map(known), template.format_map(known))


class _Lenient(dict[str, str | int | float]):
    def __missing__(self, key: str) -> str:
        return ""
