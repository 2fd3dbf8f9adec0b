/** The newest official client that the registry has, for a running Petri. */
export async function newestClient(options: { readonly apiKey: string; readonly baseUrl: string }) {
  const { JunctionClient } = await import('@junction-api/sdk')
  return new JunctionClient(options)
}
