/** Whether a text has each word that was typed, in any order and case, also as a part of a longer word. */
export function hasWords(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/)
  return (text) => {
    const searched = text.toLowerCase()
    return words.every((word) => searched.includes(word))
  }
}
