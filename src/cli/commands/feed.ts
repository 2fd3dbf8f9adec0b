import { parse } from 'node:path'
import type { Command } from 'commander'
import { compact } from '../../kernel/list.ts'
import { findSeries } from '../../resources/timeseries/service.ts'
import { type FeedChoice, FeedReader } from '../../scenarios/incidents/feed-record.ts'
import { writeFeed } from '../../scenarios/incidents/feed-text.ts'
import { readDocuments } from '../../tools/incidents/documents.ts'
import { playFeed } from '../../tools/incidents/play-feed.ts'
import {
  assertNew,
  nameOf,
  orThrow,
  report,
  type WrittenOptions,
  writeBeside,
} from '../../tools/incidents/written.ts'
import { exampleText } from '../remote.ts'

interface FromOptions extends WrittenOptions, FeedChoice {}

export function register(program: Command): void {
  program
    .command('feed')
    .description('the data of connections; see also petri scenario')
    .command('from')
    .argument(
      '<files...>',
      'files with webhooks of health data, samples or summaries (JSON or JSON lines), or "-"',
    )
    .description('write a feed scenario that repeats the timing of recorded data')
    .option('--name <name>', 'the name of the scenario (default: that of --out, or incident)')
    .option('--out <file>', 'where to write it; standard output if omitted')
    .option('--user <id>', 'the user, if the files have several')
    .option('--provider <slug>', 'the provider, if the files have several')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      exampleText([
        'petri feed from webhooks.jsonl --name late-steps --out scenarios/feeds/late-steps.yaml',
        'petri feed from steps.json heartrate.json',
        'petri feed from webhooks.jsonl --user USER_ID --provider fitbit',
      ]),
    )
    .action(writeFrom)
}

async function writeFrom(files: readonly string[], options: FromOptions): Promise<void> {
  const { out } = options
  const name = nameOf(options)
  assertNew(out)
  const reader = new FeedReader(options)
  // Samples do not say what they measure, but the name of their file may.
  for (const file of files) await readDocuments(file, (document) => reader.add(document, nameOfSeries(file)))
  const record = orThrow(() => reader.finish())
  const { source, notes } = writeFeed(record, name)
  const differences = await playFeed(source, name, record)
  const all = [...notes, ...differences]
  if (out !== undefined) writeBeside(out, source, 'feed')
  report(
    options,
    { name, source, notes: all },
    compact([
      out !== undefined && `Created ${out}.`,
      ...all,
      differences.length === 0 && 'Played: the same data come at the same times.',
    ]),
  )
}

const nameOfSeries = (file: string): string | undefined => {
  const { name } = parse(file)
  return findSeries(name) && name
}
