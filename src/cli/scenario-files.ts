import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { didYouMean } from '../kernel/nearest.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { createCatalogue } from '../resources/catalogue/service.ts'
import { allResultNames } from '../resources/results/service.ts'
import { nameOfFile } from '../scenarios/bundled.ts'
import { type Judged, judgeFiles, type Parsed, parseScenario, readSource } from '../scenarios/judge.ts'
import { FEEDS, listOwnFiles, type OwnFile } from '../scenarios/own-files.ts'
import { ScenarioError } from '../scenarios/read.ts'
import { openScenarios, type ScenarioRepositories } from '../scenarios/repository.ts'
import { CliError, readConfig } from './config.ts'

/** The bundled scenarios, and with `own` those of PETRI_SCENARIOS. */
export async function openRepositories({ own = true } = {}): Promise<ScenarioRepositories> {
  const { scenarios, seeds } = readConfig()
  return inWords(async () => {
    const repositories = openScenarios(packageFolder('scenarios'), {
      folders: own && scenarios !== undefined ? [scenarios] : [],
      resultNames: () => allResultNames(createCatalogue(seeds === undefined ? [] : [seeds])),
    })
    await repositories.orders.ready()
    return repositories
  })
}

/** A scenario of orders or connections, by name or file. */
export async function scenarioOf(nameOrFile: string): Promise<Parsed> {
  if (/\.(ya?ml|json)$/.test(nameOrFile)) return parseFile(nameOrFile)
  const { orders, feeds } = await openRepositories()
  const order = orders.find(nameOrFile)
  if (order) return { kind: 'order', scenario: order }
  const feed = feeds.find(nameOrFile)
  if (feed) return { kind: 'feed', scenario: feed }
  const known = [...orders.names(), ...feeds.names()]
  throw new CliError(`There is no scenario "${nameOrFile}".${didYouMean(nameOrFile, known)}`)
}

export const parseFile = (file: string): Promise<Parsed> =>
  inWords(async () => parseScenario(readSource(file), file))

/** Checks files, and all files of folders, like a start with their folder. */
export async function judge(paths: readonly string[]): Promise<Judged[]> {
  const { scenarios } = readConfig()
  const { beside } = await openRepositories({ own: false })
  return inWords(async () => {
    const asked = withoutTwins(paths.flatMap(filesAt))
    const near = [...asked.flatMap(neighbours), ...(scenarios === undefined ? [] : listOwnFiles(scenarios))]
    return judgeFiles(withoutTwins([...asked, ...near]), beside).slice(0, asked.length)
  })
}

const filesAt = (path: string): OwnFile[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? listOwnFiles(path)
    : [{ path, name: nameOfFile(path), kind: undefined }]

/** The files of the same folder, which a start reads together. */
function neighbours({ path }: OwnFile): OwnFile[] {
  const folder = dirname(path)
  const root = basename(resolve(folder)) === FEEDS ? dirname(resolve(folder)) : folder
  return statSync(root, { throwIfNoEntry: false })?.isDirectory() ? listOwnFiles(root) : []
}

function withoutTwins(files: readonly OwnFile[]): OwnFile[] {
  const byPath = new Map<string, OwnFile>()
  for (const file of files) if (!byPath.has(resolve(file.path))) byPath.set(resolve(file.path), file)
  return [...byPath.values()]
}

/** Turns errors of files and folders into a CliError. */
async function inWords<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScenarioError) throw new CliError(error.message, { detail: error.issues })
    throw new CliError((error as Error).message)
  }
}
