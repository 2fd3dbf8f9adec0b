import type { Command } from 'commander'

/** Width of the help in characters. */
const WIDTH = 110

/** `docs/cli.md`: the commands by the headings of the help, each with its help. */
export function commandsPage(program: Command): string {
  const groups = groupsOf(program)
  return `${[
    '# Command line',
    '',
    '`npx petri-sandbox COMMAND`, or `petri COMMAND` where Petri is installed globally. `npm run generate` writes this page from the',
    'help of the commands. All variables of `petri start` are in [settings](settings.md).',
    '',
    '- Ids may be given by their beginning, as other commands print them: `petri order show 5f3a`.',
    '- Every command but `mcp` prints JSON with `--json`.',
    '- The exit status is 0 for success, 1 when Petri refuses or finds nothing, 2 for a usage error.',
    '- `--url` (`PETRI_URL`) is the URL of a running Petri, and `--api-key` (`PETRI_API_KEY`) selects the world.',
    '- `eval "$(petri completion bash)"` completes commands, flags, scenarios, worlds, ids, event types and operations; zsh and fish too.',
    '- Calls of the command line are not recorded, and do not count toward coverage.',
    ...groups.flatMap(({ heading, commands }) => ['', `## ${heading}`, '', ...tableOf(commands)]),
    ...groups.flatMap(({ commands }) => commands).flatMap(helpSection),
  ].join('\n')}\n`
}

const tableOf = (commands: readonly Named[]): string[] => [
  '| Command | |',
  '|---|---|',
  ...commands.map(
    ({ name, command }) =>
      `| [\`${name}\`](#petri-${name.replaceAll(' ', '-')}) | ${cell(command.description())} |`,
  ),
]

const helpSection = ({ name, command }: Named): string[] => [
  '',
  `## petri ${name}`,
  '',
  '```text',
  helpOf(command),
  '```',
]

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

const cell = (text: string) => text.replaceAll('|', '\\|')

function helpOf(command: Command): string {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => WIDTH })
  command.outputHelp()
  return written.join('').trimEnd()
}
