"""The host names of the live service. Written by `npm run generate`; do not edit."""

LIVE_HOSTS = frozenset(
    [
        "api.us.junction.com",
        "api.tryvital.io",
        "api.eu.junction.com",
        "api.eu.tryvital.io",
        "api.sandbox.us.junction.com",
        "api.sandbox.tryvital.io",
        "api.sandbox.eu.junction.com",
        "api.sandbox.eu.tryvital.io",
        "api.dev.us.junction.com",
        "api.dev.tryvital.io",
        "api.dev.eu.junction.com",
        "api.dev.eu.tryvital.io",
        "api.management.junction.com",
        "link.tryvital.io",
        "link.dev.tryvital.io",
        "auth.us.junction.com",
        "auth.eu.junction.com",
        "auth.sandbox.us.junction.com",
        "auth.sandbox.eu.junction.com",
        "auth.dev.us.junction.com",
        "auth.dev.eu.junction.com",
    ]
)
