import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { JsonObject } from '../../kernel/json.ts'
import { append } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import { messageOf } from '../../kernel/reason.ts'
import { type Catalogue, createCatalogue } from '../../resources/catalogue/service.ts'
import type { SeedFileName } from '../../resources/catalogue/tables.ts'
import { escapeLine, print } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { writeWhole } from '../../terminal/whole-file.ts'
import { recordLabCatalogue } from '../../tools/record/lab-catalogue.ts'
import { recordPlace } from '../../tools/record/places.ts'
import { openReplies, type Replies, readKept } from '../../tools/record/replies.ts'
import { type LeftOut, listOf, type SeedFile } from '../../tools/record/seed-rows.ts'
import { recordLabAccounts, recordPayors, recordProviders } from '../../tools/record/team-lists.ts'
import { createTeamApi, readZips } from '../../tools/team-api.ts'
import { exampleText } from '../remote.ts'

interface RecordOptions {
  readonly from: string
  readonly key: string
  readonly out: string
  readonly zip?: readonly string[]
  readonly json?: boolean
}

export function register(program: Command): void {
  program
    .command('record')
    .description(
      'record the catalogue of your team into a folder for "petri start --seeds"; only reads, and resumes after an interruption',
    )
    .requiredOption('--from <url>', 'URL of the service: the live sandbox, or another Petri')
    .requiredOption('--key <key>', 'API key of your team there; it is sent only to this URL')
    .requiredOption('--out <folder>', 'folder for the seed files; existing files are kept')
    .option('--zip <codes...>', 'ZIP codes whose laboratories and service centers are recorded')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      exampleText([
        'petri record --from https://sandbox.example.com --key "$SANDBOX_KEY" --out seeds --zip 85004 10001',
        'petri start --fresh --seeds seeds',
      ]),
    )
    .action(record)
}

/** A part of a recording: its files, and how they are read. */
interface Part {
  readonly files: readonly SeedFileName[]
  readonly read: (replies: Replies, bundled: Catalogue, leftOut: LeftOut) => Promise<SeedFile[]>
}

const parts: readonly Part[] = [
  {
    files: ['labs', 'analytes', 'results', 'lab-profiles', 'orderables', 'markers', 'lab-tests'],
    read: recordLabCatalogue,
  },
  { files: ['lab-accounts'], read: recordLabAccounts },
  { files: ['providers'], read: recordProviders },
  { files: ['payors'], read: recordPayors },
]

async function record(options: RecordOptions): Promise<void> {
  const { out: folder } = options
  const zips = readZips(options.zip ?? [])
  const api = createTeamApi({ url: options.from, apiKey: options.key, flag: '--from', command: 'record' })
  const replies = await openReplies(api, folder)
  const bundled = createCatalogue()
  const leftOut: LeftOut = []
  const files: SeedFile[] = []
  for (const part of parts) {
    const isThere = part.files.every((name) => existsSync(fileOf(folder, name)))
    if (replies.isResumed || !isThere) append(files, await part.read(replies, bundled, leftOut))
  }
  append(files, await recordPlaces(replies, { folder, zips, bundled, leftOut }))
  for (const { name, rows, complete } of files)
    await writeWhole(fileOf(folder, name), complete ? { complete, rows } : rows)
  await replies.finish()
  assertUsable(folder)
  const counts = Object.fromEntries(files.map(({ name, rows }) => [name, rows.length]))
  if (options.json) printJson({ folder, files: counts, left_out: leftOut })
  else print(textOf(folder, counts, leftOut))
}

const fileOf = (folder: string, name: SeedFileName) => join(folder, `${name}.json`)

interface PlacesInput {
  readonly folder: string
  readonly zips: readonly string[]
  readonly bundled: Catalogue
  readonly leftOut: LeftOut
}

/** Adds ZIP codes to those that the folder has. */
async function recordPlaces(
  replies: Replies,
  { folder, zips, bundled, leftOut }: PlacesInput,
): Promise<SeedFile[]> {
  const names = ['area-info', 'psc-sites', 'psc-info'] as const
  const rows = new Map<SeedFileName, Map<string, object>>()
  for (const name of names) rows.set(name, byId(listOf(await readKept(fileOf(folder, name)))))
  const known = [...(rows.get('area-info')?.values() ?? [])].map((row) => 'zip_code' in row && row.zip_code)
  const missing = replies.isResumed ? zips : zips.filter((zip) => !known.includes(zip))
  for (const zip of missing)
    for (const file of await recordPlace(replies, zip, bundled, leftOut))
      for (const [id, row] of byId(file.rows)) rows.get(file.name)?.set(id, row)
  if (missing.length === 0) return []
  return names.map((name) => ({ name, rows: [...(rows.get(name)?.values() ?? [])], complete: false }))
}

/** Rows of places by what names them. */
const byId = (rows: readonly object[]): Map<string, object> =>
  new Map(
    rows.map((row) => {
      const { lab, site_code, zip_code, radius } = row as JsonObject
      return [JSON.stringify(site_code === undefined ? [lab, zip_code, radius] : [lab, site_code]), row]
    }),
  )

/** Throws if a Petri would not start with the folder, for example because of files that were there before. */
function assertUsable(folder: string): void {
  try {
    createCatalogue([folder])
  } catch (error) {
    throw new CliError(`${folder} cannot be used as seeds: ${messageOf(error)}`)
  }
}

function textOf(folder: string, counts: Readonly<Record<string, number>>, leftOut: LeftOut): string {
  const recorded = Object.entries(counts).map(([name, count]) => `  ${name}.json: ${plural(count, 'row')}`)
  const lines = recorded.length > 0 ? [`Recorded into ${folder}:`, ...recorded] : [`${folder} is complete.`]
  if (leftOut.length > 0) append(lines, ['Left out:', ...leftOut.map((each) => escapeLine(`  ${each}`))])
  return [...lines, `npx petri-sandbox start --fresh --seeds ${folder}`].join('\n')
}
