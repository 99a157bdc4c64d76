"""Whether macOS is set to reduce motion, which Qt does not tell: asked of AppKit, which the window has loaded anyway."""

import ctypes
import logging

logger = logging.getLogger(__name__)


def mac_wants_less_motion() -> bool:
    """Return ``NSWorkspace.sharedWorkspace.accessibilityDisplayShouldReduceMotion``; False where nobody can be asked."""
    try:
        objc = ctypes.CDLL("/usr/lib/libobjc.dylib")
    except OSError as error:
        logger.info("macOS cannot be asked whether it wants less motion: %s", error)
        return False
    for name in ("objc_getClass", "sel_registerName"):
        function = getattr(objc, name)
        function.restype, function.argtypes = ctypes.c_void_p, (ctypes.c_char_p,)
    # The function that sends messages has as many signatures as there are messages.
    send_for_object = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(("objc_msgSend", objc))
    send_for_truth = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(("objc_msgSend", objc))
    workspace = send_for_object(objc.objc_getClass(b"NSWorkspace"), objc.sel_registerName(b"sharedWorkspace"))
    return bool(send_for_truth(workspace, objc.sel_registerName(b"accessibilityDisplayShouldReduceMotion")))
