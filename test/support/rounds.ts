/** How often a test repeats what depends on drawn cases or on a moment: `usual` times, or TEST_ROUNDS times as often. */
export const rounds = (usual: number): number => usual * Number(process.env.TEST_ROUNDS ?? 1)
