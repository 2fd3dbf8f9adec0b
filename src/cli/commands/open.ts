import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { pageAddress } from '../page-address.ts'
import { registerRemote, remote } from '../remote.ts'

export function registerOpen(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'open',
      summary: 'open the page on which a running Petri is watched and driven',
      examples: ['petri open', 'petri open --url http://127.0.0.1:4080'],
      async run(petri) {
        await petri.get('/_petri/health')
        const address = pageAddress(petri.config.url, petri.config)
        openInBrowser(address)
        return { address }
      },
      print: ({ address }) => `The page is at ${address}`,
    }),
  ])
}

/** The command that opens a URL, by platform. Without a browser nothing happens. */
const commands: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function openInBrowser(address: string): void {
  const [command = 'xdg-open', ...args] = commands[process.platform] ?? []
  const child = spawn(command, [...args, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}
