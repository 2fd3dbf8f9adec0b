import type { Command } from 'commander'
import { type RemoteCommand, registerRemote } from '../remote.ts'

export function register(program: Command): void {
  registerRemote(
    program
      .command('organisation')
      .description(
        'what happens outside of the management API; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
      ),
    organisationCommands,
  )
}

const organisationCommands: readonly RemoteCommand[] = [
  {
    usage: 'accept <invite>',
    summary: 'accept an invitation to the organisation as its recipient',
    options: [['--name <name>', 'name of the new member']],
    examples: ['petri organisation accept INVITE_ID --name "Ada Example"'],
    route: 'POST /_petri/organisation/invites/{invite_id}/accept',
    fields: { invite: 'invite_id' },
  },
  {
    usage: 'publish <domain>',
    summary: 'publish the DNS record of a domain of the organisation, so that it can be verified',
    examples: ['petri organisation publish DOMAIN_ID'],
    route: 'POST /_petri/organisation/domains/{domain_id}/publish',
    fields: { domain: 'domain_id' },
  },
]
