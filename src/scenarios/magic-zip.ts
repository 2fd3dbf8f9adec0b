/** Postal codes that belong to no place, and pick scenarios. */
export const MAGIC_ZIP = /^00[1-4]\d\d$/
