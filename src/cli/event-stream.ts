import { CliError } from './config.ts'

interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Parses server-sent events. Petri writes the data of an event in one line. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let unread = ''
  try {
    for await (const bytes of stream) {
      const blocks = `${unread}${decoder.decode(bytes, { stream: true })}`.split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) {
        const [id, event, data] = ['id', 'event', 'data'].map(
          (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1],
        )
        if (event !== undefined && data !== undefined) yield { id, event, data }
      }
    }
  } catch (error) {
    throw new CliError(`The stream was interrupted: ${(error as Error).message}.`)
  }
}
