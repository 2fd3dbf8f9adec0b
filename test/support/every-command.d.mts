export type Format = 'text' | 'json' | 'markdown'
export const formats: readonly Format[]
export const calledCommands: readonly string[]
export function runEveryCommand(options: {
  readonly main: string
  readonly url: string
  readonly format: Format
}): Promise<string[]>
