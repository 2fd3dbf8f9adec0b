import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { append, compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { createCatalogue } from '../../resources/catalogue/service.ts'
import { RecordReader } from '../../scenarios/incidents/record.ts'
import { writeScenario } from '../../scenarios/incidents/scenario-text.ts'
import { createClient } from '../../terminal/client.ts'
import { CommandFailed, UsageProblem } from '../../terminal/errors.ts'
import { ACCEPTED, readLog } from '../../tools/incidents/documents.ts'
import { fitLabTest } from '../../tools/incidents/lab-test.ts'
import { featuresOf, personOf, play } from '../../tools/incidents/play.ts'
import { incidentTestText, type TestKind, testKinds } from '../../tools/incidents/test-text.ts'
import {
  assertNew,
  nameOf,
  orThrow,
  report,
  type WrittenOptions,
  writeBeside,
  writeNew,
} from '../../tools/incidents/written.ts'
import { readClientConfig } from '../config.ts'
import { wholeId } from '../ids.ts'
import { exampleText, type TargetOptions, withTarget } from '../remote.ts'

interface FromOptions extends TargetOptions, WrittenOptions {
  readonly test?: string
  readonly order?: string
}

export function registerIncidents(scenario: Command): void {
  withTarget(
    scenario
      .command('from')
      .argument(
        '<sources...>',
        'files with an order, its results or its webhooks (JSON, JSON lines, or a log or CSV that holds them), "-", or an order id',
      )
      .description('write a scenario that repeats what happened to an order')
      .option('--name <name>', 'the name of the scenario (default: that of --out, or incident)')
      .option('--out <file>', 'where to write it; standard output if omitted')
      .option('--test <kind>', `write a test next to it: ${kindsInWords}`)
      .option('--order <id>', 'the order or the beginning of its id, if the files have several'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri scenario from order.json --out scenarios/incidents/lost-kit.yaml --test vitest',
        'petri scenario from webhooks.jsonl result.json --order ORDER_ID',
        'petri scenario from datadog-export.csv --order 5f3a',
        'petri scenario from ORDER_ID',
      ]),
    )
    .action(writeFrom)
}

const kindsInWords = Object.keys(testKinds).join(', ')

/** The id of an order, or its beginning. */
const ORDER_ID = /^[0-9a-f][0-9a-f-]*(\u2026|\.\.\.)?$/i

async function writeFrom(sources: readonly string[], options: FromOptions): Promise<void> {
  const { out } = options
  const name = nameOf(options)
  const test = testFileOf(name, options)
  for (const file of [out, test?.path]) assertNew(file)
  const reader = new RecordReader(options.order)
  const skipped: string[] = []
  for (const source of sources) append(skipped, await readSource(reader, source, options))
  const read = orThrow(() => reader.finish(), `${sources.join(', ')}: `, ` ${ACCEPTED}.`)
  const { record, labTest, notes: unfit } = fitLabTest(read, createCatalogue(), name)
  const { source, notes, leftOut } = writeScenario(record, name)
  const { differences, compared, webhooks, moments } = await play(source, name, record, labTest)
  const all = [...skipped, ...notes, ...unfit, ...leftOut, ...differences]
  const isSame = leftOut.length === 0 && differences.length === 0
  if (out !== undefined) writeBeside(out, source, 'order')
  if (test) {
    const isRegistrable = record.workflow === 'registrable_kit'
    const file = basename(out ?? '')
    const world = { features: featuresOf(record), person: personOf(record) }
    const { isRedraw } = record
    const played = { webhooks, moments, differences }
    const incident = { name, file, isRegistrable, isRedraw, ...played, labTest, ...world }
    writeNew(test.path, incidentTestText(test.kind, incident))
  }
  report(
    options,
    { name, source, notes: all },
    compact([
      out !== undefined && `Created ${out}.`,
      test && `Created ${test.path}; put your handler and your check into it.`,
      ...all,
      isSame && `Played: it gives ${compared}`,
    ]),
    { test: test?.path ?? null },
  )
  if (differences.length > 0) throw new CommandFailed()
}

/** The test to write next to the scenario. */
function testFileOf(name: string, { test, out }: FromOptions) {
  if (test === undefined) return undefined
  if (!Object.hasOwn(testKinds, test))
    throw new UsageProblem(
      `"${test}" is not a kind of test; choose one of ${kindsInWords}.${didYouMean(test, Object.keys(testKinds))}`,
    )
  if (out === undefined)
    throw new UsageProblem('--test needs --out, because the test reads the file of the scenario.')
  const kind = test as TestKind
  return { kind, path: join(dirname(out), testKinds[kind].fileOf(name)) }
}

/** Reads a file, or an order of a running Petri. Returns what was left out, in sentences. */
async function readSource(
  reader: RecordReader,
  source: string,
  options: FromOptions,
): Promise<readonly string[]> {
  if (!ORDER_ID.test(source) || existsSync(source)) {
    const { skipped, unread } = await readLog(source, (document) => reader.add(document))
    append(reader.unread, unread)
    return skipped
  }
  const petri = createClient(readClientConfig(options))
  const input = { order_id: await wholeId(petri, 'order', source) }
  reader.add(await petri.call('GET /_petri/orders/{order_id}/record', input))
  const results = await petri.call('GET /v3/order/{order_id}/result', input).catch(() => undefined)
  if (results !== undefined) reader.add(results)
  return []
}
