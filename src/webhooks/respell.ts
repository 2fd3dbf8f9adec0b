/** The same JSON as another encoder may write it: with spaces, escapes, and its keys in reverse order. */
export const respell = (json: string): string => write(JSON.parse(json))

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => `${escaped(name)}: ${write(inner)}`)
    return `{${fields.reverse().join(', ')}}`
  }
  return typeof value === 'string' ? escaped(value) : JSON.stringify(value)
}

/** With escapes for slashes, and for letters beyond ASCII. */
const escaped = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
