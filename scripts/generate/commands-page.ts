import type { Command, Option } from 'commander'
import { settings } from '../../src/settings.ts'

/** Options that the page names once. */
const common = new Set(['--url', '--api-key', '--json', '--help'])
const settingFlags = new Set(Object.values(settings).map(({ flag }) => flag))

/** `docs/cli.md`: a table of the commands under each heading of the help. */
export function commandsPage(program: Command): string {
  return `${[
    '# Command line',
    '',
    'Look up a command. `petri help COMMAND` describes its options, with examples. Write `npx petri-sandbox` for `petri` if it is not',
    'installed globally. `npm run generate` writes this page from the help of the commands.',
    '',
    '- Ids can be shortened to their beginning: `petri order show 5f3a`.',
    `- \`--json\` prints JSON, except with ${withoutJson(program)}. \`--help\` prints the help.`,
    '- The exit status is 0 for success, 1 when Petri refuses or finds nothing, 2 for a usage error.',
    '- `--url` (`PETRI_URL`) is the URL of a running Petri, and `--api-key` (`PETRI_API_KEY`) selects the world. Without a URL the commands',
    '  use `PETRI_HOST` and `PETRI_PORT`, or the Petri of the folder `.petri`.',
    '- `eval "$(petri completion bash)"` completes commands, flags, scenarios, worlds, ids, event types and operations; zsh and fish too.',
    '- Calls of the command line are not recorded, and do not count toward coverage.',
    ...groupsOf(program).flatMap(({ heading, commands }) => [
      '',
      `## ${heading}`,
      '',
      '| Command | What it does | Options |',
      '|---|---|---|',
      ...commands.map(rowOf),
    ]),
  ].join('\n')}\n`
}

/** The commands without the option `--json`. */
const withoutJson = (program: Command): string =>
  visibleCommandsOf(program)
    .flatMap((command) => visibleIn(command))
    .filter(({ command }) => command.options.every(({ long }) => long !== '--json'))
    .map(({ name }) => `\`${name}\``)
    .join(', ')

function rowOf({ name, command }: Named): string {
  const input = command.registeredArguments.map((argument) => {
    const word = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`
    return argument.required ? word : `[${word}]`
  })
  const takesSettings = command.options.some(({ long }) => long === '--world-limit')
  const own = command.options.filter(
    ({ long = '', hidden }) => !hidden && !common.has(long) && !(takesSettings && settingFlags.has(long)),
  )
  const options = [
    ...(takesSettings ? ['every [setting](settings.md)'] : []),
    ...own.map(({ long }: Option) => `\`${long}\``),
  ]
  return `| \`${[name, ...input].join(' ')}\` | ${command.description()} | ${options.join(' ')} |`
}

/** The commands under one heading of the help. */
interface Group {
  readonly heading: string
  readonly commands: readonly Named[]
}

function groupsOf(program: Command): Group[] {
  const byHeading = new Map<string, Named[]>()
  for (const command of visibleCommandsOf(program)) {
    const heading = command.helpGroup().replace(':', '')
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), ...visibleIn(command)])
  }
  return [...byHeading].map(([heading, commands]) => ({ heading, commands }))
}

interface Named {
  readonly name: string
  readonly command: Command
}

const visibleCommandsOf = (parent: Command) =>
  parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== 'help')

/** A command, or its visible subcommands, with their full names. */
function visibleIn(command: Command, path = ''): Named[] {
  const name = `${path}${command.name()}`
  const children = visibleCommandsOf(command).flatMap((child) => visibleIn(child, `${name} `))
  return children.length > 0 ? children : [{ name, command }]
}
