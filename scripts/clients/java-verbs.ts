import { boxedJava, javaName, javaTitle, javaType } from './java.ts'
import { bare, type ClientModel, type FieldModel, type TypeModel } from './model.ts'
import { groups, type ResolvedVerb, resolveVerbs } from './verbs.ts'

/** The methods of the kit for Java: what a world has of them, with nested types for their groups. */
export function javaVerbs(model: ClientModel): string {
  const verbs = resolveVerbs(model)
  const methodsOf = (group: string, indent: string) =>
    verbs.filter((verb) => verb.group === group).flatMap((verb) => methods(verb, model, indent))
  return `${[
    '// Written by "npm run generate"; do not edit.',
    'package petri.sandbox;',
    '',
    'import com.fasterxml.jackson.databind.JsonNode;',
    'import java.time.Duration;',
    'import java.time.Instant;',
    'import java.util.ArrayList;',
    'import java.util.List;',
    'import java.util.Map;',
    '',
    '/** The methods of a world. */',
    'abstract class Verbs {',
    '    /** The most rows of a page of a list. */',
    '    private static final long MAX_ROWS = 500;',
    '',
    '    private final Caller caller;',
    '    private final Control.Operations operations;',
    ...Object.keys(groups)
      .filter(isTop)
      .map((group) => `    private final ${typeName(group)} ${group} = new ${typeName(group)}();`),
    '',
    '    Verbs(Caller caller) {',
    '        this.caller = caller;',
    '        this.operations = new Control.Operations(caller);',
    '    }',
    '',
    '    /** All operations of the control API, as they are. */',
    '    public Control.Operations operations() {',
    '        return operations;',
    '    }',
    ...Object.entries(groups)
      .filter(([group]) => isTop(group))
      .flatMap(([group, summary]) => accessor(group, summary, '    ')),
    ...methodsOf('', '    '),
    ...Object.entries(groups).flatMap(([group, summary]) => [
      '',
      `    /** ${summary}. */`,
      `    public final class ${typeName(group)} {`,
      ...nestedGroups(group),
      `        private ${typeName(group)}() {}`,
      ...methodsOf(group, '        '),
      '    }',
    ]),
    '}',
  ].join('\n')}\n`
}

const isTop = (group: string) => !group.includes('.')

const typeName = (group: string) =>
  group === 'webhooks.faults' ? 'WebhookFaults' : javaTitle(group.split('.').at(-1) ?? '')

const accessor = (group: string, summary: string, indent: string): string[] => {
  const name = group.split('.').at(-1) ?? ''
  return [
    '',
    `${indent}/** ${summary}. */`,
    `${indent}public ${typeName(group)} ${name}() {`,
    `${indent}    return ${name};`,
    `${indent}}`,
  ]
}

function nestedGroups(group: string): string[] {
  const nested = Object.entries(groups).filter(([other]) => other.startsWith(`${group}.`))
  const fields = nested.map(
    ([other]) =>
      `        private final ${typeName(other)} ${other.split('.').at(-1)} = new ${typeName(other)}();`,
  )
  return [
    ...fields,
    ...nested.flatMap(([other, summary]) => accessor(other, summary, '        ')),
    ...(fields.length > 0 ? [''] : []),
  ]
}

/** A verb has an overload for its options, and for the types that Java has for time. */
function methods(verb: ResolvedVerb, model: ClientModel, indent: string): string[] {
  const { call } = verb
  const name = javaName(verb.name === 'wait' ? 'waitFor' : verb.name)
  const ids = call.pathFields.map((field) => `String ${javaName(field)}`)
  const taken = verb.arguments.filter(({ name: field }) => !call.pathFields.includes(field))
  const body = call.body && bare(call.body.type)
  const whole = body?.kind === 'named' ? `Control.${body.name}` : `Control.${javaTitle(call.name)}Query`
  const noQuery = call.body && call.query.length > 0 ? ['null'] : []
  const write = (parameters: readonly string[], sent: readonly string[]) =>
    methodText(verb, name, parameters, [...call.pathFields.map(javaName), ...sent], indent)
  if (verb.raw) return rawText(verb, name, indent)
  if (body && body.kind !== 'named') {
    const fields = taken.map((field) => `"${field.name}", ${javaName(field.name)}`)
    return write([...ids, ...taken.map(parameterOf)], [`Map.of(${fields.join(', ')})`, ...noQuery])
  }
  const empty = `new ${whole}()`
  const options = verb.options ? write([...ids, `${whole} options`], ['options', ...noQuery]) : []
  if (verb.wraps) {
    const wrapped = wrappedType(verb, model)
    const short = write([`${wrapped} ${verb.wraps}`], [`${empty}.${verb.wraps}(${verb.wraps})`])
    return [...short, ...options]
  }
  const hasRequired = verb.others.some((field) => field.required)
  const mayBeEmpty = verb.options && !hasRequired && taken.every((field) => !field.required)
  const setters = [
    ...taken.map((field) => `.${javaName(field.name)}(${fieldValue(field)})`),
    ...Object.entries(verb.sends ?? {}).map(
      ([field, value]) => `.${javaName(field)}(${JSON.stringify(value)})`,
    ),
  ]
  const takesNothing = !call.body && call.query.length === 0
  const short = takesNothing
    ? write(ids, [])
    : setters.length > 0
      ? write([...ids, ...taken.map(parameterOf)], [`${empty}${setters.join('')}`, ...noQuery])
      : []
  const isOptional = mayBeEmpty || (!call.body && call.query.length > 0)
  const bareForm =
    !takesNothing && isOptional
      ? write(ids, [call.body ? empty : verb.hasPages ? empty : 'null', ...noQuery])
      : []
  return [
    ...bareForm,
    ...short,
    ...(verb.time && verb.returns === undefined ? timeText(verb, name, indent) : []),
    ...options,
  ]
}

const parameterOf = ({ name, type }: FieldModel) =>
  type.kind === 'list'
    ? `${javaType(type.of, 'Control.')}... ${javaName(name)}`
    : `${javaType(bare(type), 'Control.')} ${javaName(name)}`

const fieldValue = ({ name, type }: FieldModel) =>
  type.kind === 'list' ? `List.of(${javaName(name)})` : javaName(name)

function wrappedType({ call, wraps }: ResolvedVerb, { objects }: ClientModel): string {
  const body = call.body && bare(call.body.type)
  const fields = objects.find(({ name }) => body?.kind === 'named' && name === body.name)?.fields ?? []
  const field = fields.find(({ name }) => name === wraps)
  return field ? boxedJava(field.type, 'Control.') : 'Object'
}

function methodText(
  verb: ResolvedVerb,
  name: string,
  parameters: readonly string[],
  values: readonly string[],
  indent: string,
): string[] {
  const { summary, call, result, returned } = verb
  const isNothing = result.kind === 'nothing'
  const isInstant = returned !== undefined && verb.time !== undefined
  const type = isNothing ? 'void' : isInstant ? 'Instant' : resultText(returned, result)
  const isOfService = call.path.startsWith('/v')
  const path =
    `"${call.path.replace(/\{(\w+)\}/g, (_, field: string) => `" + Caller.escaped(${javaName(field)}) + "`)}"`.replace(
      / \+ ""$/,
      '',
    )
  const called = isOfService
    ? `caller.call("${call.method}", ${path}, null, ${type}.class)`
    : `operations.${javaName(call.name)}(${values.join(', ')})`
  const picked = returned ? `${called}.${javaName(returned.name)}()` : called
  const last = isInstant ? `Instant.parse(${picked})` : picked
  const body = verb.hasPages
    ? pagesText(type, called, values[0] ?? '')
    : verb.returnsOrder
      ? [`${called};`, 'return get(orderId);']
      : [`${isNothing ? '' : 'return '}${last};`]
  return [
    '',
    `${indent}/** ${summary}. */`,
    `${indent}public ${type} ${name}(${parameters.join(', ')}) {`,
    ...body.map((line) => `${indent}    ${line}`),
    `${indent}}`,
  ]
}

const resultText = (returned: FieldModel | undefined, result: TypeModel): string =>
  returned && !returned.required ? boxedJava(returned.type, 'Control.') : javaType(result, 'Control.')

/** All pages, unless a limit is asked for. */
function pagesText(type: string, called: string, options: string): string[] {
  if (options.startsWith('new '))
    return [`return list(${options});`.replace('list(', called.includes('Messages') ? 'messages(' : 'list(')]
  return [
    'if (options.limit() != null) {',
    `    return ${called}.data();`,
    '}',
    `${type} rows = new ArrayList<>();`,
    'var query = Caller.copyOf(options).limit(MAX_ROWS);',
    'while (true) {',
    `    var page = ${called.replace('(options)', '(query)')};`,
    '    rows.addAll(page.data());',
    '    if (page.nextCursor() == null) {',
    '        return rows;',
    '    }',
    '    query.cursor(page.nextCursor());',
    '}',
  ]
}

/** The same with the type that Java has for it. */
const timeText = ({ summary, time }: ResolvedVerb, name: string, indent: string): string[] => [
  '',
  `${indent}/** ${summary}. */`,
  `${indent}public Control.Advanced ${name}(${time === 'duration' ? 'Duration by' : 'Instant to'}) {`,
  `${indent}    return ${name}(${time === 'duration' ? 'by.toMillis() + "ms"' : 'to.toString()'});`,
  `${indent}}`,
]

function rawText({ summary, call }: ResolvedVerb, name: string, indent: string): string[] {
  const isSent = call.body !== undefined
  const sent = `caller.call("${call.method}", "${call.path}", ${isSent ? 'state, Object' : 'null, JsonNode'}.class);`
  return [
    '',
    `${indent}/** ${summary}. */`,
    `${indent}public ${isSent ? 'void' : 'JsonNode'} ${name}(${isSent ? 'JsonNode state' : ''}) {`,
    `${indent}    ${isSent ? '' : 'return '}${sent}`,
    `${indent}}`,
  ]
}
