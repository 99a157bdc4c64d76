"""The words for errors of models and their endpoints, in English; see ``error_texts``."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

MODEL_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "model.unreachable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model cannot be reached"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Nothing answered at {url} ({detail}). Check that the server runs and that the address is right, then try again.",
        ),
    ),
    "model.proxy_failed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The proxy did not lead to the model"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The way to {url} leads through a proxy, and that failed ({detail}). Check that the proxy runs and lets it through; it is set with the provider or by the system.",
        ),
    ),
    "model.unknown_host": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model cannot be reached"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The name in {url} was not found on the network ({detail}). Check your internet connection and the address, then try again.",
        ),
    ),
    "model.timeout": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model did not answer in time"),
        QT_TRANSLATE_NOOP(
            "errors",
            "No text arrived for {seconds} seconds. The text so far is kept. Try again, or choose a faster model.",
        ),
    ),
    "model.connection_lost": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The connection to the model was lost"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The text so far is kept, and no unfinished tool call was run ({detail}). Continue from there, or try again.",
        ),
    ),
    "model.ended_early": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The answer ended before it was complete"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The connection was closed before the model said that it had finished. The text so far is kept. Continue from there, or try again.",
        ),
    ),
    "model.empty": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model gave no answer"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The answer was empty. The chat may be too long for this model; start a new chat or choose another model.",
        ),
    ),
    "model.unauthorized": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key was refused"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered {status}: {detail} Check the key, and that it belongs to this provider; then try again.",
        ),
    ),
    "model.not_found": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model or its address was not found"),
        QT_TRANSLATE_NOOP(
            "errors", "{url} answered 404 for the model “{model}”: {detail} Check the model's name and the address."
        ),
    ),
    "model.no_such_model": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model was not found"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} does not offer “{model}” to this account: {detail} Choose another model, or check the name.",
        ),
    ),
    "model.endpoint_gone": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The provider was removed"),
        QT_TRANSLATE_NOOP(
            "errors",
            "“{model}” was not asked: its provider is not in the settings any more. Choose other models for this chat, or add the provider again.",
        ),
    ),
    "model.wrong_address": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The address is not quite right"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Nothing at {url} answers like a model: {detail} The address is probably {suggestion}. Change it in Settings, Models.",
        ),
    ),
    "model.filtered": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The provider's filter refused the request"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered: {detail} Sending it again will not help. Put it in other words, start a new chat, or choose another model.",
        ),
    ),
    "model.overloaded": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model has too much to do"),
        QT_TRANSLATE_NOOP(
            "errors", "{url} takes no more requests at the moment: {detail} Try again later, or choose another model."
        ),
    ),
    "model.call_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model called a tool in a form that its server cannot read"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered: {detail} Nothing was run, and the text so far is kept. Try again, or choose another model.",
        ),
    ),
    "model.rate_limited": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Too many requests"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The provider accepts no more for now, or the account's quota is used up: {detail} Wait a moment and try again.",
        ),
    ),
    "model.rejected": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The request was refused"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered {status}: {detail} Check the model and its settings, or choose another model.",
        ),
    ),
    "model.server_error": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model's server failed"),
        QT_TRANSLATE_NOOP("errors", "{url} reported an error of its own ({status}): {detail} Try again in a moment."),
    ),
    "model.not_a_stream": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This address does not answer like a model"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} sent {content_type} instead of an answer: {detail} Check the address; it usually ends in /v1.",
        ),
    ),
    "model.bad_address": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The address cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "“{url}” is not an address like http://host/v1 or https://host/v1. Correct it in Settings, Models.",
        ),
    ),
    "model.no_model": ErrorText(
        QT_TRANSLATE_NOOP("errors", "No model is chosen"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} must be told which model should answer. Choose one above the chat, or in Settings, Models.",
        ),
    ),
    "model.key_missing": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key is missing"),
        QT_TRANSLATE_NOOP(
            "errors", "The environment variable {variable} is not set or is empty. Set it, then restart Threadwell."
        ),
    ),
    "model.key_unusable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The environment variable {variable} holds characters that cannot be part of a key, such as spaces or letters with accents. Copy the key again.",
        ),
    ),
    "model.key_not_found": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key is missing"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{name} needs a key, and the system's keychain holds none for it. Open Settings, Models, enter the key there, then try again.",
        ),
    ),
    "model.key_forgotten": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key must be entered again"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The key for {name} was kept only until Threadwell was closed. Open Settings, Models, enter it there, then try again.",
        ),
    ),
    "model.key_locked": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The keychain is locked"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The key for {name} is in the system's keychain, which is locked. Unlock it and try again, or open Settings, Models, and enter the key for now.",
        ),
    ),
    "model.key_refused": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The keychain refused access to the key"),
        QT_TRANSLATE_NOOP(
            "errors",
            "Access to the key for {name} was refused. Allow it in the system's keychain and try again, or open Settings, Models, and enter the key for now.",
        ),
    ),
    "model.key_no_keychain": ErrorText(
        QT_TRANSLATE_NOOP("errors", "No keychain is available"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The key for {name} was kept in the system's keychain. Open Settings, Models, enter the key for now, then try again.",
        ),
    ),
    "model.key_unreadable": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The keychain did not answer"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The key for {name} could not be read ({detail}). If a window asks for the keychain's password, answer it and try again; else open Settings, Models, and enter the key for now.",
        ),
    ),
    "model.key_malformed": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The key cannot be used"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The key for {name} holds characters that cannot be part of a key, such as spaces or letters with accents. Copy it again and enter it in Settings, Models.",
        ),
    ),
    "model.no_list": ErrorText(
        QT_TRANSLATE_NOOP("errors", "There is no list of models"),
        QT_TRANSLATE_NOOP(
            "errors", "{url} does not say which models it has ({detail}). Type the model's name yourself."
        ),
    ),
    "model.unknown_model": ErrorText(
        QT_TRANSLATE_NOOP("errors", "This model is not available"),
        QT_TRANSLATE_NOOP("errors", "{url} does not know “{model}”. It has: {models}. Choose one of them."),
    ),
    "model.loading": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The model is still being loaded"),
        QT_TRANSLATE_NOOP("errors", "The server at {url} is loading the model into memory. Try again in a moment."),
    ),
    "model.no_answer": ErrorText(
        QT_TRANSLATE_NOOP("errors", "No answer came in time"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} accepted the question, but nothing came back within {seconds} seconds. A local model may still be loading. Try again, or choose a smaller or faster model.",
        ),
    ),
    "model.broke_off": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The connection broke off"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} began to answer, but the answer did not arrive whole ({detail}). Try again, or choose another model.",
        ),
    ),
    "model.forbidden": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Access was denied"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered {status}: {detail} The account, its plan or the region may not use this model. Choose another model, or ask the provider.",
        ),
    ),
    "model.no_credit": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The account has no credit left"),
        QT_TRANSLATE_NOOP("errors", "{url} answered: {detail} Top up the account, then try again."),
    ),
    "model.context_full": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The chat is too long for this model"),
        QT_TRANSLATE_NOOP("errors", "{detail} Start a new chat, or choose a model with a larger context."),
    ),
    "model.redirected": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The address redirects to another one"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{url} answered {status} and redirects to {location}. Nothing was sent there. If you trust it, enter it as the address.",
        ),
    ),
    "model.bad_stream": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The answer could not be read"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The text so far is kept, and no unfinished tool call was run ({detail}). Continue from there, or try again.",
        ),
    ),
    "model.too_long": ErrorText(
        QT_TRANSLATE_NOOP("errors", "The answer did not end"),
        QT_TRANSLATE_NOOP(
            "errors",
            "The model wrote far more than an answer can hold and was stopped; models that repeat themselves do that. The beginning is kept. Try again, or choose another model.",
        ),
    ),
    "model.internal": ErrorText(
        QT_TRANSLATE_NOOP("errors", "Something in Threadwell failed while answering"),
        QT_TRANSLATE_NOOP(
            "errors",
            "{detail} What was received is kept. Try again; if it happens again, the log files have the details for a report.",
        ),
    ),
}
