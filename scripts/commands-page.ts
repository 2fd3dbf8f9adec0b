import type { Command } from 'commander'

/** Width of the help in characters. */
const WIDTH = 110

/** `docs/cli.md`: the help of every command, as the command line prints it. */
export function commandsPage(program: Command): string {
  const commands = visibleIn(program)
  return `${[
    '# Command line',
    '',
    '`npx petri-sandbox COMMAND`, or `petri COMMAND` where Petri is installed globally. `npm run generate` writes this page from the help of the',
    'commands. All variables of `petri start` are in [settings](settings.md).',
    '',
    '- Ids may be given by their beginning, as other commands print them: `petri order show 5f3a`.',
    '- Every command but `mcp` prints JSON with `--json`.',
    '- The exit status is 0 for success, 1 when Petri refuses or finds nothing, 2 for a usage error.',
    '- `--url` (`PETRI_URL`) is the URL of a running Petri, and `--api-key` (`PETRI_API_KEY`) selects the world.',
    '- `eval "$(petri completion bash)"` completes commands, flags, scenarios, worlds, ids, event types and operations; zsh and fish too.',
    '- Calls of the command line are not recorded, and do not count toward coverage.',
    '',
    '| Command | |',
    '|---|---|',
    ...commands.map(
      ({ name, command }) =>
        `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(command.description())} |`,
    ),
    ...commands.flatMap(({ name, command }) => ['', `## ${name}`, '', '```text', helpOf(command), '```']),
  ].join('\n')}\n`
}

interface Named {
  readonly name: string
  readonly command: Command
}

/** The visible commands that have an action, with their full names. */
function visibleIn(parent: Command, path = ''): Named[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .flatMap((command) => {
      if (command.name() === 'help') return []
      const name = `${path}${command.name()}`
      const children = visibleIn(command, `${name} `)
      return children.length > 0 ? children : [{ name, command }]
    })
}

const cell = (text: string) => text.replaceAll('|', '\\|')

function helpOf(command: Command): string {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => WIDTH })
  command.outputHelp()
  return written.join('').trimEnd()
}
