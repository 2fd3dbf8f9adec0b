/** A word of a command line for a POSIX shell, in quotes. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The same without quotes where a shell needs none. */
export const quotedIfNeeded = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))
