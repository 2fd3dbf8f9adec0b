/** Postal codes that belong to no place, and pick stories. */
export const MAGIC_ZIP = /^00[1-4]\d\d$/
