import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { UserPersona } from '../../control/personas.ts'
import { type RemoteCommand, registerRemote } from '../remote.ts'

export function register(program: Command): void {
  registerRemote(program.command('user').description('who a user is'), userCommands)
}

const userCommands: readonly RemoteCommand[] = [
  {
    usage: 'create [name]',
    summary: 'create a user, and print its id',
    options: [['--persona <persona>', 'who it is; "petri scenario list --kind persona" lists them']],
    examples: ['petri user create ada --persona athlete'],
    route: 'POST /_petri/users',
    fields: { name: 'client_user_id' },
    print: ({ user_id }: { user_id: string }) => user_id,
  },
  {
    usage: 'persona <user> [persona]',
    summary: 'give a user a persona from today on; "none" for the person that follows from the seed',
    examples: ['petri user persona 5f3a… type-2-diabetes', 'petri user persona 5f3a… none'],
    run: (petri, { user_id, persona }) =>
      persona === undefined
        ? petri.call<Parsed<typeof UserPersona>>('GET /_petri/users/{user_id}/persona', { user_id })
        : petri.call<Parsed<typeof UserPersona>>('PUT /_petri/users/{user_id}/persona', {
            user_id,
            persona: persona === 'none' ? null : persona,
          }),
    print: ({ user_id, persona, begins }: Parsed<typeof UserPersona>) =>
      persona === null ? `${user_id} has no persona.` : `${user_id} is ${persona} since ${begins}.`,
  },
  {
    usage: 'fhir <user>',
    summary: 'print a user as a FHIR R4 bundle: patient, conditions, treatments and reports',
    examples: ['petri user fhir 5f3a… > ada.json'],
    route: 'GET /_petri/users/{user_id}/fhir',
  },
]
