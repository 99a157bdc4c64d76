"""Programs that only read, and the options with which they still do: whatever does not stand here is not known to be harmless."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from desktop.tools.path_facts import PLAIN_SYSTEM_FILES
from desktop.tools.program_tables import names_of

NUMBER = "#"
"""Among the switches: ``-20`` is one, too."""

_TABLE = """
ls dir vdir | paths | 1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ | ITw | all almost-all author escape human-readable inode \
 recursive reverse size directory classify file-type full-time group-directories-first si no-group color color= sort= \
 time= time-style= format= indicator-style= ignore= hide= block-size= quoting-style= width=
cat | paths | AbeEnstTuv | | number number-nonblank show-all show-ends show-tabs squeeze-blank show-nonprinting
tac | paths | br | s | separator=
head tail | paths | qvz# | nc | lines= bytes= quiet silent verbose
nl | paths | p | bdfhilnsvw |
wc | paths | clmwL | | bytes chars lines words max-line-length total=
cut | paths | nsz | bcdf | bytes= characters= delimiter= fields= complement only-delimited output-delimiter=
tr | text:2 | cCdst | | complement delete squeeze-repeats truncate-set1
uniq | paths:1 | cdDiuz | fsw | count repeated unique ignore-case skip-fields= skip-chars= check-chars= all-repeated= group=
sort | paths | bcCdfghiMmnRrsuVz | kt | numeric-sort reverse unique key= field-separator= human-numeric-sort \
 version-sort ignore-case check stable general-numeric-sort month-sort ignore-leading-blanks dictionary-order sort=
comm | paths:2 | 123iz | | nocheck-order check-order output-delimiter= total
diff | paths:2 | abBcdeEiNpqrstuwyZT# | UCWIxFS | unified unified= context= brief recursive side-by-side width= \
 ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space color color= exclude= stat \
 new-file text minimal report-identical-files suppress-common-lines label= strip-trailing-cr
cmp | paths:2 | bls | in | bytes= verbose silent quiet print-bytes
paste | paths | sz | d | delimiters= serial
join | paths:2 | iz | aetv12jo | header
fold | paths | bs | w | width= spaces bytes
fmt | paths | cstu | wgp | width=
expand unexpand | paths | ai | t | tabs= initial all
column | paths | tex | sNoc | table separator= output-separator= columns=
rev tsort cksum sum | paths | | |
shuf | paths | erz | ni | head-count= input-range= echo repeat
seq | text:3 | w | fs | equal-width separator= format=
factor | text | | |
numfmt | text | | d | to= from= suffix= field= delimiter= format= padding= round= header
od | paths | abcdfilosvx | ANjtwS | address-radix= format= read-bytes= skip-bytes= width=
hexdump hd | paths | bcCdovx | ns | canonical
xxd | paths:1 | biup | cglso |
base64 base32 | paths:1 | di | w | decode ignore-garbage wrap=
md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum | paths | bctz | l | check binary text tag quiet status strict
strings | paths | a | nte | all bytes= radix=
grep egrep fgrep | text,paths | abcEFGhHilLnoqPrRsTUvVwxyZz# | ABCmdDef | include= exclude= exclude-dir= ignore-case \
 line-number recursive files-with-matches files-without-match count only-matching word-regexp line-regexp invert-match \
 color color= colour= after-context= before-context= context= max-count= extended-regexp fixed-strings perl-regexp \
 basic-regexp quiet no-messages with-filename no-filename null text binary-files= line-buffered regexp= file= byte-offset
rg | text,paths | .0abcFHhiIlLnNopPqsSuUvVwx | ABCEegjmMtTdrf | files glob= iglob= type= type-not= hidden no-ignore \
 no-ignore-vcs count count-matches files-with-matches files-without-match ignore-case smart-case case-sensitive \
 fixed-strings word-regexp line-regexp only-matching line-number no-line-number with-filename no-filename heading \
 no-heading color= colors= sort= sortr= max-depth= max-count= max-columns= after-context= before-context= context= json \
 vimgrep pcre2 multiline multiline-dotall invert-match stats type-list trim column no-messages regexp= replace= \
 max-filesize= follow unrestricted passthru no-config threads= encoding= text null quiet version
fd fdfind | text,paths | HIusapgFL01 | tedEcSj | hidden no-ignore type= extension= max-depth= min-depth= exclude= glob \
 absolute-path full-path follow size= changed-within= changed-before= color= print0 case-sensitive ignore-case
tree | paths | adfilsphugDFCnNQtcUrvx | LPI | dirsfirst noreport charset= filelimit= gitignore prune du si filesfirst \
 matchdirs ignore-case inodes sort= timefmt=
file | paths | bikLhNnpr0 | | brief mime mime-type mime-encoding dereference no-dereference keep-going
stat | paths | LftZ | c | format= printf= file-system terse dereference
du | paths | abchHkLlmsSx0D | dtB | human-readable summarize max-depth= all total apparent-size exclude= block-size= time \
 bytes one-file-system threshold= dereference
df | paths | ahHiklPT | tBx | human-readable all inodes print-type block-size= type= exclude-type= total output= portability
basename | text | az | s | suffix= multiple zero
dirname | text | z | | zero
realpath | paths | emLPqsz | | canonicalize-existing canonicalize-missing relative-to= relative-base= strip no-symlinks quiet
readlink | paths | femnqsvz | | canonicalize canonicalize-existing canonicalize-missing no-newline
pwd | none | LP | |
echo | anything | | |
cal | text:3 | 13jmy | |
whoami groups arch hostname lscpu true false : | none | | | version
id | text:1 | ugGnrz | | user group groups name real
uname | none | asnrvmpio | | all kernel-name nodename kernel-release kernel-version machine processor operating-system
uptime | none | ps | | pretty since
nproc | none | | | all
getconf | text:1 | a | |
locale | none | am | | all-locales charmaps
free | none | bkmghtlw | | human mega giga kilo total wide
ps | process-words | eAfFlj | |
sleep | text:1 | | |
which | text | a | | all
type | text | atPp | |
zcat bzcat xzcat | paths | | |
"""

VERSION_TELLERS = names_of(
    "python python3 node npm pip pip3 git gcc g++ clang cc make cmake perl ruby bash docker jq rg sed awk gawk grep find tar",
    "curl wget sqlite3 pandoc ffmpeg",
)
"""Programs that with nothing but ``--version`` tell that, and end: without a look at files of the folder they are in."""

GLOB_SAFE = names_of("ls dir cat wc head tail nl stat du file md5sum sha1sum sha256sum sha512sum cksum tac strings")
"""Programs in which a file name that looks like an option can do no harm, so that ``*.py`` may stand first."""

SYSTEM_PLACES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", *sorted(PLAIN_SYSTEM_FILES))
"""Files and folders that are the same on every machine of its kind; nothing of the user's lies there."""


@dataclass(frozen=True, kw_only=True)
class PlainProgram:
    """``switches`` are letters that may be joined, ``valued`` letters that take a value; long options without ``--``."""

    operands: str
    """``paths``, ``text``, ``text,paths`` (one text, then paths), ``none``, ``anything`` or ``process-words``."""
    most_operands: int
    switches: str
    valued: str
    long: frozenset[str]
    """With ``=`` at the end those that take a value."""


@cache
def plain_programs() -> Mapping[str, PlainProgram]:
    """Return the programs by name; made at the first use."""
    programs: dict[str, PlainProgram] = {}
    for line in _TABLE.strip().splitlines():
        names, operands, switches, valued, long = (part.strip() for part in line.split(" |"))
        kind, _, most = operands.partition(":")
        program = PlainProgram(
            operands=kind,
            most_operands=int(most or 1_000),
            switches=switches,
            valued=valued,
            long=frozenset(long.split()),
        )
        programs.update(dict.fromkeys(names.split(), program))
    return programs
