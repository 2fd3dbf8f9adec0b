/** The maximum length of a word that a message repeats; identifiers, URLs and commands are shorter. */
const MAX_WORD = 300
/** The maximum length of a message; a long list of problems is shorter. */
const MAX_MESSAGE = 8000

const LONG_WORD = new RegExp(`\\S{${MAX_WORD + 1},}`, 'g')

/** A message for people that may repeat what a client sent: long words and long messages lose their middle. */
export function boundedMessage(message: string): string {
  if (message.length <= MAX_WORD) return message
  return withoutMiddle(
    message.replace(LONG_WORD, (word) => withoutMiddle(word, MAX_WORD)),
    MAX_MESSAGE,
  )
}

function withoutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor(max / 2)
  return `${text.slice(0, half)}\u2026${text.slice(-half)}`
}
