import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { whyUnreadable } from '../../kernel/reason.ts'
import { RecordError, RecordReader } from '../../scenarios/incidents/record.ts'
import { writeScenario } from '../../scenarios/incidents/scenario-text.ts'
import { createClient } from '../client.ts'
import { CliError, readClientConfig, UsageProblem } from '../config.ts'
import { currentContext, print } from '../context.ts'
import { readDocuments } from '../incidents/documents.ts'
import { play } from '../incidents/play.ts'
import { printJson } from '../output.ts'
import { exampleText, type TargetOptions, withTarget } from '../remote.ts'

interface FromOptions extends TargetOptions {
  readonly name: string
  readonly out?: string
  readonly order?: string
}

export function registerIncidents(scenario: Command): void {
  withTarget(
    scenario
      .command('from')
      .argument(
        '<sources...>',
        'files with an order, its results or its webhooks (JSON or JSON lines), "-", or an order id',
      )
      .description('write a scenario that repeats what happened to an order')
      .option('--name <name>', 'the name of the scenario', 'incident')
      .option('--out <file>', 'where to write it; standard output if omitted')
      .option('--order <id>', 'the order, if the files have several'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri scenario from order.json --name lost-kit --out scenarios/lost-kit.yaml',
        'petri scenario from webhooks.jsonl result.json --order ORDER_ID',
        'petri scenario from ORDER_ID',
      ]),
    )
    .action(writeFrom)
}

const ORDER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function writeFrom(sources: readonly string[], options: FromOptions): Promise<void> {
  const { name, out, json } = options
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UsageProblem(`"${name}" is not a scenario name; use lower-case letters, digits and hyphens.`)
  if (out !== undefined && existsSync(out))
    throw new CliError(`${out} already exists; choose another file, or remove it.`)
  const reader = new RecordReader(options.order)
  for (const source of sources) await readSource(reader, source, options)
  const record = orThrow(() => reader.finish())
  const { source, notes } = writeScenario(record, name)
  const differences = await play(source, name, record)
  const all = [...notes, ...differences]
  if (out !== undefined) write(out, source)
  if (json) return printJson({ name, source, notes: all, file: out ?? null })
  if (out === undefined) currentContext().stdout.write(source)
  const report = all.map((note) => `${out === undefined ? '# ' : ''}${note}`)
  const played = differences.length === 0 ? 'Played: it gives the same statuses at the same intervals.' : ''
  const lines = [
    ...(out === undefined ? [] : [`Created ${out}.`]),
    ...report,
    ...(played ? [out === undefined ? `# ${played}` : played] : []),
  ]
  for (const line of lines) out === undefined ? currentContext().stderr.write(`${line}\n`) : print(line)
}

async function readSource(reader: RecordReader, source: string, options: FromOptions): Promise<void> {
  if (ORDER_ID.test(source)) {
    const petri = createClient(readClientConfig(options))
    reader.add(await petri.call('GET /_petri/orders/{order_id}/record', { order_id: source }))
    const results = await petri
      .call('GET /v3/order/{order_id}/result', { order_id: source })
      .catch(() => undefined)
    if (results !== undefined) reader.add(results)
    return
  }
  await readDocuments(source, (document) => reader.add(document))
}

function orThrow<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RecordError) throw new CliError(error.message)
    throw error
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${whyUnreadable(file, error)}.`)
  }
}
