import type { ClientModel, FieldModel, ObjectModel, OperationModel, TypeModel } from './model.ts'

/** The typed part of the Python client. */
export function pythonOperations({ objects, operations }: ClientModel): string {
  return `${[
    '"""The operations of Petri\'s control API. Written by `npm run generate`; do not edit."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal, Mapping, Optional, Protocol, TypedDict, cast',
    'from urllib.parse import quote',
    ...objects.flatMap(objectText),
    '',
    '',
    'class Caller(Protocol):',
    '    """Sends a call and returns its JSON."""',
    '',
    '    def call(',
    '        self, method: str, path: str, body: Any = None, query: Optional[Mapping[str, Any]] = None',
    '    ) -> Any: ...',
    '',
    '',
    'class Operations:',
    '    """All operations of the control API, as they are."""',
    '',
    '    def __init__(self, caller: Caller) -> None:',
    '        self._call = caller.call',
    ...operations.flatMap(operationText),
  ].join('\n')}\n`
}

/** The host names of the live service. */
export const pythonHosts = (hosts: readonly string[]): string =>
  [
    '"""The host names of the live service. Written by `npm run generate`; do not edit."""',
    '',
    'LIVE_HOSTS = frozenset(',
    '    [',
    ...hosts.map((host) => `        "${host}",`),
    '    ]',
    ')',
    '',
  ].join('\n')

export const pythonVersion = (version: string): string =>
  [
    '"""Written by `npm run generate`; do not edit."""',
    '',
    '#: The version of this client, and of the oldest Petri that it works with.',
    `VERSION = "${version}"`,
    '',
  ].join('\n')

const KEYWORDS = new Set(
  'and as class def del for from global if import in is lambda not or pass with'.split(' '),
)
export const isPythonName = (name: string) => /^[a-z_]\w*$/i.test(name) && !KEYWORDS.has(name)

/** Optional fields are in a class of their own, because `NotRequired` came with Python 3.11. */
function objectText({ name, fields }: ObjectModel): string[] {
  if (!fields.every((field) => isPythonName(field.name))) return functionalText(name, fields)
  const required = fields.filter((field) => field.required)
  const optional = fields.filter((field) => !field.required)
  const lines = (of: readonly FieldModel[]) =>
    of.length > 0 ? of.map((field) => `    ${field.name}: ${pythonType(field.type)}`) : ['    pass']
  if (optional.length === 0) return ['', '', `class ${name}(TypedDict):`, ...lines(required)]
  if (required.length === 0) return ['', '', `class ${name}(TypedDict, total=False):`, ...lines(optional)]
  return [
    ...['', '', `class _${name}(TypedDict):`, ...lines(required)],
    ...['', '', `class ${name}(_${name}, total=False):`, ...lines(optional)],
  ]
}

/** For names that are no Python names, such as \`from\`. Types are quoted, because they may be defined further down. */
const functionalText = (name: string, fields: readonly FieldModel[]): string[] => [
  ...['', '', `${name} = TypedDict(`, `    "${name}",`, '    {'],
  ...fields.map(
    (field) => `        "${field.name}": ${JSON.stringify(pythonType(field.type).replaceAll('"', "'"))},`,
  ),
  ...['    },', '    total=False,', ')'],
]

export function pythonType(type: TypeModel): string {
  switch (type.kind) {
    case 'text':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'any':
      return 'Any'
    case 'nothing':
      return 'None'
    case 'named':
      return type.name
    case 'list':
      return `List[${pythonType(type.of)}]`
    case 'map':
      return `Dict[str, ${pythonType(type.of)}]`
    case 'nullable':
      return `Optional[${pythonType(type.of)}]`
    case 'choice':
      return type.values.length > MAX_VALUES
        ? 'str'
        : `Literal[${type.values.map((value) => JSON.stringify(value)).join(', ')}]`
  }
}

/** The maximum number of values of a choice that are listed. */
const MAX_VALUES = 12

const optionalText = (type: TypeModel): string =>
  type.kind === 'nullable' || type.kind === 'any' ? pythonType(type) : `Optional[${pythonType(type)}]`

const safe = (name: string) => (isPythonName(name) ? name : `${name}_`)

function operationText({
  name,
  summary,
  method,
  path,
  pathFields,
  query,
  body,
  returns,
}: OperationModel): string[] {
  const parameters = [
    ...pathFields.map((field) => `${safe(field)}: str`),
    ...(body
      ? [body.required ? `body: ${pythonType(body.type)}` : `body: ${optionalText(body.type)} = None`]
      : []),
    ...(query.length > 0 ? ['*'] : []),
    ...query.map((field) => `${safe(field.name)}: ${optionalText(field.type)} = None`),
  ]
  const url =
    pathFields.length === 0
      ? `"${path}"`
      : `f"${path.replace(/\{(\w+)\}/g, (_, field: string) => `{quote(${safe(field)}, safe='')}`)}"`
  const given = query.map((field) => `"${field.name}": ${safe(field.name)}`)
  const values = [`"${method}"`, url, ...(body ? ['body'] : [])]
  if (given.length > 0) values.push(`query={${given.join(', ')}}`)
  const call = `self._call(${values.join(', ')})`
  return [
    '',
    `    def ${safe(name)}(self${parameters.map((each) => `, ${each}`).join('')}) -> ${pythonType(returns)}:`,
    `        """${summary.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}."""`,
    returns.kind === 'nothing'
      ? `        ${call}`
      : `        return cast(${JSON.stringify(pythonType(returns).replaceAll('"', "'"))}, ${call})`,
  ]
}
