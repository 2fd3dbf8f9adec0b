import type { EventModel, FieldModel, ObjectModel, TypeModel, WebhookModel } from './model.ts'

/** The types of the webhooks, as a client in TypeScript reads them. */
export const typescriptEvents = ({ objects, events }: WebhookModel): string =>
  `${[
    '/** The webhooks of the service. Written by `npm run generate`; do not edit. */',
    '',
    '/** A webhook of any type; a check of its `event_type` narrows it. */',
    'export type WebhookEvent =',
    ...events.flatMap(eventTexts),
    '',
    "export type WebhookEventType = WebhookEvent['event_type']",
    ...objects.flatMap(objectText),
  ].join('\n')}\n`

/** One member for each type, so that `Extract` finds it. */
const eventTexts = ({ names, body }: EventModel): string[] =>
  names.map((name) => {
    const fields = body.fields.map((field) =>
      field.name === 'event_type' ? `readonly event_type: ${JSON.stringify(name)}` : fieldText(field),
    )
    return `  | { ${fields.join('; ')} }`
  })

const objectText = ({ name, fields }: ObjectModel): string[] => [
  '',
  `export interface ${name} {`,
  ...fields.map((field) => `  ${fieldText(field)}`),
  '}',
]

const fieldText = ({ name, type, required }: FieldModel): string =>
  `readonly ${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeText(type)}`

function typeText(type: TypeModel): string {
  switch (type.kind) {
    case 'text':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'any':
      return 'unknown'
    case 'nothing':
      return 'undefined'
    case 'named':
      return type.name
    case 'list':
      return `readonly (${typeText(type.of)})[]`
    case 'map':
      return `Readonly<Record<string, ${typeText(type.of)}>>`
    case 'nullable':
      return `${typeText(type.of)} | null`
    case 'choice':
      return type.values.map((value) => JSON.stringify(value)).join(' | ')
  }
}

/** The names that users write in tests, with an open end, because worlds have scenarios of their own. */
export const typescriptNames = (names: Readonly<Record<string, readonly string[]>>): string =>
  `${[
    '/** Names that editors complete. Written by `npm run generate`; do not edit. */',
    ...Object.entries(names).flatMap(([type, values]) => [
      '',
      `export type ${type} =`,
      ...values.map((value) => `  | ${JSON.stringify(value)}`),
      '  | (string & {})',
    ]),
  ].join('\n')}\n`
