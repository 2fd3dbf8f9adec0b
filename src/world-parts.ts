import type { OrderHooks } from './api/order-hooks.ts'
import type { FeedScenarios, OrderScenarios } from './api/scenarios.ts'
import type { Catalogue } from './resources/catalogue/service.ts'
import type { EtlSender } from './resources/etl/service.ts'
import type { Personas } from './resources/personas/service.ts'
import type { PdfReader } from './resources/report-parser/pdf-reader.ts'
import type { OutgoingCalls } from './webhooks/outgoing.ts'

declare module './world/world.ts' {
  /** The services that layers above a world attach to it; only this file knows their types. */
  interface WorldParts {
    readonly etl: EtlSender
    readonly outgoing: OutgoingCalls
    readonly catalogue: Catalogue
    /** Origins whose web pages may use link tokens, and show the link pages in a frame. */
    readonly linkOrigins: readonly string[]
    readonly pdfReader: PdfReader
    readonly scenarios: OrderScenarios
    readonly feedScenarios: FeedScenarios
    readonly personas: Personas
    readonly orderHooks: OrderHooks
  }
}
