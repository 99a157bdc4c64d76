"""The words for errors of backups and of a damaged library: what happened, what it means, what to do."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

BACKUP_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "storage.salvaged": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The database was damaged; what could be read was saved"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Here again: {chats} chats with {messages} messages, and {memories} memories. {incomplete} messages are not whole, and {pages} parts of the file could not be read ({detail}). Lasting permissions are asked for again. The damaged file was kept as {kept_as}. If you have a backup, restore it and choose to merge: it adds what is missing.",
        ),
    ),
    "storage.mended": ErrorText(
        QT_TRANSLATE_NOOP("errors", "An index of the database was damaged and was made anew"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The library was looked through, since something in it could not be read ({detail}). Nothing was lost. If it happens again, the disk may be failing: make a backup on another one.",
        ),
    ),
    "storage.suspected": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Something in the database cannot be read"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The file is damaged ({detail}). Nothing was changed. Restart Threadwell: it then looks through the whole library, puts right what it can, and says what it did.",
        ),
    ),
    "backup.unsound": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Something in the library is not sound"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The library was checked, and not all that was wrong could be mended. In the settings under Data, Check now says what it is; a backup may still have what is missing. {detail}",
        ),
    ),
    "backup.busy": ErrorText(
        QT_TRANSLATE_NOOP("errors", "A backup or a restore is running already"),
        QT_TRANSLATE_NOOP("errors", "Only one can run at a time. Wait until it has ended, or stop it, then try again."),
    ),
    "backup.failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup could not be used"),
        QT_TRANSLATE_NOOP("errors", "Something did not go as it should: {detail} Nothing was changed. Try again."),
    ),
    "backup.no_folder": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup folder cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{path}: {detail} No backup can be stored there now; your chats are as they were. See whether the disk is there and may be written, or choose another folder in the settings under Data.",
        ),
    ),
    "backup.full": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no room for a backup"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The disk with {path} is too full, so no backup was made; your chats and older backups are as they were. Free some space there. If it is the disk with the backups, another folder helps, too.",
        ),
    ),
    "backup.no_room": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no room for this on the disk"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The disk with {path} is too full: a backup is unpacked there before it is used, and a copy is made for a check. Your library is as it was. Free some space, then try again.",
        ),
    ),
    "backup.not_sound": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup was not sound and was not kept"),
        QT_TRANSLATE_NOOP(
            "errors",
            "What was read back is not what it should be: {detail} Your chats and older backups are as they were. Check the library in the settings under Data, and try another disk.",
        ),
    ),
    "backup.unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup cannot be opened"),
        QT_TRANSLATE_NOOP(
            "errors", "{name}: {detail} Nothing was changed. See whether the disk or folder is there, then try again."
        ),
    ),
    "backup.not_a_backup": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This is no backup of Threadwell"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{name} is another kind of file, so nothing was changed. Backups end with .threadwell-backup; chats of other programs come in by an import.",
        ),
    ),
    "backup.damaged": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup is damaged"),
        QT_TRANSLATE_NOOP("errors", "{name} cannot be restored: {detail} Nothing was changed. Choose another backup."),
    ),
    "backup.newer": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The backup was made by a newer Threadwell"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{name} is of version {version}, which this program cannot read. Nothing was changed. Update Threadwell, then restore it.",
        ),
    ),
    "backup.web_address": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV address cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} is no address of a folder. It should look like https://cloud.example/dav/Backups, without a user, a question mark or #.",
        ),
    ),
    "backup.web_insecure": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV address is not encrypted"),
        QT_TRANSLATE_NOOP(
            "errors",
            "With {url} anybody on the way could read your chats and your password, so nothing was sent. Use an address that begins with https://, or allow this one in the settings under Data.",
        ),
    ),
    "backup.web_unauthorized": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server did not accept the password"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} asks for another user or password. Enter them again in the settings under Data; many services want a password made for apps.",
        ),
    ),
    "backup.web_forbidden": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server does not allow this"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} refused (status {status}). See whether this user may write there, or choose another folder of the server.",
        ),
    ),
    "backup.web_not_found": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The folder is not on the WebDAV server"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} was not found and could not be made (status {status}). Check the address, and that the folder above it exists.",
        ),
    ),
    "backup.web_too_large": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server does not take a file of this size"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} refuses files as large as this backup, so none was stored. Raise the limit of the server, or choose a folder of this computer.",
        ),
    ),
    "backup.web_locked": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The file is locked on the WebDAV server"),
        QT_TRANSLATE_NOOP(
            "errors", "Somebody else uses it at {url} right now. No backup was stored; it is tried again later."
        ),
    ),
    "backup.web_full": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no room on the WebDAV server"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} has no space for this backup; older ones are as they were. Free some space there, or choose another place.",
        ),
    ),
    "backup.web_redirected": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server leads to another address"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} leads on to {place}. Nothing was sent there, because your password was not meant for it. If that is right, enter that address.",
        ),
    ),
    "backup.web_certificate": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server cannot prove who it is"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The certificate of {url} is not trusted ({detail}), so nothing was sent. Check the address, or have the server get a valid certificate.",
        ),
    ),
    "backup.web_unreachable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server cannot be reached"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} does not answer: {detail} No backup was stored. Check the network and the address; it is tried again later.",
        ),
    ),
    "backup.web_failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The WebDAV server gave an answer that makes no sense"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered with status {status}. No backup was stored. See whether the address is that of a WebDAV folder, then try again.",
        ),
    ),
}
"""By their codes."""
