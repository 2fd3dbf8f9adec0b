import type { Command } from 'commander'
import { registerRemote, remote, segment, textOf } from '../remote.ts'

export function registerOrganisation(program: Command): void {
  registerRemote(
    program
      .command('organisation')
      .description(
        'what people do outside of the management API; needs PETRI_CONTROL_TOKEN, or a call from the same machine',
      ),
    commands,
  )
}

const path = '/_petri/organisation'

const commands = [
  remote({
    usage: 'accept <invite>',
    summary: 'accept an invite to the organisation, as whoever got it would',
    options: [['--name <name>', 'what the new member is called']],
    examples: ['petri organisation accept INVITE_ID --name "Ada Example"'],
    run: (petri, [id], { name }) =>
      petri.post<object>(`${path}/invites/${segment(id)}/accept`, { name: textOf(name) }),
    print: (member) => JSON.stringify(member, null, 2),
  }),
  remote({
    usage: 'publish <domain>',
    summary: 'enter the DNS record of a domain of the organisation, so that it can be verified',
    examples: ['petri organisation publish DOMAIN_ID'],
    run: (petri, [id]) => petri.post<object>(`${path}/domains/${segment(id)}/publish`),
    print: (domain) => JSON.stringify(domain, null, 2),
  }),
]
