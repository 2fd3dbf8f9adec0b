import type { Command, Option } from 'commander'
import { type Candidate, candidatesOf } from '../candidates.ts'
import { UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { printJson } from '../output.ts'
import { exampleText, type TargetOptions } from '../remote.ts'

/** Completion scripts by shell. Each calls `petri complete` with the words so far. */
const scripts: Readonly<Record<string, readonly string[]>> = {
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
}

export const registerCompletion = (program: Command): void =>
  void program
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
    .action((shell: string, { json }: { json?: boolean }) => {
      const script = scripts[shell]?.join('\n')
      if (script === undefined)
        throw new UsageProblem(`Petri knows the shells ${Object.keys(scripts).join(', ')}, not "${shell}".`)
      if (json) printJson({ shell, script })
      else print(script)
    })

/** The completion commands. `wholeTree` returns the program with all its commands. */
export const completeWith = (wholeTree: () => Promise<Command>) => (program: Command) =>
  void program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .description('print what can follow these words, of which the last is not finished; for shells')
    .option('--colons', 'write descriptions as zsh reads them')
    .option('--json', 'print JSON')
    .action(async (words: readonly string[], { colons, json }: { colons?: boolean; json?: boolean }) => {
      const found = await complete(await wholeTree(), words)
      if (json) return printJson(found)
      for (const { word, help } of found)
        print(colons ? `${word.replaceAll(':', '\\:')}:${help}` : help === '' ? word : `${word}\t${help}`)
    })

/** The completions of the last word. */
async function complete(program: Command, words: readonly string[]): Promise<Candidate[]> {
  const [typed, last] = [words.slice(0, -1), words.at(-1) ?? '']
  const { command, option, position, target } = readWords(program, typed)
  const beginsSo = ({ word }: Candidate) => word.startsWith(last)
  if (option) return (await candidatesOf(placeholderOf(option.flags), last, target)).filter(beginsSo)
  if (last.startsWith('-')) return flagsOf(command).filter(beginsSo)
  const argument =
    command.registeredArguments[position] ?? command.registeredArguments.findLast(({ variadic }) => variadic)
  const values = argument ? await candidatesOf(argument.name(), last, target) : []
  return [...subcommandsOf(command), ...values].filter(beginsSo)
}

interface Place {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option: Option | undefined
  /** The number of arguments already given. */
  readonly position: number
  readonly target: TargetOptions
}

function readWords(program: Command, typed: readonly string[]): Place {
  let command = program
  let option: Option | undefined
  let position = 0
  const target: { url?: string; apiKey?: string } = {}
  for (const word of typed) {
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
      if (child) [command, position] = [child, 0]
      else position++
    }
  }
  return { command, option, position, target }
}

/** The placeholder of an option: `event` of `--type <event...>`. */
const placeholderOf = (flags: string) => /<([\w-]+)/.exec(flags)?.[1] ?? ''

const isHidden = (command: Command) => (command as unknown as { _hidden?: boolean })._hidden === true

const subcommandsOf = (command: Command): Candidate[] =>
  command.commands
    .filter((child) => !isHidden(child))
    .map((child) => ({ word: child.name(), help: child.description() }))

const flagsOf = (command: Command): Candidate[] => [
  ...command.options.map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    help: description,
  })),
  { word: '--help', help: 'print help' },
]
