/** Caches the result of the first call that neither throws nor rejects. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    if (made) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise)
      value.catch(() => {
        made = undefined
      })
    return value
  }
}
