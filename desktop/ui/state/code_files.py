"""The name under which a code block is saved: what the code calls itself, else a plain one with the ending of its language."""

import re

_ENDINGS = {
    "bash": ".sh", "bat": ".bat", "batch": ".bat", "c": ".c", "c#": ".cs", "c++": ".cpp", "clojure": ".clj",
    "cmake": ".cmake", "cpp": ".cpp", "cs": ".cs", "csharp": ".cs", "css": ".css", "csv": ".csv", "cxx": ".cpp",
    "dart": ".dart", "diff": ".diff", "docker": "", "dockerfile": "", "elixir": ".ex", "erlang": ".erl",
    "fish": ".fish", "fortran": ".f90", "fsharp": ".fs", "go": ".go", "golang": ".go", "graphql": ".graphql",
    "groovy": ".groovy", "h": ".h", "haskell": ".hs", "hpp": ".hpp", "hs": ".hs", "html": ".html", "ini": ".ini",
    "java": ".java", "javascript": ".js", "js": ".js", "json": ".json", "json5": ".json5", "jsonc": ".json",
    "jsx": ".jsx", "julia": ".jl", "kotlin": ".kt", "kt": ".kt", "latex": ".tex", "less": ".less", "lua": ".lua",
    "make": "", "makefile": "", "markdown": ".md", "matlab": ".m", "md": ".md", "mermaid": ".mmd", "nix": ".nix",
    "objc": ".m", "objective-c": ".m", "ocaml": ".ml", "patch": ".diff", "perl": ".pl", "php": ".php", "pl": ".pl",
    "powershell": ".ps1", "proto": ".proto", "protobuf": ".proto", "ps1": ".ps1", "py": ".py", "python": ".py",
    "python3": ".py", "r": ".r", "rb": ".rb", "rs": ".rs", "ruby": ".rb", "rust": ".rs", "sass": ".sass",
    "scala": ".scala", "scss": ".scss", "sh": ".sh", "shell": ".sh", "sql": ".sql", "svelte": ".svelte",
    "svg": ".svg", "swift": ".swift", "tcl": ".tcl", "terraform": ".tf", "tex": ".tex", "tf": ".tf", "toml": ".toml",
    "ts": ".ts", "tsx": ".tsx", "tsv": ".tsv", "typescript": ".ts", "vb": ".vb", "verilog": ".v", "vim": ".vim",
    "vue": ".vue", "wgsl": ".wgsl", "xml": ".xml", "yaml": ".yaml", "yml": ".yaml", "zig": ".zig", "zsh": ".zsh",
}  # fmt: skip
_WHOLE_NAMES = {"docker": "Dockerfile", "dockerfile": "Dockerfile", "make": "Makefile", "makefile": "Makefile"}
_OWN_NAME = re.compile(
    r"\s*(?:#|//|--|;|%|/\*|<!--|rem|\"\"\")\s*(?:file(?:name)?\s*:\s*)?(?:[\w.-]+/)*([\w-][\w.-]{0,60}\.[A-Za-z0-9]{1,8})\s*(?:\*/|-->|\"\"\")?\s*",
    re.IGNORECASE,
)
_NOT_BY_A_NAME = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
)


def file_name(language: str, text: str) -> str:
    """Return a name for the file. A first line that is nothing but a file's name in a comment gives that, without folders."""
    language = language.lower()
    own = _OWN_NAME.fullmatch(text.partition("\n")[0][:200])
    if own and own[1].split(".")[0].lower() not in _NOT_BY_A_NAME and not own[1].startswith("."):
        return own[1]
    return _WHOLE_NAMES.get(language) or f"code{_ENDINGS.get(language, '.txt')}"
