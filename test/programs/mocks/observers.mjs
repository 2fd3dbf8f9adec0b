// Libraries that wrap clients. Each resolves to a function that returns how many calls to a vendor it has seen.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const observers = {
  'vi.spyOn': async (vendor) => {
    const { spyOn } = await import('@vitest/spy')
    const spy = spyOn(globalThis, 'fetch')
    return () => spy.mock.calls.filter(([url]) => url.startsWith(vendor)).length
  },
  OpenTelemetry: async (vendor) => {
    const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = await import(
      '@opentelemetry/sdk-trace-node'
    )
    const { registerInstrumentations } = await import('@opentelemetry/instrumentation')
    const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http')
    const { UndiciInstrumentation } = await import('@opentelemetry/instrumentation-undici')
    const exporter = new InMemorySpanExporter()
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
    registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] })
    // It replaces the functions of a module that is required.
    require('node:http')
    require('node:https')
    const urlOf = ({ attributes }) => attributes['url.full'] ?? attributes['http.url'] ?? ''
    return () => exporter.getFinishedSpans().filter((span) => urlOf(span).startsWith(vendor)).length
  },
  Sentry: async (vendor) => {
    const { init } = await import('@sentry/node')
    let seen = 0
    init({
      dsn: 'https://key@sentry.invalid/1',
      tracesSampleRate: 1,
      transport: () => ({ send: async () => ({}), flush: async () => true }),
      beforeBreadcrumb(breadcrumb) {
        if (breadcrumb.data?.url?.startsWith(vendor)) seen += 1
        return breadcrumb
      },
    })
    return () => seen
  },
}
