import { CliError } from './config.ts'

interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The events of a stream of `id:`, `event:` and `data:` lines; Petri writes each datum in one line. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let unread = ''
  try {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const blocks = `${unread}${text}`.split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) {
        const [id, event, data] = ['id', 'event', 'data'].map(
          (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1],
        )
        if (event !== undefined && data !== undefined) yield { id, event, data }
      }
    }
  } catch (error) {
    throw new CliError(`The stream broke off: ${(error as Error).message}.`)
  }
}
