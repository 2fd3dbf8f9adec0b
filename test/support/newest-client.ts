/** The newest official client that the registry has, for a running Petri. */
export async function newestClient(options: { readonly apiKey: string; readonly baseUrl: string }) {
  // biome-ignore lint/suspicious/noTsIgnore: types are checked before the next `npm ci`, too.
  // @ts-ignore
  const { JunctionClient } = await import('@junction-api/sdk')
  return new JunctionClient(options)
}
