import http from 'node:http'
import https from 'node:https'
import { BatchInterceptor } from '@mswjs/interceptors'
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest'
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import { isLiveHost } from './hosts.ts'

/** A Petri that answers the calls of this process to the live hosts. */
export interface Answering {
  /** Whether one of its worlds has the API key of a request. */
  knows(headers: Headers): boolean
  answer(request: Request): Promise<Response>
}

/** The Petris of this process that intercept, the latest first. */
const answering: Answering[] = []
/** The replacement of `fetch`, `http.request` and the like, while there is one. */
const replacement: { current?: { isOutermost(): boolean; undo(): void } } = {}

/** Leads the calls of this process to the live hosts to a Petri. Returns the function that ends it. */
export function interceptLiveHosts(petri: Answering): () => void {
  if (!replacement.current?.isOutermost()) {
    // Another library has replaced them since, perhaps without calling what was there.
    const theirs = clientFunctions()
    replacement.current?.undo()
    setClientFunctions(theirs)
    replacement.current = replaceClients()
  }
  answering.unshift(petri)
  return () => {
    const at = answering.indexOf(petri)
    if (at !== -1) answering.splice(at, 1)
    // Undoing what another library has replaced since would undo its replacement too. Without Petris, calls pass through.
    if (answering.length > 0 || !replacement.current?.isOutermost()) return
    replacement.current.undo()
    delete replacement.current
  }
}

function replaceClients() {
  const interceptors = [
    new FetchInterceptor(),
    new ClientRequestInterceptor(),
    new XMLHttpRequestInterceptor(),
  ]
  const interceptor = new BatchInterceptor({ name: 'petri', interceptors })
  // Interceptors of one symbol share their replacements, and those of MSW would end with these.
  for (const each of [interceptor, ...interceptors]) Object.assign(each, { symbol: Symbol('petri') })
  const theirs = clientFunctions()
  interceptor.apply()
  interceptor.on('request', async ({ request, controller }) => {
    if (!isLiveHost(new URL(request.url).host)) return
    const petri = answering.find(({ knows }) => knows(request.headers)) ?? answering[0]
    if (petri) controller.respondWith(await petri.answer(request))
  })
  const intercepting = clientFunctions()
  setClientFunctions(
    theirs.map((original, at) => ({
      ...original,
      value: forLiveHosts(original.value, intercepting[at]?.value),
    })),
  )
  const ours = clientFunctions()
  return {
    isOutermost: () => clientFunctions().every(({ value }, at) => value === ours[at]?.value),
    undo: () => interceptor.dispose(),
  }
}

/**
 * A function or class that is replaced for calls to the live hosts only. The interceptors would send all others through a
 * socket of their own, which a library that mocks sockets, as nock does, cannot use.
 */
function forLiveHosts(original: unknown, replaced: unknown): unknown {
  if (typeof original !== 'function' || typeof replaced !== 'function') return original
  const chosen = (args: readonly unknown[]) => (isLiveHost(hostOf(args)) ? replaced : original)
  return new Proxy(original, {
    apply: (_, self, args) => Reflect.apply(chosen(args), self, args),
    construct: (_, args) => Reflect.construct(chosen(args), args),
  })
}

/** The host of a call of `fetch` or `http.request`, in any form that these take; a `hostname` in the options wins over the URL. */
function hostOf([target, options]: readonly unknown[]): string {
  const { hostname } = fieldsOf(options)
  if (hostname !== undefined) return hostname
  if (typeof target === 'string') return URL.canParse(target) ? new URL(target).host : ''
  const { url, ...fields } = fieldsOf(target)
  if (url !== undefined) return URL.canParse(url) ? new URL(url).host : ''
  return fields.hostname ?? fields.host ?? ''
}

/** The texts in a `URL`, in a `Request`, or in the options of `http.request`. */
function fieldsOf(value: unknown) {
  const textAt = (name: string) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    return typeof text === 'string' ? text : undefined
  }
  return { url: textAt('url'), hostname: textAt('hostname'), host: textAt('host') }
}

/** Functions that libraries replace to mock HTTP. */
function clientFunctions() {
  const names = [
    { owner: globalThis, name: 'fetch' },
    { owner: http, name: 'request' },
    { owner: http, name: 'get' },
    { owner: http, name: 'ClientRequest' },
    { owner: https, name: 'request' },
    { owner: https, name: 'get' },
  ]
  return names.map(({ owner, name }) => ({ owner, name, value: Reflect.get(owner, name) as unknown }))
}

function setClientFunctions(functions: ReturnType<typeof clientFunctions>): void {
  for (const { owner, name, value } of functions) Reflect.set(owner, name, value)
}
