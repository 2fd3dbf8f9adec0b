/** Magic ZIP codes: unassigned ones that select scenarios. */
export const MAGIC_ZIP = /^00[1-4]\d\d$/
