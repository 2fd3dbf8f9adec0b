import { parse } from 'node:path'
import type { Command } from 'commander'
import { findSeries } from '../../resources/timeseries/service.ts'
import { type FeedChoice, FeedReader } from '../../scenarios/incidents/feed-record.ts'
import { writeFeed } from '../../scenarios/incidents/feed-text.ts'
import { RecordError } from '../../scenarios/incidents/record.ts'
import { CliError } from '../config.ts'
import { readDocuments } from '../incidents/documents.ts'
import { playFeed } from '../incidents/play-feed.ts'
import { assertWritable, type WrittenOptions, writeOut } from '../incidents/written.ts'
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
    .description('write a feed scenario that repeats when the data of a connection came')
    .option('--name <name>', 'the name of the scenario', 'incident')
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
  assertWritable(options)
  const reader = new FeedReader(options)
  // Samples do not say what they measure, but the name of their file may.
  for (const file of files) await readDocuments(file, (document) => reader.add(document, nameOfSeries(file)))
  const record = finish(reader)
  const { source, notes } = writeFeed(record, options.name)
  const differences = await playFeed(source, options.name, record)
  const same = differences.length === 0 ? ['Played: the same data come at the same times.'] : []
  writeOut(options, { source, notes: [...notes, ...differences, ...same] })
}

function finish(reader: FeedReader) {
  try {
    return reader.finish()
  } catch (error) {
    if (error instanceof RecordError) throw new CliError(error.message)
    throw error
  }
}

const nameOfSeries = (file: string): string | undefined => {
  const { name } = parse(file)
  return findSeries(name) && name
}
