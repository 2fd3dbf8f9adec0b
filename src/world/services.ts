/**
 * What a world is given by the layers above it. Each service is declared in the module of its interface;
 * `petri.ts` makes them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the modules above add to it.
export interface Services {}

/** The services that must be loaded before they are used. */
export type LoadedService = {
  [Name in keyof Services]: Services[Name] extends { ready(): Promise<void> | undefined } ? Name : never
}[keyof Services]
