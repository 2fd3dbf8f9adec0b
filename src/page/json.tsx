/** JSON as text with colours; what a client sent is never HTML. */
export function Json({ value, indent = 0 }: { value: unknown; indent?: number }) {
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value) ?? 'none'
    return <span class={`j-${value === null ? 'null' : typeof value}`}>{text}</span>
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return <>{isList ? '[]' : '{}'}</>
  const pad = '  '.repeat(indent + 1)
  return (
    <>
      {isList ? '[\n' : '{\n'}
      {entries.map(([name, field], at) => (
        <span key={name}>
          {pad}
          {!isList && <span class="j-key">{JSON.stringify(name)}: </span>}
          <Json value={field} indent={indent + 1} />
          {at < entries.length - 1 ? ',\n' : '\n'}
        </span>
      ))}
      {'  '.repeat(indent)}
      {isList ? ']' : '}'}
    </>
  )
}

export const JsonBlock = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{typeof value === 'string' ? value : <Json value={value ?? null} />}</pre>
  </section>
)
