import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

const PLACE = /([^\s()]+\.js):(\d+):(\d+)/g

/** The stack of an error, with source positions if the source maps of the bundle are present. */
export function stackOf(error: unknown): string {
  const stack = (error as Error | undefined)?.stack ?? String(error)
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, readSourceMap(file))
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column))
    if (!origin || !('fileName' in origin)) return place
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function readSourceMap(file: string): SourceMap | undefined {
  const map = `${file}.map`
  try {
    return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined
  } catch {
    // An error is reported even if the process can open no more files.
    return undefined
  }
}
