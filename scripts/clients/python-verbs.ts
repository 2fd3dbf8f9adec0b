import type { ClientModel, FieldModel, TypeModel } from './model.ts'
import { isPythonName, pythonType } from './python.ts'
import { groups, type ResolvedVerb, resolveVerbs } from './verbs.ts'

/** The methods that Python has with arguments of its own. */
const own = new Set(
  'clock.now clock.advance clock.advanceTo clock.advanceUntil orders.wait scenarios.add webhooks.deliverTo'.split(
    ' ',
  ),
)

/** The methods of the kit for Python. */
export function pythonVerbs(model: ClientModel): string {
  const verbs = resolveVerbs(model).filter(({ group, name }) => !own.has(`${group}.${name}`))
  const classes = Object.entries(groups).flatMap(([group, summary]) => [
    ...classText(classNameOf(group), `${summary}.`),
    ...verbs.filter((verb) => verb.group === group).flatMap(methodText),
  ])
  const ofWorld = verbs.filter(({ group }) => group === '').flatMap(methodText)
  const text = [...classes, ...classText('WorldVerbs', 'Of the world itself.'), ...ofWorld]
  const names = model.objects.map(({ name }) => name)
  const used = names.filter((name) => text.some((line) => new RegExp(`\\b${name}\\b`).test(line))).sort()
  return `${[
    '"""The methods of the kit. Written by `npm run generate`; do not edit."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, cast',
    '',
    'from ._caller import part, rows',
    'from ._operations import (',
    ...used.map((name) => `    ${name},`),
    ')',
    '',
    '#: Stands for an argument that is not sent. So does None, but for a field that can be null.',
    'UNSET: Any = object()',
    '',
    'Call = Callable[..., Any]',
    '',
    '',
    'def given(fields: Mapping[str, Any], *nullable: str) -> Dict[str, Any]:',
    '    sent = {name: value for name, value in fields.items() if value is not UNSET}',
    '    return {name: value for name, value in sent.items() if value is not None or name in nullable}',
    ...text,
  ].join('\n')}\n`
}

const classNameOf = (group: string) =>
  group === 'webhooks.faults' ? 'WebhookFaultsKit' : `${capital(group.split('.').at(-1) ?? '')}Kit`

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

const classText = (name: string, summary: string): string[] => [
  ...['', '', `class ${name}:`, `    """${summary}"""`, ''],
  ...['    def __init__(self, call: Call) -> None:', '        self._call = call'],
]

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const safe = (name: string) => (isPythonName(name) ? name : `${name}_`)

function methodText(verb: ResolvedVerb): string[] {
  const { name, summary, call, result } = verb
  const returns = verb.raw && result.kind !== 'nothing' ? 'Any' : pythonType(result)
  const required = verb.others.filter((field) => field.required)
  const optional = verb.others.filter((field) => !field.required)
  const parameters = [
    'self',
    ...verb.arguments.map((field) => argumentText(verb, field)),
    ...(verb.raw && call.body ? ['state: Any'] : []),
    ...required.map(({ name: field, type }) => `${safe(field)}: ${pythonType(type)}`),
    ...(optional.length > 0 ? ['*'] : []),
    ...optional.map(({ name: field, type }) => `${safe(field)}: ${optionalType(type)} = UNSET`),
  ]
  const path = call.path.replace(/\{(\w+)\}/g, (_, field: string) => `{part("${field}", ${safe(field)})}`)
  const url = call.pathFields.length > 0 ? `f'${path}'` : JSON.stringify(path)
  return [
    '',
    `    def ${safe(snake(name))}(${parameters.join(', ')}) -> ${returns}:`,
    `        """${summary}."""`,
    ...bodyText(verb, url, returns),
  ]
}

function bodyText(verb: ResolvedVerb, url: string, returns: string): string[] {
  const { call } = verb
  const fields = sentFields(verb)
  if (verb.hasPages) return [`        return rows(self._call, ${url}, ${fields})`]
  const values = [JSON.stringify(call.method), url]
  if (verb.raw && call.body) values.push('state')
  else if (call.body) values.push(fields)
  else if (fields !== '{}') values.push(`query=${fields}`)
  const sent = `self._call(${values.join(', ')})`
  if (verb.returnsOrder) return [`        ${sent}`, '        return self.get(order_id)']
  if (returns === 'None') return [`        ${sent}`]
  const picked = verb.returns === undefined ? sent : `${sent}["${verb.returns}"]`
  return [`        return cast(${JSON.stringify(returns.replaceAll('"', "'"))}, ${picked})`]
}

/** What is sent in the body or the query. */
function sentFields(verb: ResolvedVerb): string {
  const taken = verb.arguments.filter(({ name }) => !verb.call.pathFields.includes(name))
  const isWaiting = ({ name }: FieldModel) => name === 'timeout' || name === 'times'
  const fields = verb.wraps ? verb.others.filter(isWaiting) : [...taken, ...verb.others]
  const entries = fields.map(
    ({ name, type }) =>
      `"${name}": ${type.kind === 'list' && taken[0]?.name === name ? `list(${name})` : safe(name)}`,
  )
  if (verb.wraps) {
    const filters = verb.others
      .filter((field) => !isWaiting(field))
      .map(({ name }) => `"${name}": ${safe(name)}`)
    entries.unshift(`"${verb.wraps}": given({${filters.join(', ')}})`)
  }
  for (const [name, value] of Object.entries(verb.sends ?? {}))
    entries.push(`"${name}": ${typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value)}`)
  const nullable = fields
    .filter(({ type }) => type.kind === 'nullable')
    .map(({ name }) => JSON.stringify(name))
  const text = `{${entries.join(', ')}}`
  return text.includes('UNSET') || fields.some(({ required }) => !required)
    ? `given(${[text, ...nullable].join(', ')})`
    : text
}

function argumentText(verb: ResolvedVerb, { name, type, required }: FieldModel): string {
  if (type.kind === 'list') return `*${name}: ${pythonType(type.of)}`
  const isOptional =
    !required && (verb.options === true || verb.call.query.some((field) => field.name === name))
  return isOptional ? `${safe(name)}: ${optionalType(type)} = UNSET` : `${safe(name)}: ${pythonType(type)}`
}

const optionalType = (type: TypeModel): string =>
  type.kind === 'nullable' || type.kind === 'any' ? pythonType(type) : `Optional[${pythonType(type)}]`
