import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageFolder } from '../../kernel/package-folder.ts'
import { whyUnwritable } from '../../kernel/reason.ts'
import { print } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { exampleText } from '../remote.ts'

/** Where coding agents look for the skills of a project. */
const FOLDER = '.claude/skills'

export function register(program: Command): void {
  program
    .command('skill')
    .description('what a coding agent should know about Petri')
    .command('install')
    .description('copy the skill into a project; an older copy is replaced')
    .option('--folder <folder>', 'folder of the skills', FOLDER)
    .option('--json', 'print JSON')
    .addHelpText('after', exampleText(['petri skill install', 'petri skill install --folder .agents/skills']))
    .action(install)
}

function install({ folder, json }: { readonly folder: string; readonly json?: boolean }): void {
  const target = join(folder, 'petri')
  const isUpdate = existsSync(target)
  try {
    cpSync(join(packageFolder('skills'), 'petri'), target, { recursive: true })
  } catch (error) {
    throw new CliError(`The skill cannot be installed: ${whyUnwritable(target, error)}.`)
  }
  if (json) printJson({ folder: target })
  else print(`${isUpdate ? 'Updated' : 'Installed'} ${join(target, 'SKILL.md')}.`)
}
