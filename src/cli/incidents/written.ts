import { existsSync, writeFileSync } from 'node:fs'
import { whyUnreadable } from '../../kernel/reason.ts'
import type { WrittenScenario } from '../../scenarios/incidents/scenario-text.ts'
import { CliError, UsageProblem } from '../config.ts'
import { currentContext, print, printError } from '../context.ts'
import { printJson } from '../output.ts'

/** Where a scenario is written, and under which name. */
export interface WrittenOptions {
  readonly name: string
  readonly out?: string
  readonly json?: boolean
}

export function assertWritable({ name, out }: WrittenOptions): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UsageProblem(`"${name}" is not a scenario name; use lower-case letters, digits and hyphens.`)
  if (out !== undefined && existsSync(out))
    throw new CliError(`${out} already exists; choose another file, or remove it.`)
}

/** Writes a scenario to its file, or to standard output, with what is to be said about it. */
export function writeOut({ name, out, json }: WrittenOptions, { source, notes }: WrittenScenario): void {
  if (out !== undefined) write(out, source)
  if (json) return printJson({ name, source, notes, file: out ?? null })
  if (out === undefined) {
    currentContext().stdout.write(source)
    for (const note of notes) printError(`# ${note}`)
  } else for (const line of [`Created ${out}.`, ...notes]) print(line)
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${whyUnreadable(file, error)}.`)
  }
}
