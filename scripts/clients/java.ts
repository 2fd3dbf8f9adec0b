import type { ClientModel, FieldModel, ObjectModel, OperationModel, TypeModel } from './model.ts'

/** The typed part of the Java client: nested types, because Java has one public type in a file. */
export function javaOperations(model: ClientModel): string {
  const inputs = inputsOf(model)
  const objects = model.objects.flatMap((object) =>
    inputs.has(object.name) ? inputText(object) : recordText(object),
  )
  const queries = model.operations
    .filter(({ query }) => query.length > 0)
    .flatMap(({ name, query }) => inputText({ name: `${javaTitle(name)}Query`, fields: query }))
  return `${[
    '// Written by "npm run generate"; do not edit.',
    'package petri.sandbox;',
    '',
    'import com.fasterxml.jackson.annotation.JsonProperty;',
    'import com.fasterxml.jackson.core.type.TypeReference;',
    'import java.time.Duration;',
    'import java.time.Instant;',
    'import java.util.List;',
    'import java.util.Map;',
    '',
    "/** The operations of Petri's control API as they are, and their types. */",
    'public final class Control {',
    '    private Control() {}',
    '',
    '    /** All operations of the control API. */',
    '    public static final class Operations {',
    '        private final Caller caller;',
    '',
    '        Operations(Caller caller) {',
    '            this.caller = caller;',
    '        }',
    ...model.operations.flatMap(operationText),
    '    }',
    ...objects,
    ...queries,
    '}',
  ].join('\n')}\n`
}

export const javaVersion = (version: string): string =>
  [
    '// Written by "npm run generate"; do not edit.',
    'package petri.sandbox;',
    '',
    'final class Version {',
    '    /** The version of this client, and of the oldest Petri that it works with. */',
    `    static final String CLIENT = "${version}";`,
    '',
    '    private Version() {}',
    '}',
    '',
  ].join('\n')

const KEYWORDS = new Set('class default enum import new package private public return static void'.split(' '))

export const javaTitle = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

export function javaName(name: string): string {
  const words = javaTitle(name)
  const camel = words.slice(0, 1).toLowerCase() + words.slice(1)
  return KEYWORDS.has(camel) ? `${camel}_` : camel
}

/** The names of the objects that bodies of requests have. */
function inputsOf({ objects, operations }: ClientModel): ReadonlySet<string> {
  const found = new Set<string>()
  function visit(type: TypeModel): void {
    if ('of' in type) visit(type.of)
    if (type.kind !== 'named' || found.has(type.name)) return
    found.add(type.name)
    for (const field of objects.find(({ name }) => name === type.name)?.fields ?? []) visit(field.type)
  }
  for (const { body } of operations) if (body) visit(body.type)
  return found
}

/** What Petri returns. */
const recordText = ({ name, fields }: ObjectModel): string[] => [
  '',
  ...commentText(
    fields.flatMap(({ name: field, description }) =>
      description ? [`@param ${javaName(field)} ${inComment(description)}`] : [],
    ),
  ),
  `    public record ${name}(`,
  ...fields.map((field, index) => {
    const mayBeNull = !field.required || field.type.kind === 'nullable'
    const type = mayBeNull ? `@Nullable ${boxedJava(field.type)}` : javaType(field.type)
    return `        @JsonProperty("${field.name}") ${type} ${javaName(field.name)}${index < fields.length - 1 ? ',' : ') {}'}`
  }),
]

const commentText = (lines: readonly string[]): string[] =>
  lines.length > 0 ? ['    /**', ...lines.map((line) => `     * ${line}`), '     */'] : []

/** A description as javadoc reads it: no line breaks, tags or HTML. */
const inComment = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll('*/', '*&#47;')

/** What is sent: each field is set by a method with its name; what is null is not sent. */
const inputText = ({ name, fields }: ObjectModel): string[] => [
  '',
  `    public static final class ${name} {`,
  ...fields.map(
    (field) =>
      `        @JsonProperty("${field.name}") private ${boxedJava(field.type)} ${javaName(field.name)};`,
  ),
  ...fields.flatMap((field) => accessorText(name, field)),
  '',
  '        @Override',
  '        public String toString() {',
  `            return "${name} " + Caller.JSON.valueToTree(this);`,
  '        }',
  '    }',
]

const TIMES = {
  instant: { type: 'Instant', text: (value: string) => `${value}.toString()` },
  duration: { type: 'Duration', text: (value: string) => `${value}.toMillis() + "ms"` },
}

function accessorText(owner: string, { name, type, description, time }: FieldModel): string[] {
  const field = javaName(name)
  const comment = description ? [`        /** ${inComment(description)} */`] : []
  const timed = time && TIMES[time]
  return [
    '',
    `        public @Nullable ${boxedJava(type)} ${field}() {`,
    `            return ${field};`,
    '        }',
    '',
    ...comment,
    `        public ${owner} ${field}(${javaType(type.kind === 'nullable' ? type.of : type)} ${field}) {`,
    `            this.${field} = ${field};`,
    '            return this;',
    '        }',
    ...(timed
      ? [
          '',
          ...comment,
          `        public ${owner} ${field}(${timed.type} ${field}) {`,
          `            return ${field}(${timed.text(field)});`,
          '        }',
        ]
      : []),
  ]
}

export function javaType(type: TypeModel, of = ''): string {
  switch (type.kind) {
    case 'integer':
      return 'long'
    case 'number':
      return 'double'
    case 'boolean':
      return 'boolean'
    default:
      return boxedJava(type, of)
  }
}

/** A type that can be null. */
export function boxedJava(type: TypeModel, of = ''): string {
  switch (type.kind) {
    case 'text':
    case 'choice':
      return 'String'
    case 'integer':
      return 'Long'
    case 'number':
      return 'Double'
    case 'boolean':
      return 'Boolean'
    case 'any':
    case 'nothing':
      return 'Object'
    case 'named':
      return `${of}${type.name}`
    case 'list':
      return `List<${boxedJava(type.of, of)}>`
    case 'map':
      return `Map<String, ${boxedJava(type.of, of)}>`
    case 'nullable':
      return boxedJava(type.of, of)
  }
}

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
    ...pathFields.map((field) => `String ${javaName(field)}`),
    ...(body ? [`${boxedJava(body.type)} body`] : []),
    ...(query.length > 0 ? [`${javaTitle(name)}Query query`] : []),
  ]
  const escaped = path.replace(
    /\{(\w+)\}/g,
    (_, field: string) => `" + Caller.escaped(${javaName(field)}) + "`,
  )
  const target =
    `"${escaped}"`.replace(/ \+ ""$/, '') + (query.length > 0 ? ' + caller.queryText(query)' : '')
  const type = boxedJava(returns)
  const result = type.includes('<') ? `new TypeReference<${type}>() {}` : `${type}.class`
  const call = `caller.call("${method}", ${target}, ${body ? 'body' : 'null'}`
  return [
    '',
    `        /** ${summary.replaceAll('*/', '* /')}. */`,
    `        public ${returns.kind === 'nothing' ? 'void' : type} ${javaName(name)}(${parameters.join(', ')}) {`,
    returns.kind === 'nothing'
      ? `            ${call}, Object.class);`
      : `            return ${call}, ${result});`,
    '        }',
  ]
}
