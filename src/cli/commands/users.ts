import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { UserPersona, UserTruth } from '../../control/personas.ts'
import { compact } from '../../kernel/list.ts'
import { columns } from '../../terminal/output.ts'
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
  {
    usage: 'truth <user>',
    summary: 'show the traits, conditions, treatments and episodes behind the data of a user',
    options: [
      ['--from <date>', 'the first day of episodes; a year ago by default'],
      ['--until <date>', 'the last day; today by default'],
    ],
    route: 'GET /_petri/users/{user_id}/truth',
    print: describeTruth,
  },
]

function describeTruth(truth: Parsed<typeof UserTruth>): string {
  const { sex, birth_date, race, ethnicity, persona, conditions, treatments, episodes, traits } = truth
  const spans = [
    ...conditions.map((span) => ({ ...span, what: 'condition', share: null })),
    ...treatments.map((span) => ({ ...span, what: 'treatment', degree: null })),
    ...episodes.map((span) => ({ ...span, what: 'episode', share: null })),
  ].map(({ what, name, since, until, degree, share }) => [
    what,
    name,
    since,
    until ?? '',
    ...compact([
      degree !== null && `degree ${degree}`,
      share !== null && `${Math.round(share * 100)} % of its effect`,
    ]),
  ])
  return compact([
    `${sex}, born ${birth_date}, ${race}, ${ethnicity}${persona === null ? '' : `, ${persona}`}`,
    spans.length > 0 && columns(spans, ['what', 'name', 'since', 'until', 'how']),
    columns(
      Object.entries(traits).map(([name, value]) => [name, String(value)]),
      ['trait', 'value'],
    ),
  ]).join('\n\n')
}
