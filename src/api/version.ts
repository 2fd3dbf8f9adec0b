/** The versions of Petri, of the specification it reports, and of the contract it serves. */
export const version = { petri: '0.1.0', spec: '0.4.558', contract: '0.4.687' } as const
