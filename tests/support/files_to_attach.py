"""Files as people attach them, made byte by byte: pictures with what cameras write into them, and PDFs."""

import struct
import zlib
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter

GPS_WORDS = b"GPS-48.8584N-2.2945E"


def encoded(image: QImage, kind: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(kind.encode()))
    writer.setQuality(95)
    assert writer.write(image)
    return bytes(buffer.data().data())


def picture_bytes(kind: str, width: int = 60, height: int = 40, *, left: str = "red", right: str = "blue") -> bytes:
    """A picture whose left half has one colour and its right half another."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(right))
    for x in range(width // 2):
        for y in range(height):
            image.setPixelColor(x, y, QColor(left))
    return encoded(image, kind)


def with_exif(jpeg: bytes, *, orientation: int = 1) -> bytes:
    """The JPEG with a camera's EXIF block: an orientation, and a GPS block that can be found again."""
    gps = struct.pack("<HHHII", 1, 0x001D, 2, len(GPS_WORDS), 56) + struct.pack("<I", 0)
    entries = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + struct.pack("<HHII", 0x8825, 4, 1, 38)
    tiff = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 2) + entries + struct.pack("<I", 0)
    block = b"Exif\0\0" + tiff + gps + GPS_WORDS
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def png_that_says(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises so many pixels."""

    def piece(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = piece(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + piece(b"IDAT", zlib.compress(b"\0" * 1000)) + piece(b"IEND", b"")


def pdf_with(*pages: str) -> bytes:
    """A PDF with a line of text on each page; a page of an empty string has none."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {count} >>"]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        page = f"/Contents {5 + 2 * number} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {page} >>")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return _pdf([text.encode("latin-1") for text in objects])


def pdf_of_glyphs(text: str) -> bytes:
    """A PDF of one page whose font has glyphs alone; which characters they are only its table says, as in most of today."""
    glyphs = sorted(set(text))
    table = "".join(f"<{n:04x}> <{glyph.encode('utf-16-be').hex()}>\n" for n, glyph in enumerate(glyphs, start=1))
    words = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <ffff>"
        f" endcodespacerange {len(glyphs)} beginbfchar\n{table}endbfchar endcmap end end"
    )
    drawn = f"BT /F1 12 Tf 72 720 Td <{''.join(f'{glyphs.index(glyph) + 1:04x}' for glyph in text)}> Tj ET"
    font = "/Type /Font /Subtype /CIDFontType2 /BaseFont /Song /CIDSystemInfo << /Ordering (Identity) /Supplement 0 >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        f"<< {font} /DW 1000 >>",
        f"<< /Length {len(words)} >>\nstream\n{words}\nendstream",
    ]
    return _pdf([each.encode("ascii") for each in objects])


def pdf_that_swells(megabytes: int) -> bytes:
    """A small PDF whose only page becomes very large when it is unpacked."""
    stream = zlib.compress(b"(x) Tj " * (megabytes * 150_000), 9)
    content = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(stream), stream)
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
            content,
        ]
    )


def _pdf(objects: list[bytes]) -> bytes:
    whole, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(whole))
    return whole + head + table + tail


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
