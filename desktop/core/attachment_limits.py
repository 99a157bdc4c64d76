"""How much of a file is read and sent: shared by the app and by the programs that read files for it."""

MOST_FILE_BYTES = 50_000_000
"""Of a file that is attached at all."""
MOST_TEXT_BYTES = 1_000_000
"""Of the text of one file, in UTF-8; of a longer PDF only the first pages are taken."""
MOST_PDF_PAGES = 2_000
MOST_MEGAPIXELS = 100
"""Of a picture; a larger one would take gigabytes to decode."""
LONGEST_SIDE = 2048
"""In pixels. Models scale what is larger themselves, and it is paid for."""
MOST_PICTURE_BYTES = 3_500_000
"""Of one picture as it is sent: as text in the request it takes a third more, and endpoints refuse more than 5 MB."""
THUMBNAIL_SIDE = 480
READER_MEMORY_BYTES = 2_000_000_000
"""Address space of a program that reads a file, where the system can limit it."""
MOST_DOCUMENT_CHARACTERS = 12_000_000
"""Of the text of one document; of a longer one only the beginning is read."""
MOST_PIECES = 12_000
"""Of one document."""
