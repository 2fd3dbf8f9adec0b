import fc from 'fast-check'

// Properties try the same cases in every run. Another seed tries others: PROPERTY_SEED=7 npx vitest run test/unit
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
