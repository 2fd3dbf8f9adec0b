/** The version the specification names, which is what Petri reports, and the contract it really serves. */
export const version = { petri: '0.1.0', spec: '0.4.558', contract: '0.4.687' } as const
