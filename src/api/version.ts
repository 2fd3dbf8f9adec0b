/** The version of the specification, which Petri reports, and that of the contract it serves. */
export const version = { petri: '0.1.0', spec: '0.4.558', contract: '0.4.687' } as const
