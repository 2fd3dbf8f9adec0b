/** The fictional physician of the service, who orders where the customer names none. The number passes its check digit. */
export const servicePhysician = { first_name: 'Robin', last_name: 'Sample', npi: '1234567893' } as const
