/** Orders texts by their code units, and numbers by value; for `sort`. */
export function compare<Value extends string | number>(a: Value, b: Value): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
