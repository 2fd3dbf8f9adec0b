import type { Command, Option } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { Snapshots } from '../../control/snapshots.ts'
import { byName } from '../../kernel/fields.ts'
import { startTimer } from '../../kernel/pause.ts'
import { type Client, createClient } from '../../terminal/client.ts'
import { print } from '../../terminal/context.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { readClientConfig } from '../config.ts'
import { idsThatBegin, isIdKind, listWorlds } from '../ids.ts'
import { exampleText, placeholderOf, type TargetOptions } from '../remote.ts'

/** Completion scripts by shell. Each calls `petri complete` with the words so far. */
const scripts = byName<readonly string[]>({
  bash: [
    '_petri() {',
    "  local IFS=$'\\n'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  COMPREPLY=($(petri complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))',
    '}',
    'complete -o default -F _petri petri',
  ],
  zsh: [
    '_petri() {',
    '  local -a items',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  items=("${(@f)$(petri complete --colons -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  if [[ -n "${items[*]}" ]]; then _describe petri items; else _files; fi',
    '}',
    'compdef _petri petri',
  ],
  fish: [
    'function __petri_complete',
    '  set -l words (commandline -opc) (commandline -ct)',
    '  petri complete -- $words[2..-1] 2>/dev/null',
    'end',
    "complete -c petri -a '(__petri_complete)'",
  ],
})

/** `wholeProgram` returns the program with all its commands. */
export function register(program: Command, wholeProgram: () => Promise<Command>): void {
  program
    .command('completion')
    .argument('<shell>', Object.keys(scripts).join(', '))
    .description(
      'print a script that completes commands, flags, scenarios, ids, operations and events in a shell',
    )
    .addHelpText(
      'after',
      exampleText([
        'eval "$(petri completion bash)"               in ~/.bashrc',
        'eval "$(petri completion zsh)"                in ~/.zshrc, after compinit',
        'petri completion fish | source                in ~/.config/fish/config.fish',
      ]),
    )
    .option('--json', 'print JSON')
    .action(printScript)
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .description('print the completions of the last of these words; for shells')
    .option('--colons', 'write descriptions in the format of zsh')
    .option('--json', 'print JSON')
    .action(async (words: readonly string[], { colons, json }: { colons?: boolean; json?: boolean }) => {
      const completions = await complete(await wholeProgram(), words)
      if (json) return printJson(completions)
      for (const { word, help } of completions) {
        if (colons) print(`${word.replaceAll(':', '\\:')}:${help}`)
        else print(help === '' ? word : `${word}\t${help}`)
      }
    })
}

function printScript(shell: string, { json }: { json?: boolean }): void {
  const script = scripts[shell]?.join('\n')
  if (script === undefined)
    throw new UsageProblem(`Petri knows the shells ${Object.keys(scripts).join(', ')}, not "${shell}".`)
  if (json) printJson({ shell, script })
  else print(script)
}

/** A completion of a word on the command line. */
interface Completion {
  readonly word: string
  readonly help: string
}

/** Returns the completions of the last word. */
async function complete(program: Command, words: readonly string[]): Promise<Completion[]> {
  const last = words.at(-1) ?? ''
  const completions = await completionsAt(readWords(program, words.slice(0, -1)), last)
  return completions.filter(({ word }) => word.startsWith(last))
}

/** The words before the one to complete. */
interface Position {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option: Option | undefined
  /** The number of arguments already given. */
  readonly argumentCount: number
  readonly target: TargetOptions
}

function readWords(program: Command, words: readonly string[]): Position {
  let command = program
  let option: Option | undefined
  let argumentCount = 0
  const target: { url?: string; apiKey?: string } = {}
  for (const word of words) {
    if (option) {
      if (option.long === '--url') target.url = word
      if (option.long === '--api-key') target.apiKey = word
      option = undefined
    } else if (word.startsWith('-')) {
      option = command.options.find(
        ({ long, short, required }) => required && (word === long || word === short),
      )
    } else {
      const child = command.commands.find((each) => each.name() === word)
      if (child) command = child
      argumentCount = child ? 0 : argumentCount + 1
    }
  }
  return { command, option, argumentCount, target }
}

async function completionsAt(position: Position, last: string): Promise<Completion[]> {
  const { command, option, argumentCount, target } = position
  if (option) return valuesOf(placeholderOf(option.flags), last, target)
  const help = command.createHelp()
  if (last.startsWith('-'))
    return help
      .visibleOptions(command)
      .map(({ long, short, description }) => ({ word: long ?? short ?? '', help: description }))
  const subcommands = help
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
    .map((child) => ({ word: child.name(), help: child.description() }))
  const { registeredArguments } = command
  const argument =
    registeredArguments[argumentCount] ?? registeredArguments.findLast(({ variadic }) => variadic)
  const values = argument ? await valuesOf(argument.name(), last, target) : []
  return [...subcommands, ...values]
}

/** Milliseconds to wait for a running Petri. */
const TIMEOUT_MS = 1000

/** Returns the possible values of a placeholder; none for an unknown one, or if no Petri answers. */
async function valuesOf(
  placeholder: string,
  beginning: string,
  target: TargetOptions,
): Promise<Completion[]> {
  const find = localFinders[placeholder]
  if (find) return find()
  let stopTimer = () => {}
  const timeout = new Promise<Completion[]>((resolve) => {
    stopTimer = startTimer(TIMEOUT_MS, () => resolve([]))
  })
  try {
    const petri = createClient(readClientConfig(target))
    return await Promise.race([findRemote(petri, placeholder, beginning), timeout])
  } catch {
    return []
  } finally {
    stopTimer()
  }
}

const withoutHelp = (words: Iterable<string>): Completion[] => [...words].map((word) => ({ word, help: '' }))

const localFinders = byName<() => Promise<Completion[]>>({
  async scenario() {
    const { openRepositories } = await import('./scenario.ts')
    const { byKind } = await openRepositories()
    return withoutHelp(Object.values(byKind).flatMap(({ names }) => names()))
  },
  async persona() {
    const { openRepositories } = await import('./scenario.ts')
    return withoutHelp((await openRepositories()).byKind.persona.names())
  },
  async event() {
    const { eventTypeNames } = await import('../../resources/event-types.ts')
    return withoutHelp(eventTypeNames())
  },
  async operation() {
    const { resources } = await import('../../resources/index.ts')
    return resources.flatMap(({ operations }) =>
      operations.map(({ id, route }) => ({ word: id, help: route })),
    )
  },
  async status() {
    const { statusSpellings } = await import('../../resources/orders/lifecycle.ts')
    return withoutHelp(statusSpellings())
  },
})

async function findRemote(petri: Client, placeholder: string, beginning: string): Promise<Completion[]> {
  if (placeholder === 'world' || placeholder === 'key') {
    const worlds = await listWorlds(petri)
    return worlds.map(({ team_id, api_key, name }) => ({
      word: placeholder === 'key' ? api_key : team_id,
      help: name,
    }))
  }
  if (placeholder === 'snapshot') {
    const { data } = await petri.call<Parsed<typeof Snapshots>>('GET /_petri/snapshots')
    return withoutHelp(data.map(({ name }) => name))
  }
  if (!isIdKind(placeholder)) return []
  const { ids } = await idsThatBegin(petri, placeholder, beginning)
  return ids.map((word) => ({ word, help: placeholder }))
}
