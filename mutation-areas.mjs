/** What `npm run mutants` mutates, by area, and the tests that each mutant is tried against. */
export const areas = {
  lifecycle: {
    mutate: ['src/resources/orders/{lifecycle,statuses}.ts'],
    tests: ['unit/{lifecycle,progress}', 'api/{orders.by-hand,control}'],
  },
  moves: {
    mutate: ['src/resources/orders/{moves,apply-step,redraws,schedule}.ts'],
    tests: [
      'api/{kits,orders.by-hand,orders.changing,orders.moves,orders.redraws,orders.schedule,orders.transactions}',
    ],
  },
  scheduler: {
    mutate: ['src/scheduler/*.ts'],
    tests: ['unit/{activity,agenda,agenda.order,agenda.running,job-context,ticker.timers}'],
  },
  webhooks: {
    mutate: [
      'src/webhooks/{addresses,delivery,endpoints,keyed-mutex,messages,retry-schedule,settle,signature}.ts',
    ],
    tests: ['unit/webhooks.{mutex,rules,signature,verify}', 'api/{webhooks,webhooks.endpoints}'],
  },
  faults: {
    mutate: ['src/faults/*.ts'],
    tests: ['unit/faults', 'api/{faults,faults.matching}'],
    // Schemas are built by the first test that needs them, and tried by all.
    coverageAnalysis: 'all',
  },
  'same-site': {
    mutate: ['src/http/same-site.ts'],
    tests: ['api/same-site'],
  },
  authentication: {
    mutate: ['src/http/authentication.ts'],
    tests: ['unit/authentication', 'api/{security.keys,worlds,link,management.keys,open-worlds}'],
  },
}

/** The area that scripts/mutants.mjs names, or all of them as one. */
export function chosenArea() {
  const name = process.env.MUTATION_AREA
  if (name) return { name, ...areas[name] }
  const all = Object.values(areas)
  return {
    name: 'all',
    mutate: all.flatMap(({ mutate }) => mutate),
    tests: [...new Set(all.flatMap(({ tests }) => tests))],
  }
}
