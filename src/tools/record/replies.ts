import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { detailLines } from '../../kernel/detail-text.ts'
import { isObject, type JsonObject, parseJson } from '../../kernel/json.ts'
import { CliError, UsageProblem } from '../../terminal/errors.ts'
import { writeWhole } from '../../terminal/whole-file.ts'
import type { TeamApi } from '../team-api.ts'

export type Replies = Awaited<ReturnType<typeof openReplies>>

interface Expected {
  /** The field that holds the list; empty if the body is the list, undefined if there is none. */
  readonly list?: string
  /** Whether it is undefined if the service refuses it with a 4xx status. */
  readonly mayBeRefused?: boolean
}

/**
 * The replies of a team's API, kept in a folder until its recording is complete, so that none is asked for twice. Throws
 * if those in the folder are of another service.
 */
export async function openReplies(api: TeamApi, folder: string) {
  const kept = join(folder, '.recording')
  const sourceFile = join(kept, 'source.json')
  const source = await readKept(sourceFile)
  if (source !== undefined && source !== api.url)
    throw new UsageProblem(
      `${folder} has an unfinished recording of ${String(source)}. Finish it, or name another folder.`,
    )
  return {
    /** Whether an earlier recording was interrupted. */
    isResumed: source !== undefined,
    /** The body of a GET. Throws for another shape than expected. */
    async get(path: string, { list, mayBeRefused = false }: Expected): Promise<unknown> {
      // A path with a cursor may be longer than the name of a file may be.
      const file = join(kept, `${hash('sha256', path)}.json`)
      const before = await readKept(file)
      if (before !== undefined) return before
      const { status, body } = await api.ask({ method: 'GET', path })
      if (mayBeRefused && status >= 400 && status < 500) return undefined
      if (status !== 200 || body === undefined) throw new CliError(refusalOf(api, path, status, body))
      assertShape(api, path, body, list)
      await mkdir(kept, { recursive: true })
      if (!existsSync(sourceFile)) await writeWhole(sourceFile, api.url)
      await writeWhole(file, body)
      return body
    },
    /** Removes the replies. */
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
  const said = isObject(body) && body.detail !== undefined ? `: ${detailLines(body.detail)[0]}` : ''
  return `${url} answered GET ${path} with ${status}${body === undefined ? ', which is no JSON' : said}.`
}

/** Fields that hold a list, or null. */
const LISTS = new Set(
  'data markers expected_results questions answers aliases supported_resources'.split(' '),
)

/** Throws for lists that are none or have missing items, naming the field: nothing is recorded of such a reply. */
function assertShape({ url }: TeamApi, path: string, body: unknown, list: string | undefined): void {
  const refuse = (where: string, what: string): never => {
    throw new CliError(`${url} answered GET ${path} with ${what} in ${where || 'the body'}.`)
  }
  if (list === '' ? !Array.isArray(body) : !isObject(body)) refuse('', list === '' ? 'no list' : 'no object')
  const rows = list ? (body as JsonObject)[list] : body
  if (list && !Array.isArray(rows)) refuse(list, 'no list')
  if (list !== undefined)
    for (const [at, row] of (rows as readonly unknown[]).entries())
      if (Array.isArray(row)) refuse(`${list}[${at}]`, 'no object')
  const check = (value: unknown, where: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, at) => {
        if (item === null) refuse(`${where}[${at}]`, 'null')
        if (isObject(value[0]) !== isObject(item))
          refuse(`${where}[${at}]`, 'another kind of value than before')
        check(item, `${where}[${at}]`)
      })
    } else if (isObject(value)) {
      for (const [name, field] of Object.entries(value)) {
        const inner = where === '' ? name : `${where}.${name}`
        if (LISTS.has(name) && field !== null && !Array.isArray(field)) refuse(inner, 'no list')
        check(field, inner)
      }
    }
  }
  try {
    check(body, '')
  } catch (error) {
    if (error instanceof RangeError) refuse('', 'too deep a structure')
    throw error
  }
}
