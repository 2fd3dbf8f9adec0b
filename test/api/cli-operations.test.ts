import type { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/api/operation.ts'
import type { LazySchema } from '../../src/api/schema.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { createPetri } from '../../src/petri.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { serveHost } from '../support/served.ts'

// The commands that are thin clients say in a table which operation they call. Each is run here with each of its
// options, and what it sends is compared with the parameters and fields of that operation.

const ID = '11111111-2222-4333-8444-555555555555'
/** Commands that read or write files, listen, wait for an end, or call nothing or many operations. */
const others =
  /^(exec|explore|skill|start|scenario|health|record|verify|open|env|ca|mcp|events|listen|drift|doctor|stop|complet\w+|state)\b/

const program = await wholeProgram()
const petri = await createPetri({
  firstWorld: {
    name: 'x',
    seed: '1',
    frozen: true,
    now: 0,
    pace: 1,
    scenario: 'manual',
    webhookUrl: null,
  },
})
await petri.close()

interface Leaf {
  readonly name: string
  readonly command: Command
}

const leavesOf = (parent: Command, path = ''): Leaf[] =>
  parent.commands.flatMap((command) => {
    const name = `${path}${command.name()}`
    return command.commands.length > 0 ? leavesOf(command, `${name} `) : [{ name, command }]
  })

const commands = leavesOf(program).filter(({ name }) => !others.test(name))

const samples: Readonly<Record<string, string>> = {
  settings: 'redraws=true',
  values: 'ferritin=7',
}

const sampleOf = (placeholder = ''): string => {
  if (placeholder.includes('<file>')) return import.meta.filename
  if (/number|count|factor|share|code|window/.test(placeholder)) return '1'
  return samples[placeholder] ?? ID
}

const wordsOf = ({ long, flags, required, optional }: Option): string[] =>
  required || optional ? [String(long), sampleOf(flags)] : [String(long)]

interface Sent {
  readonly route: string
  readonly query: string[]
  readonly body: Readonly<Record<string, unknown>>
}

/** Runs a command against a Petri that accepts everything, and returns what it sends. */
async function sentBy(words: readonly string[]): Promise<Sent[]> {
  const sent: Sent[] = []
  const url = await serveHost(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    sent.push({
      route: `${request.method} ${pathname.replace(ID, '{}')}`,
      query: [...searchParams.keys()],
      body: JSON.parse((await request.text()) || '{}'),
    })
    return Response.json({ id: ID, data: [{ id: ID }], total: 1, features: {}, resent: 1 })
  })
  const { status, stderr } = await runPetri([...words, '--json'], { PETRI_URL: url })
  return status === 2 && /^\{"detail":"Give exactly one|at least one/.test(stderr) ? [] : sent
}

interface ObjectSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, ObjectSchema>>
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] }>>
}

function fieldsOf(lazy: LazySchema | undefined) {
  if (!lazy) return {}
  const schema = z.toJSONSchema(lazy(), { io: 'input', unrepresentable: 'any' }) as ObjectSchema
  const named = schema.$ref && schema.$defs?.[schema.$ref.replace('#/$defs/', '')]
  return (named || schema).properties ?? {}
}

const operationAt = (route: string): AnyOperation | undefined =>
  petri.operations.find((operation) => operation.route.replace(/\{\w+\}/, '{}') === route)

describe('the thin commands', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(35)
  })

  it.each(commands)('petri $name sends only what its operation takes', async ({ name, command }) => {
    const args = command.registeredArguments.map((argument) => sampleOf(argument.name()))
    const options = command.options.filter(({ long }) => !/^--(url|api-key|json)$/.test(long ?? ''))
    let calls = 0
    for (const extra of [[], ...options.map(wordsOf)]) {
      for (const { route, query, body } of await sentBy([...name.split(' '), ...args, ...extra])) {
        const operation = operationAt(route)
        expect(operation, route).toBeDefined()
        calls++
        expect(Object.keys(fieldsOf(operation?.query))).toEqual(expect.arrayContaining(query))
        const fields = fieldsOf(operation?.body)
        expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(body)))
        for (const [field, value] of Object.entries(body)) {
          const types = [fields[field]?.type ?? []].flat()
          if (/integer|number/.test(types.join()) && !types.includes('string'))
            expect(typeof value, field).not.toBe('string')
        }
      }
    }
    expect(calls).toBeGreaterThan(0)
  })
})
