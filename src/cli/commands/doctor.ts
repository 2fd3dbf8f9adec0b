import type { Command } from 'commander'
import { CommandFailed, readClientConfig, readConfig } from '../config.ts'
import { print } from '../context.ts'
import {
  elsewhere,
  examineContainer,
  examineData,
  examinePort,
  examineWebhooks,
  type Finding,
  isThisMachine,
} from '../examine.ts'
import { paint, printJson } from '../output.ts'
import { probe } from '../probe.ts'
import { type TargetOptions, withTarget } from '../remote.ts'

const signs: Readonly<Record<Finding['verdict'], string>> = { fine: 'ok', note: 'note', wrong: 'wrong' }
const colours = { fine: 'green', note: 'yellow', wrong: 'red' } as const

export function registerDoctor(program: Command): void {
  withTarget(
    program
      .command('doctor')
      .description(
        'look for what keeps Petri from starting, from being reached or from delivering; exit status 0 or 1',
      ),
  ).action(examine)
}

async function examine(target: TargetOptions): Promise<void> {
  const config = readConfig({ apiKey: target.apiKey })
  const { url } = readClientConfig(target)
  const found = await probe(url)
  const isHere = isThisMachine(url)
  const findings: Finding[] = [
    await examinePort(config, url, found),
    ...(isHere ? [await examineData(config, found)] : [elsewhere(url)]),
    ...(await examineWebhooks(config, url, found)),
    ...(isHere ? examineContainer(config) : []),
    { check: 'clock', verdict: 'note', detail: 'Not compared with any other; Petri is offline.' },
  ]
  if (target.json) printJson(findings)
  else {
    for (const { check, verdict, detail } of findings) {
      print(`${paint(signs[verdict].padEnd(5), colours[verdict])}  ${check.padEnd(9)}  ${detail}`)
    }
  }
  if (findings.some(({ verdict }) => verdict === 'wrong')) throw new CommandFailed()
}
