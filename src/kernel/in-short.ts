/** The beginning of a text, in one line. */
export function inShort(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}
