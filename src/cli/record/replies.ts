import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { detailText } from '../../kernel/detail-text.ts'
import { isObject, parseJson } from '../../kernel/json.ts'
import { CliError, UsageProblem } from '../config.ts'
import type { TeamApi } from '../team-api.ts'
import { writeWhole } from '../whole-file.ts'

/** The replies of a team's API, kept in a folder until a recording is complete, so that none is asked for twice. */
export interface Replies {
  /** Whether an earlier recording was interrupted. */
  readonly isResumed: boolean
  /** The body of a GET; undefined if the service refuses it with a 4xx status and `mayBeRefused` is set. */
  get(path: string, mayBeRefused?: boolean): Promise<unknown>
  /** Removes the replies. */
  finish(): Promise<void>
}

/** Opens the replies of a recording into a folder. Throws if they are of another service. */
export async function openReplies(api: TeamApi, folder: string): Promise<Replies> {
  const kept = join(folder, '.recording')
  const sourceFile = join(kept, 'source.json')
  const source = await readKept(sourceFile)
  if (source !== undefined && source !== api.url)
    throw new UsageProblem(
      `${folder} has an unfinished recording of ${String(source)}. Finish it, or name another folder.`,
    )
  return {
    isResumed: source !== undefined,
    async get(path, mayBeRefused = false) {
      const file = join(kept, `${encodeURIComponent(path)}.json`)
      const before = await readKept(file)
      if (before !== undefined) return before
      const { status, body } = await api.ask({ method: 'GET', path })
      if (mayBeRefused && status >= 400 && status < 500) return undefined
      if (status !== 200 || body === undefined) throw new CliError(refusalOf(api, path, status, body))
      await mkdir(kept, { recursive: true })
      if (!existsSync(sourceFile)) await writeWhole(sourceFile, api.url)
      await writeWhole(file, body)
      return body
    },
    finish: () => rm(kept, { recursive: true, force: true }),
  }
}

/** The value of a file; undefined if it is not there. */
export async function readKept(file: string): Promise<unknown> {
  if (!existsSync(file)) return undefined
  const value = parseJson(await readFile(file, 'utf8'))
  if (value === undefined) throw new CliError(`${file} is not JSON.`)
  return value
}

function refusalOf({ url }: TeamApi, path: string, status: number, body: unknown): string {
  const detail = isObject(body) && body.detail !== undefined ? `: ${detailText(body.detail)}` : ''
  const text = detail.split('\n')[0] ?? ''
  return `${url} answered GET ${path} with ${status}${body === undefined ? ', which is no JSON' : text}.`
}
