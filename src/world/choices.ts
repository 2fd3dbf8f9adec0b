/** The teams of the live service that a world can be like. */
export const teamKinds = ['sandbox', 'production'] as const
export type TeamKind = (typeof teamKinds)[number]

/** How much history new connections pull. */
export const histories = ['full', '3d', 'none'] as const
export type History = (typeof histories)[number]
