import type { Command, Option } from 'commander'
import { UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { printJson } from '../output.ts'
import { exampleText } from '../remote.ts'

/** A node of the command tree: the words that lead to it, and what can follow. */
interface CommandNode {
  readonly words: readonly string[]
  readonly next: readonly { readonly word: string; readonly help: string }[]
}

type WriteScript = (places: readonly CommandNode[]) => string

const scripts: Readonly<Record<string, WriteScript>> = { bash, zsh, fish }

/** `wholeTree` returns the program with all its commands. */
export const completionWith = (wholeTree: () => Promise<Command>) => (program: Command) =>
  void program
    .command('completion')
    .argument('<shell>', Object.keys(scripts).join(', '))
    .description('print a script that completes commands and flags in a shell')
    .addHelpText(
      'after',
      exampleText([
        'eval "$(petri completion bash)"               in ~/.bashrc',
        'eval "$(petri completion zsh)"                in ~/.zshrc, after compinit',
        'petri completion fish | source                in ~/.config/fish/config.fish',
      ]),
    )
    .option('--json', 'print JSON')
    .action(async (shell: string, { json }: { json?: boolean }) => {
      const script = scripts[shell]
      if (!script)
        throw new UsageProblem(`Petri knows the shells ${Object.keys(scripts).join(', ')}, not "${shell}".`)
      const text = script(placesOf(await wholeTree(), []))
      if (json) printJson({ shell, script: text })
      else print(text)
    })

function placesOf(command: Command, words: readonly string[]): CommandNode[] {
  const flags = command.options.map((option: Option) => ({
    word: option.long ?? option.short ?? '',
    help: option.description,
  }))
  const below = command.commands.map((child) => ({ word: child.name(), help: child.description() }))
  return [
    { words, next: [...below, ...flags, { word: '--help', help: 'print help' }] },
    ...command.commands.flatMap((child) => placesOf(child, [...words, child.name()])),
  ]
}

/** Deepest first, so that the first node that matches the typed words is the right one. */
const deepestFirst = (places: readonly CommandNode[]) =>
  [...places].sort((a, b) => b.words.length - a.words.length)

function bash(places: readonly CommandNode[]): string {
  const cases = deepestFirst(places).map(({ words, next }) => {
    const pattern = words.length === 0 ? '*' : `"${words.join(' ')}"*`
    return `    ${pattern}) COMPREPLY=($(compgen -W "${next.map(({ word }) => word).join(' ')}" -- "$current")) ;;`
  })
  return [
    '_petri() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  local current="${COMP_WORDS[COMP_CWORD]}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  local before="${COMP_WORDS[*]:1:COMP_CWORD-1}"',
    '  case "$before" in',
    ...cases,
    '  esac',
    '}',
    'complete -o default -F _petri petri',
  ].join('\n')
}

function zsh(places: readonly CommandNode[]): string {
  const cases = deepestFirst(places).map(({ words, next }) => {
    const pattern = words.length === 0 ? '*' : `"${words.join(' ')}"*`
    const items = next.map(({ word, help }) => zshQuote(`${word.replaceAll(':', '\\:')}:${help}`))
    return `    ${pattern}) items=(${items.join(' ')}) ;;`
  })
  return [
    '_petri() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's.
    '  local before="${words[2,CURRENT-1]}"',
    '  local -a items',
    '  case "$before" in',
    ...cases,
    '  esac',
    "  _describe 'petri' items || _files",
    '}',
    'compdef _petri petri',
  ].join('\n')
}

const zshQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function fish(places: readonly CommandNode[]): string {
  const lines = places.flatMap(({ words, next }) => {
    const below = next.filter(({ word }) => !word.startsWith('-')).map(({ word }) => word)
    const here =
      words.length === 0
        ? '__fish_use_subcommand'
        : [
            ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
            ...(below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : []),
          ].join('; and ')
    return next.map(({ word, help }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c petri -f -n '${here}' ${what} -d '${help.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    })
  })
  return lines.join('\n')
}
