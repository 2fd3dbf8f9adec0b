import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g

/** The stack of an error, with source positions if the source maps of the bundle are present. */
export function stackOf(error: unknown): string {
  const stack = (error as Error | undefined)?.stack ?? String(error)
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) maps.set(url, readSourceMap(fileURLToPath(url)))
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column))
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
