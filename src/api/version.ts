/** The versions of Petri, of the specification it reports, of the contract it serves, and of the newest clients it knows. */
export const version = {
  petri: '0.1.0',
  spec: '0.4.558',
  contract: '0.4.687',
  clients: '2.0 and 3.0',
} as const
