/** Reads one field of a row, for `map`. */
export const field =
  <Name extends string>(name: Name) =>
  <Value>(row: { readonly [Key in Name]: Value }): Value =>
    row[name]
