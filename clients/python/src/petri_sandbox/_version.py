"""Written by `npm run generate`; do not edit."""

#: The version of this client, and of the oldest Petri that it works with.
VERSION = "0.1.0"
