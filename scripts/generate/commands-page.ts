import { type Command, Help, type Option } from 'commander'
import { settings } from '../../src/cli/settings.ts'

/** Width of the help in characters. */
const WIDTH = 110

/** What the page says once. */
const COMMON = /^(URL of a running Petri \[|API key of the world \[|print JSON$|print this help$)/
const isSetting = ({ long }: Option) => Object.values(settings).some(({ flag }) => flag === long)

/** `docs/cli.md`: the commands by the headings of the help, each with its help. */
export function commandsPage(program: Command): string {
  const groups = groupsOf(program)
  return `${[
    '# Command line',
    '',
    'Look up each command with its options. Write `npx petri-sandbox COMMAND`, or `petri COMMAND` if Petri is installed globally.',
    '`petri help` shows the commands of every day. `npm run generate` writes this page from the help of the commands.',
    '',
    '- Ids can be shortened to their beginning: `petri order show 5f3a`.',
    '- Every command except `mcp` prints JSON with `--json`, and its help with `--help`.',
    '- The exit status is 0 for success, 1 when Petri refuses or finds nothing, 2 for a usage error.',
    '- `--url` (`PETRI_URL`) is the URL of a running Petri, and `--api-key` (`PETRI_API_KEY`) selects the world. Without a URL the commands',
    '  use `PETRI_HOST` and `PETRI_PORT`, or the Petri of the folder `.petri`.',
    '- `eval "$(petri completion bash)"` completes commands, flags, scenarios, worlds, ids, event types and operations; zsh and fish too.',
    '- Calls of the command line are not recorded, and do not count toward coverage.',
    '',
    ...groups.map(
      ({ heading, commands }) =>
        `- **${heading}:** ${commands.map(({ name }) => `[\`${name}\`](#petri-${name.replaceAll(' ', '-')})`).join(' · ')}`,
    ),
    ...groups.flatMap(({ heading, commands }) => ['', `## ${heading}`, ...commands.flatMap(helpSection)]),
  ].join('\n')}\n`
}

function helpSection({ name, command }: Named): string[] {
  const takesSettings = command.options.some(({ long }) => long === '--world-limit')
  return [
    '',
    `### petri ${name}`,
    '',
    `${sentence(command.description())}${takesSettings ? ' Every [setting](settings.md) is an option.' : ''}`,
    '',
    '```text',
    helpOf(command, (option) => !COMMON.test(option.description) && !(takesSettings && isSetting(option))),
    '```',
  ]
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

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

/** The help of a command with some of its options, without its description. */
function helpOf(command: Command, isShown: (option: Option) => boolean): string {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => WIDTH })
  command.configureHelp({
    visibleOptions: (of) => new Help().visibleOptions(of).filter(isShown),
    commandDescription: () => '',
  })
  command.outputHelp()
  return written.join('').trimEnd()
}
