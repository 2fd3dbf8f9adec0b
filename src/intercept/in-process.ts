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
  interceptor.apply()
  interceptor.on('request', async ({ request, controller }) => {
    if (!isLiveHost(new URL(request.url).host)) return
    const petri = answering.find(({ knows }) => knows(request.headers)) ?? answering[0]
    if (petri) controller.respondWith(await petri.answer(request))
  })
  const ours = clientFunctions()
  return {
    isOutermost: () => clientFunctions().every(({ value }, at) => value === ours[at]?.value),
    undo: () => interceptor.dispose(),
  }
}

/** What libraries that mock HTTP replace. */
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
