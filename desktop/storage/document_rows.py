"""Documents as rows: what was added, its files and their pieces; all inside a transaction."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.core.ids import new_id
from desktop.core.receipt import Receipt
from desktop.memory.documents import (
    Document,
    DocumentPiece,
    DocumentRoot,
    DocumentState,
    FoundFile,
    LeftOut,
    Look,
    ReadDocument,
    RootSummary,
)
from desktop.memory.entities import PassageKind
from desktop.memory.ports import key_of
from desktop.storage import indexes, recall_index, receipts, request_texts
from desktop.storage.passage_rows import from_place
from desktop.storage.rows import clean, from_microseconds, next_number, optional_time, placeholders, to_microseconds
from desktop.storage.rows import unreadable as unreadable_row

_PIECES_A_STEP = 200
_DIGEST_BYTES = 16
_ROOT = "id, path, is_folder, only_thread_id, added_at, left_out"
_DOCUMENT = "d.id, d.path, d.state, d.reason, d.size, d.modified, d.digest, d.read_at, d.parts, d.parts_read"

Row = tuple[Any, ...]


def add_root(connection: sqlite3.Connection, root: DocumentRoot, files: Sequence[Path]) -> bool:
    """Keep a root; False where the same place counts for the same threads already. A file that waits for its purge does
    not stand in the way. ``files`` are gone until they are found."""
    same = connection.execute(
        "SELECT 1 FROM document_roots WHERE path = ? AND only_thread_id IS ? AND removed_at IS NULL",
        (str(root.path), root.only_thread_id),
    ).fetchone()
    if same is not None:
        return False
    seq = next_number(connection)
    connection.execute(
        f"INSERT INTO document_roots (seq, {_ROOT}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            seq,
            root.id,
            str(root.path),
            root.is_folder,
            root.only_thread_id,
            to_microseconds(root.added_at),
            _left_out_text(root.left_out),
        ),
    )
    connection.executemany(
        "INSERT INTO documents (seq, id, root_seq, path, state, size) VALUES (?, ?, ?, ?, 'gone', 0)",
        [(next_number(connection), new_id(), seq, str(path)) for path in dict.fromkeys(files)],
    )
    return True


def roots(connection: sqlite3.Connection) -> dict[int, DocumentRoot]:
    """Return the roots that were not removed, by their numbers, in the order in which they were added."""
    rows = connection.execute(f"SELECT seq, {_ROOT} FROM document_roots WHERE removed_at IS NULL ORDER BY seq")
    return {seq: _to_root(row) for seq, *row in rows}


def summaries(connection: sqlite3.Connection) -> tuple[RootSummary, ...]:
    """Return how far each root is."""
    found = roots(connection)
    states: dict[int, dict[DocumentState, int]] = {seq: {} for seq in found}
    figures: dict[int, dict[str, int]] = {seq: {} for seq in found}
    last_read: dict[int, int] = {}
    rows = connection.execute(
        "SELECT root_seq, state, count(*), sum(size), max(read_at), sum(state = 'waiting' AND read_at IS NOT NULL),"
        " sum(parts_read < parts AND state = 'ready') FROM documents GROUP BY root_seq, state"
    )
    for seq, state, count, size, read_at, changed, partly in rows:
        if seq in found:
            states[seq][DocumentState(state)] = count
            last_read[seq] = max(last_read.get(seq, 0), read_at or 0)
            for name, value in (("size", size), ("changed", changed), ("partly", partly)):
                figures[seq][name] = figures[seq].get(name, 0) + value
    pieces: dict[int, int] = dict(
        connection.execute(
            "SELECT d.root_seq, count(*) FROM documents AS d JOIN document_pieces AS p ON p.document_seq = d.seq"
            " WHERE d.state <> 'gone' GROUP BY d.root_seq"
        ).fetchall()
    )
    return tuple(
        RootSummary(
            root=root,
            states=states[seq],
            pieces=pieces.get(seq, 0),
            read_at=from_microseconds(last_read[seq]) if last_read.get(seq) else None,
            failure=_failure(connection, seq) if DocumentState.FAILED in states[seq] else None,
            **figures[seq],
        )
        for seq, root in found.items()
    )


def _failure(connection: sqlite3.Connection, root_seq: int) -> Document | None:
    row = connection.execute(
        f"SELECT {_DOCUMENT}, 0 FROM documents AS d WHERE root_seq = ? AND state = 'failed' ORDER BY path LIMIT 1",
        (root_seq,),
    ).fetchone()
    return to_document(row) if row else None


def documents(connection: sqlite3.Connection, root_id: str) -> tuple[Document, ...]:
    """Return the files of a root by their path."""
    rows = connection.execute(
        f"SELECT {_DOCUMENT}, (SELECT count(*) FROM document_pieces WHERE document_seq = d.seq) FROM documents AS d"
        " JOIN document_roots AS r ON r.seq = d.root_seq WHERE r.id = ? ORDER BY d.path",
        (root_id,),
    )
    return tuple(to_document(row) for row in rows)


def document_of(connection: sqlite3.Connection, piece_id: str) -> Document | None:
    row = connection.execute(
        f"SELECT {_DOCUMENT}, 0 FROM document_pieces AS p JOIN documents AS d ON d.seq = p.document_seq"
        " JOIN document_roots AS r ON r.seq = d.root_seq WHERE p.id = ? AND r.removed_at IS NULL",
        (piece_id,),
    ).fetchone()
    return to_document(row) if row else None


def next_waiting(connection: sqlite3.Connection, limit: int) -> tuple[Document, ...]:
    rows = connection.execute(
        f"SELECT {_DOCUMENT}, 0 FROM documents AS d JOIN document_roots AS r ON r.seq = d.root_seq"
        " WHERE d.state = 'waiting' AND r.removed_at IS NULL ORDER BY d.seq LIMIT ?",
        (limit,),
    )
    return tuple(to_document(row) for row in rows)


def note_look(connection: sqlite3.Connection, root_id: str, look: Look | None) -> bool:
    """Set what is on the disk against what was read; True where it differs."""
    root = connection.execute(
        "SELECT seq, left_out FROM document_roots WHERE id = ? AND removed_at IS NULL", (root_id,)
    ).fetchone()
    if root is None:
        return False
    root_seq, left_out = root
    known: dict[str, Row] = {
        path: (seq, *rest)
        for seq, path, *rest in connection.execute(
            "SELECT seq, path, state, size, modified FROM documents WHERE root_seq = ?", (root_seq,)
        )
    }
    is_changed = False
    for file in look.files if look else ():
        is_changed |= _note_file(connection, root_seq, known.pop(str(file.path), None), file)
    for seq, state, *_ in known.values():
        if state != DocumentState.GONE:
            connection.execute("UPDATE documents SET state = 'gone' WHERE seq = ?", (seq,))
            is_changed = True
    if look is not None and (text := _left_out_text(look.left_out)) != left_out:
        connection.execute("UPDATE document_roots SET left_out = ? WHERE seq = ?", (text, root_seq))
        is_changed = True
    return is_changed


def _note_file(connection: sqlite3.Connection, root_seq: int, known: Row | None, file: FoundFile) -> bool:
    if known is None:
        connection.execute(
            "INSERT INTO documents (seq, id, root_seq, path, state, size) VALUES (?, ?, ?, ?, 'waiting', ?)",
            (next_number(connection), new_id(), root_seq, str(file.path), file.size),
        )
        return True
    seq, state, size, modified = known
    if state == DocumentState.WAITING or (
        state != DocumentState.GONE and (size, modified) == (file.size, file.modified)
    ):
        return False
    connection.execute("UPDATE documents SET state = 'waiting', size = ? WHERE seq = ?", (file.size, seq))
    return True


def read_again(connection: sqlite3.Connection, root_id: str) -> None:
    """Let everything be read once more; without its digest a file counts as changed."""
    connection.execute(
        "UPDATE documents SET state = 'waiting', digest = NULL WHERE state <> 'gone'"
        " AND root_seq = (SELECT seq FROM document_roots WHERE id = ?)",
        (root_id,),
    )


def begin(connection: sqlite3.Connection, document_id: str) -> bool:
    cursor = connection.execute(
        "UPDATE documents SET round = round + 1 WHERE id = ? AND state = 'waiting'"
        " AND (SELECT removed_at FROM document_roots WHERE seq = root_seq) IS NULL",
        (document_id,),
    )
    return cursor.rowcount > 0


def put(connection: sqlite3.Connection, document_id: str, first: int, pieces: Sequence[DocumentPiece]) -> bool:
    """Keep pieces; one that stood in the file before stays, with its vector. False when they are wanted no more."""
    row = connection.execute(
        "SELECT d.seq, d.round FROM documents AS d JOIN document_roots AS r ON r.seq = d.root_seq"
        " WHERE d.id = ? AND r.removed_at IS NULL",
        (document_id,),
    ).fetchone()
    if row is None:
        return False
    document_seq, this_round = row
    for number, piece in enumerate(pieces, first):
        text = clean(piece.text)
        headings, place = from_place(piece.place)
        headings = clean(headings)
        digest = hashlib.sha256(f"{headings}\0{text}".encode()).digest()[:_DIGEST_BYTES]
        old = connection.execute(
            "SELECT seq FROM document_pieces WHERE document_seq = ? AND digest = ? AND round < ? LIMIT 1",
            (document_seq, digest, this_round),
        ).fetchone()
        if old is not None:
            connection.execute(
                "UPDATE document_pieces SET number = ?, round = ?, place = ? WHERE seq = ?",
                (number, this_round, place, *old),
            )
            continue
        connection.execute(
            "INSERT INTO document_pieces (seq, id, document_seq, number, round, digest, headings, place, text)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (next_number(connection), new_id(), document_seq, number, this_round, digest, headings, place, text),
        )
    index = recall_index.DOCUMENTS
    index.or_reset(connection, lambda: index.index_pending(connection, limit=len(pieces)))
    return True


def remove_left(connection: sqlite3.Connection, document_id: str) -> bool:
    """Remove some pieces of earlier rounds; False when none is left."""
    rows = connection.execute(
        "SELECT p.seq FROM document_pieces AS p JOIN documents AS d ON d.seq = p.document_seq"
        " WHERE d.id = ? AND p.round < d.round LIMIT ?",
        (document_id, _PIECES_A_STEP),
    ).fetchall()
    # The file still holds the old text in no other way, so nothing has to leave the disk at once.
    _remove(connection, [row[0] for row in rows], erases=False)
    return len(rows) == _PIECES_A_STEP


def take_in(connection: sqlite3.Connection, file: ReadDocument) -> None:
    """Keep a whole file, unless it is wanted no more."""
    document_id = file.document.id
    if file.pieces is not None:
        if not begin(connection, document_id) or not put(connection, document_id, 0, file.pieces):
            return
        while remove_left(connection, document_id):
            pass
    finish(connection, file.document)


def finish(connection: sqlite3.Connection, document: Document) -> None:
    """Store how the reading of a file ended, unless it went meanwhile."""
    connection.execute(
        "UPDATE documents SET state = ?, reason = ?, size = ?, modified = ?, digest = ?, read_at = ?, parts = ?,"
        " parts_read = ? WHERE id = ? AND state = 'waiting'",
        (
            document.state.value,
            json.dumps([document.reason, dict(document.reason_params)]) if document.reason else "",
            document.size,
            document.modified,
            document.digest,
            None if document.read_at is None else to_microseconds(document.read_at),
            document.parts,
            document.parts_read,
            document.id,
        ),
    )


def mark_removed(connection: sqlite3.Connection, root_id: str, moment: datetime) -> None:
    connection.execute(
        "UPDATE document_roots SET removed_at = ? WHERE id = ? AND removed_at IS NULL",
        (to_microseconds(moment), root_id),
    )


def restore(connection: sqlite3.Connection, root_id: str) -> None:
    connection.execute("UPDATE document_roots SET removed_at = NULL WHERE id = ? AND is_purging = 0", (root_id,))


def mark_purged(connection: sqlite3.Connection, root_ids: Sequence[str] | None) -> Receipt:
    """Let removed roots go for good, all of them with None; what they hold goes with ``remove_some``."""
    chosen = "removed_at IS NOT NULL AND is_purging = 0"
    values: Sequence[str] = ()
    if root_ids is not None:
        chosen += f" AND id IN ({placeholders(root_ids)})"
        values = root_ids
    numbers = [row[0] for row in connection.execute(f"SELECT seq FROM document_roots WHERE {chosen}", values)]
    return _let_go(connection, numbers)


def leave_thread(connection: sqlite3.Connection, thread_id: str, moment: datetime) -> Receipt:
    """A thread is purged: the documents that count in it alone go with it."""
    connection.execute(
        "UPDATE document_roots SET removed_at = coalesce(removed_at, ?) WHERE only_thread_id = ?",
        (to_microseconds(moment), thread_id),
    )
    rows = connection.execute(
        "SELECT seq FROM document_roots WHERE only_thread_id = ? AND is_purging = 0", (thread_id,)
    ).fetchall()
    return _let_go(connection, [row[0] for row in rows])


def _let_go(connection: sqlite3.Connection, numbers: Sequence[int]) -> Receipt:
    receipt = receipts.of_documents(connection, numbers)
    connection.execute(f"UPDATE document_roots SET is_purging = 1 WHERE seq IN ({placeholders(numbers)})", numbers)
    return receipt


def remove_some(connection: sqlite3.Connection) -> bool:
    """Delete some pieces of a root that goes for good, at last the root; False when none is left."""
    root = connection.execute("SELECT seq FROM document_roots WHERE is_purging = 1 ORDER BY seq LIMIT 1").fetchone()
    if root is None:
        return False
    rows = connection.execute(
        "SELECT p.seq FROM documents AS d JOIN document_pieces AS p ON p.document_seq = d.seq WHERE d.root_seq = ?"
        " LIMIT ?",
        (*root, _PIECES_A_STEP),
    ).fetchall()
    if rows:
        _remove(connection, [row[0] for row in rows], erases=True)
    else:
        connection.execute("DELETE FROM document_roots WHERE seq = ?", root)
    return True


def begin_thread(connection: sqlite3.Connection, thread_id: str) -> None:
    """What was added for a new thread counts for the one that its first message began."""
    connection.execute("UPDATE document_roots SET only_thread_id = ? WHERE only_thread_id = ''", (thread_id,))


def _remove(connection: sqlite3.Connection, numbers: Sequence[int], *, erases: bool) -> None:
    # Also where a changed file takes the place of what was read before: later nobody could tell whose words these were.
    rows = connection.execute(f"SELECT id FROM document_pieces WHERE seq IN ({placeholders(numbers)})", numbers)
    request_texts.forget_quoted(connection, [key_of(PassageKind.DOCUMENT, row[0]) for row in rows.fetchall()])
    indexes.forget_pieces(connection, numbers, erases=erases)
    connection.execute(f"DELETE FROM document_pieces WHERE seq IN ({placeholders(numbers)})", numbers)


def _to_root(row: Sequence[Any]) -> DocumentRoot:
    root_id, path, is_folder, only_thread_id, added_at, left_out = row
    try:
        return DocumentRoot(
            id=root_id,
            path=Path(path),
            is_folder=bool(is_folder),
            only_thread_id=only_thread_id,
            added_at=from_microseconds(added_at),
            left_out={LeftOut(name): count for name, count in json.loads(left_out or "{}").items()},
        )
    except ValueError as error:
        raise unreadable_row("a document") from error


def to_document(row: Sequence[Any]) -> Document:
    """Return the document of a row of ``_DOCUMENT`` and the number of its pieces."""
    document_id, path, state, reason, size, modified, digest, read_at, parts, parts_read, pieces = row
    try:
        code, params = json.loads(reason) if reason else ("", {})
        return Document(
            id=document_id,
            path=Path(path),
            state=DocumentState(state),
            size=size,
            modified=modified,
            digest=digest,
            read_at=optional_time(read_at),
            pieces=pieces,
            parts=parts,
            parts_read=parts_read,
            reason=code,
            reason_params=params,
        )
    except ValueError as error:
        raise unreadable_row("a document") from error


def _left_out_text(left_out: Mapping[LeftOut, int]) -> str:
    return json.dumps({name.value: count for name, count in sorted(left_out.items())}) if left_out else ""
