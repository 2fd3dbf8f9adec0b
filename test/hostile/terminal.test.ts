import { describe, expect, it } from 'vitest'
import { columns, paint } from '../../src/terminal/output.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { openNetwork } from '../support/open-network.ts'
import { serveHost, servePetri } from '../support/served.ts'

openNetwork()

/** Sets the title of a terminal, clears it, paints, and moves the cursor; the last two have one byte. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b1A\u007f'

describe('what another program wrote', () => {
  it('reaches the terminal without control characters: the name of a world', async () => {
    const { url } = await servePetri()
    const env = { PETRI_URL: url, PETRI_API_KEY: 'sk_us_test' }
    await runPetri(['world', 'new', '--name', HOSTILE], env)
    for (const format of [[], ['--json']]) {
      const { status, stdout } = await runPetri(['world', 'list', ...format], env)
      expect(status).toBe(0)
      expect(stdout).toContain('\\u001b]0;owned\\u0007')
      expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}/u)
    }
    const { stdout } = await runPetri(['world', 'list', '--json'], env)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(HOSTILE))
  })

  it('reaches the terminal without control characters: an error of another service', {
    tags: 'slow',
  }, async () => {
    const url = await serveHost(() => Response.json({ detail: HOSTILE }, { status: 403 }))
    for (const command of [
      ['orders'],
      ['record', '--from', url, '--key', 'sk_us_x', '--out', '/tmp/never'],
      ['verify', '--against', url, '--key', 'sk_us_x'],
    ]) {
      const { stdout, stderr } = await runPetri(command, { PETRI_URL: url })
      expect(stdout + stderr).not.toMatch(/(?![\n\t])\p{Cc}/u)
    }
  })
})

it('cells are measured and cut without their colours', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`
  expect([red('x'), 'x']).toContain(paint('x', 'red'))
  expect(
    columns([
      [red('ab'), '1'],
      ['abcd', '2'],
    ]),
  ).toBe(`${red('ab')}    1\nabcd  2`)
  expect(columns([[red('abcdefghijkl'), 'end']], undefined, 14)).toBe('abcdefgh\u2026  end')
})
