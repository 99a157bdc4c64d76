"""Documents of every kind that is read, made here: small real files, and hostile ones."""

import io
import zipfile
from collections.abc import Sequence

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf_of(pages: Sequence[str]) -> bytes:
    """Return a PDF with these lines of ASCII on its pages."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids: list[str] = []
    for text in pages:
        drawn = "".join(f"({line}) Tj T* " for line in text.replace("(", "").replace(")", "").split("\n"))
        stream = f"BT /F1 12 Tf 14 TL 72 700 Td {drawn}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R /Resources"
            " << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body = b"%PDF-1.4\n"
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>"
    return body + f"{end}\nstartxref\n{len(body)}\n%%EOF\n".encode()


def docx_of(paragraphs: Sequence[tuple[str, str]], *, table: Sequence[Sequence[str]] = (), prolog: str = "") -> bytes:
    """Return a Word document: paragraphs as (name of a style or "", text), then a table. ``prolog`` precedes the XML."""
    body = "".join(
        f'<w:p>{f"""<w:pPr><w:pStyle w:val="{style}"/></w:pPr>""" if style else ""}<w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>' for cell in row)}</w:tr>"
        for row in table
    )
    document = (
        f'<?xml version="1.0"?>{prolog}<w:document xmlns:w="{_WORD}"><w:body>{body}'
        f"{f'<w:tbl>{rows}</w:tbl>' if rows else ''}</w:body></w:document>"
    )
    styles = (
        f'<w:styles xmlns:w="{_WORD}"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>'
    )
    return zip_of({"word/document.xml": document.encode(), "word/styles.xml": styles.encode()})


def zip_of(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return target.getvalue()


def bomb() -> bytes:
    """A Word document of some hundred kB that unpacks to more than any is read to."""
    head = f'<w:document xmlns:w="{_WORD}"><w:body><w:p><w:r><w:t>'.encode()
    return zip_of({"word/document.xml": head + b"a" * 101_000_000})
