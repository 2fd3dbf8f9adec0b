import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject, parseJson } from '../kernel/json.ts'
import { isProcessAlive } from '../kernel/process-alive.ts'
import { FILE_MODE } from '../storage/modes.ts'

/** The file of a data folder that says where its Petri answers. */
const fileOf = (data: string): string => join(data, 'running.json')

/** Says where the Petri of a data folder answers, for commands that run in the same folder. Returns what takes it back. */
export function announceUrl(data: string, url: string): () => void {
  if (data === 'memory') return () => undefined
  writeFileSync(fileOf(data), `${JSON.stringify({ pid: process.pid, url })}\n`, { mode: FILE_MODE })
  return () => {
    if (read(data)?.pid === process.pid) rmSync(fileOf(data), { force: true })
  }
}

/** The process of a data folder's Petri, and where it answers; undefined if none is running there. */
export function runningPetri(data: string): { readonly pid: number; readonly url: string } | undefined {
  const { pid, url } = read(data) ?? {}
  return typeof pid === 'number' && typeof url === 'string' && isProcessAlive(pid) ? { pid, url } : undefined
}

function read(data: string): JsonObject | undefined {
  try {
    const found = parseJson(readFileSync(fileOf(data), 'utf8'))
    return isObject(found) ? found : undefined
  } catch {
    return undefined
  }
}
