// A proxy of examples/scale-out in front of several Petris on this machine.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killAtEnd, pause } from './processes.mjs'

const examples = fileURLToPath(new URL('../examples/scale-out/', import.meta.url))

/** The program, arguments and configuration of each proxy. */
const proxies = {
  nginx: {
    file: 'nginx.conf',
    versionFlag: '-v',
    args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr', '-g', 'daemon off;'],
    adapt: (text, folder) =>
      text.replaceAll('/tmp/petri-nginx', `${folder}/nginx`).replace('error_log stderr', '$& crit'),
    line: /^.*petri-(\d+):4080.*$/gm,
  },
  haproxy: {
    file: 'haproxy.cfg',
    versionFlag: '-v',
    args: (file) => ['-db', '-f', file],
    adapt: (text) => text,
    line: /^backend petri-(\d+)\n.*\n.*$|^ {2}use_backend petri-(\d+).*$|^ {2}server petri-(\d+) petri-\d+:4080$/gm,
  },
}

/** Whether a proxy can be run here. */
export const hasProxy = (name) => spawnSync(name, [proxies[name].versionFlag]).status === 0

/** The configuration of an example for Petris at these ports; each line about a Petri is repeated for each of them. */
export function configFor(name, ports, listenPort, folder) {
  const { file, line, adapt } = proxies[name]
  const text = readFileSync(join(examples, file), 'utf8')
  const forEach = text.replace(line, (found, ...numbers) => {
    const number = numbers.slice(0, 3).find((group) => /^\d+$/.test(group))
    if (number !== '0') return ''
    return ports
      .map((port, at) =>
        found.replaceAll('petri-0:4080', `127.0.0.1:${port}`).replaceAll('petri-0', `petri-${at}`),
      )
      .join('\n')
  })
  return adapt(forEach, folder).replace(/(listen |bind :)4080/, (_, what) =>
    what === 'listen ' ? `listen 127.0.0.1:${listenPort}` : `bind 127.0.0.1:${listenPort}`,
  )
}

/** Starts a proxy in front of Petris at these ports. Resolves when it answers. */
export async function startProxy(name, ports, folder, port) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, proxies[name].file)
  writeFileSync(file, configFor(name, ports, port, folder))
  const child = spawn(name, proxies[name].args(file, folder), { stdio: ['ignore', 'ignore', 'inherit'] })
  // Its workers would outlive a master that is killed.
  killAtEnd(child, 'SIGTERM')
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with status ${child.exitCode}`)
    const isThere = await fetch(`${url}/_petri/health`).then(
      () => true,
      () => false,
    )
    if (isThere) break
    await pause(20)
  }
  return {
    url,
    child,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
