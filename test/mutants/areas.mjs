/** Schemas are lazy and shared: a mutant in one reaches only the first test that needs it. The contract check holds them. */
const notDeclarations = ['!src/**/{schema,requests}.ts']

/** The areas of resources, each with the tests of one. */
const small = (tests) =>
  Object.fromEntries(
    Object.entries(tests).map(([name, files]) => [
      name,
      { mutate: [`src/resources/${name}/**/*.ts`, ...notDeclarations], tests: files },
    ]),
  )

/** The newest areas, each with its own tests, which find nine of ten mutants. */
const newest = (table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, [mutate, ...tests]]) => [name, { mutate, tests, atLeast: 90 }]),
  )

const filesIn = (folder, names) => names.split(',').map((name) => `src/${folder}/${name}.ts`)

/** What `npm run mutants` mutates, by area, and the tests each mutant is tried against, the fast ones first. */
export const areas = {
  ...newest({
    'working-hours': [['src/scenarios/working-hours.ts', 'src/kernel/workdays.ts'], 'unit/workdays'],
    corrections: [
      ['src/resources/summaries/editing.ts', 'src/scenarios/feeds/edits.ts'],
      'unit/summaries.editing',
      'api/feed-scenarios.steps',
    ],
    scenarios: [
      [
        'src/scenarios/*.ts',
        // Its mutants make the tests of watched folders wait until their time limit.
        '!src/scenarios/engines.ts',
        // Other areas have these.
        '!src/scenarios/{working-hours,feed-engine,finding}.ts',
        ...notDeclarations,
      ],
      'unit/scenario-messages',
      'unit/scenario-check',
      'unit/scenario-fields',
      'unit/scenario-validation',
      'unit/scenario-files',
      'api/scenarios.plan',
      'api/scenario-upload',
      'api/scenarios.rules',
      'api/scenarios.steps',
      'api/scenarios.run',
      'api/feed-scenarios.steps',
      'api/results.exact',
      'unit/scenario-folders',
      'unit/scenario-schema',
      'api/scenarios.appointments',
      'api/scenarios.kinds',
      'api/scenarios.webhook-faults',
      'api/orders.scenarios',
      'api/orders.redraws',
      'api/orders.moves',
      'api/kits.registered',
      'api/results.issues',
      'api/scenarios',
    ],
    feeds: [
      ['src/scenarios/feed-engine.ts', 'src/scenarios/feeds/*.ts', '!src/scenarios/feeds/edits.ts'],
      'unit/feed-effects',
      'api/feed-scenarios.steps',
      'api/feed-scenarios.engine',
    ],
    'incident-records': [filesIn('scenarios/incidents', 'record,document-kinds'), 'unit/scenario-incidents'],
    'incident-deliveries': [filesIn('scenarios/incidents', 'deliveries,log'), 'unit/scenario-incidents'],
    'incident-visits': [filesIn('scenarios/incidents', 'appointments,results'), 'unit/scenario-incidents'],
    'incident-scenarios': [filesIn('scenarios/incidents', 'scenario-text'), 'unit/scenario-incidents'],
    'explore-judges': [filesIn('tools/explore', 'checks,oracles'), 'explore/judges'],
    'explore-histories': [
      [...filesIn('tools/explore', 'actions,arbitrary,draft,order-path'), 'src/scenarios/finding.ts'],
      'explore/histories',
    ],
    'explore-shrinking': [filesIn('tools/explore', 'shrink'), 'explore/histories'],
    'explore-stories': [
      filesIn('tools/explore', 'anomalies,compile,coverage,parts,story'),
      'explore/histories',
    ],
    'exec-variables': [filesIn('intercept', 'child-environment,hosts,trust,variables'), 'unit/intercept'],
    'exec-authority': [filesIn('intercept', 'authority-folder,certificates'), 'unit/intercept'],
    'exec-server': [filesIn('intercept', 'live-server'), 'unit/intercept'],
    'exec-in-process': [filesIn('intercept', 'in-process'), 'api/intercept'],
    'kit-world': [
      filesIn('client', 'world'),
      'api/mistakes',
      'api/library',
      'api/kit',
      'api/clients-conform',
    ],
    'kit-arguments': [
      filesIn('client', 'arguments,journal,matchers,sample-patient'),
      'api/mistakes',
      'api/library',
      'api/kit',
    ],
    'kit-calls': [
      filesIn('client', 'caller,petri,receivers'),
      'unit/this-machine',
      'api/mistakes',
      'api/library',
      'api/kit',
    ],
    wait: [filesIn('control', 'wait'), 'api/wait'],
    clock: [
      filesIn('control', 'advance-summary,clock'),
      'api/control',
      'api/advance',
      'api/silence',
      'api/wall-clock',
      'api/stream',
      'api/clients-that-leave',
    ],
    bounds: [
      filesIn('resources/timeseries', 'feeds'),
      'api/timeseries.spans',
      'api/timeseries.windows',
      'api/timeseries.collected',
      'api/timeseries.told',
      'api/timeseries.announced',
      'api/timeseries.uploaded',
      'api/timeseries.putting',
      'api/timeseries.reading',
      'api/feed-scenarios.engine',
      'api/provider-lives',
      'api/connections.history',
      'api/summaries',
    ],
    'fhir-results': [filesIn('resources/fhir', 'result'), 'api/fhir.results'],
  }),
  lifecycle: {
    mutate: ['src/resources/orders/lifecycle.ts'],
    tests: ['unit/lifecycle', 'unit/progress', 'api/orders.by-hand', 'api/control'],
  },
  moves: {
    mutate: ['src/resources/orders/{service,transition,redraws,schedule}.ts'],
    tests: [
      'api/orders.by-hand',
      'api/orders.moves',
      'api/orders.rules',
      'api/orders.redraws',
      'api/orders.schedule',
      'api/orders.transactions',
      'api/orders.changing',
      'api/orders.resend',
      'api/kits',
      'api/lab-accounts',
      'api/results.exact',
      'api/recorded.orders',
      'api/recorded.simulation',
    ],
  },
  scheduler: {
    mutate: ['src/scheduler/*.ts'],
    tests: [
      'unit/activity',
      'unit/job-context',
      'unit/agenda.order',
      'unit/agenda.running',
      'unit/ticker.timers',
      'unit/agenda',
    ],
  },
  webhooks: {
    mutate: ['src/webhooks/{addresses,delivery,endpoints,faults,messages,retry-schedule,signature,state}.ts'],
    tests: [
      'unit/webhooks.rules',
      'unit/webhooks.signature',
      'unit/webhooks.verify',
      'api/webhooks.endpoints',
      'api/webhooks.restart',
      'api/webhooks.failing',
      'api/webhooks',
      'api/webhooks.faults',
      'api/scenarios.webhook-faults',
      'api/webhooks.limits',
    ],
  },
  faults: {
    mutate: ['src/faults/*.ts'],
    tests: ['unit/faults', 'api/faults.matching', 'api/faults'],
  },
  'same-site': {
    mutate: ['src/http/same-site.ts'],
    tests: ['api/same-site'],
  },
  authentication: {
    mutate: ['src/http/authentication.ts'],
    tests: [
      'unit/authentication',
      'api/security.keys',
      'api/worlds',
      'api/link',
      'api/management.keys',
      'api/open-worlds',
      'api/mobile.session',
    ],
  },
  appointments: {
    mutate: ['src/resources/appointments/**/*.ts', ...notDeclarations],
    tests: ['api/appointments.*', 'api/recorded.appointments', 'api/checkout'],
  },
  insurance: {
    mutate: ['src/resources/insurance/**/*.ts', ...notDeclarations],
    tests: ['api/insurance', 'api/foreign-ids'],
  },
  management: {
    mutate: ['src/management/**/*.ts', ...notDeclarations],
    tests: ['api/management.*'],
  },
  'order-tracking': {
    mutate: ['src/resources/order-tracking/**/*.ts', ...notDeclarations],
    tests: ['unit/tracking', 'api/tracking'],
  },
  checkout: {
    mutate: ['src/resources/checkout/**/*.ts', ...notDeclarations],
    tests: ['api/checkout'],
  },
  'lab-tests': {
    mutate: ['src/resources/lab-tests/**/*.ts', ...notDeclarations],
    tests: ['api/lab-test-admin', 'api/promotions', 'api/lab-tests', 'api/recorded.catalogue'],
  },
  'unmatched-results': {
    mutate: ['src/resources/unmatched-results/**/*.ts', ...notDeclarations],
    tests: ['api/unmatched-results'],
  },
  'report-parser': {
    mutate: ['src/resources/report-parser/{index,made-up-report,service,table,upload}.ts'],
    tests: [
      'unit/report-parser.uploads',
      'unit/report-parser.made-up',
      'api/report-parser.jobs',
      'api/report-parser.images',
      'api/report-parser',
    ],
  },
  // One more file runs in a process of its own, and another waits for it by the wall clock.
  'report-texts': {
    mutate: ['src/resources/report-parser/{loinc,pdf,read-report}.ts'],
    tests: ['unit/report-parser.lines', 'unit/report-parser.pdf', 'unit/report-parser'],
  },
  timeseries: {
    mutate: ['src/resources/timeseries/**/*.ts', '!src/resources/timeseries/feeds.ts', ...notDeclarations],
    tests: [
      'unit/timeseries.body',
      'unit/timeseries.events',
      'unit/timeseries.occasional',
      'unit/timeseries.regular',
      'unit/timeseries.sample',
      'unit/stored-rows',
      'api/timeseries.putting',
      'api/timeseries.reading',
      'api/timeseries.uploaded',
      'api/timeseries.windows',
      'api/timeseries.spans',
      'api/timeseries.told',
      'api/timeseries.collected',
      'api/timeseries.announced',
      'api/timeseries.stored',
    ],
  },
  summaries: {
    mutate: ['src/resources/summaries/**/*.ts', '!src/resources/summaries/editing.ts', ...notDeclarations],
    tests: [
      'unit/summaries.*',
      'api/summaries.stored',
      'api/summaries.stored-events',
      'api/summaries.reading',
      'api/summaries.streams',
      'api/summaries.announced',
      'api/foreign-ids',
    ],
  },
  sense: {
    mutate: ['src/resources/sense/**/*.ts', ...notDeclarations],
    tests: [
      'unit/sense.values',
      'unit/sense.expressions',
      'unit/sense.formats',
      'unit/sense',
      'unit/stored-rows',
      'api/sense.rows',
      'api/sense.continuous',
    ],
  },
  mobile: {
    mutate: ['src/resources/mobile/**/*.ts', ...notDeclarations],
    tests: [
      'unit/mobile.uploads',
      'api/mobile.sign-in',
      'api/mobile.uploads',
      'api/mobile.feeds',
      'api/mobile.session',
      'api/mobile.android',
      'api/foreign-ids',
    ],
  },
  results: {
    mutate: [
      'src/resources/results/{corrections,exact,expected,index,listing,own-pdf,report-header,service,table}.ts',
    ],
    // Without `api/results`, `api/results.exact` and `api/unlisted`, which take longer for each mutant than these together.
    tests: [
      'unit/results.instants',
      'unit/results.expected',
      'api/results.settled',
      'api/results.transactions',
      'api/results.issues',
      'api/results.listed',
      'api/results.head',
      'api/results.corrected',
      'api/results.draws',
      'api/results.read',
      'api/results.slips',
      'api/results.causes',
    ],
  },
  // What every test of a report reaches: it has quick tests of its own.
  'result-values': {
    mutate: [
      'src/resources/results/*.ts',
      '!src/resources/results/{corrections,exact,expected,index,listing,own-pdf,report-header,service,table}.ts',
      ...notDeclarations,
    ],
    tests: [
      'unit/results.formulas',
      'unit/results.lines',
      'unit/results.ranges',
      'unit/results.levels',
      'unit/results.goals',
      'unit/results.drawn',
      'unit/results.families',
      'unit/results.reports',
      'unit/results.phases',
      'unit/results.plan',
      'unit/results.given',
      'unit/results.instants',
    ],
  },
  orders: {
    mutate: [
      'src/resources/orders/**/*.ts',
      // The areas `moves` and `lifecycle` have these.
      '!src/resources/orders/{service,transition,redraws,schedule,lifecycle}.ts',
      ...notDeclarations,
    ],
    tests: [
      'unit/birth-date',
      'unit/tracking',
      'unit/order-rules',
      'unit/stored-rows.orders',
      'api/orders.replies',
      'api/orders.details',
      'api/orders.recreation',
      'api/orders.filters',
      'api/orders.rules',
      'api/orders.placing',
      'api/orders.imported',
      'api/kits.rules',
      'api/kits',
      'api/orders.listing',
      'api/orders.transactions',
      'api/orders.changing',
      'api/recorded.orders',
      'api/simulation.options',
      'api/orders.by-hand',
      'api/recorded.errors',
      'api/recorded.accounts',
    ],
  },
  fhir: {
    mutate: ['src/resources/fhir/**/*.ts', '!src/resources/fhir/result.ts', ...notDeclarations],
    tests: ['api/fhir.orders', 'api/fhir.results', 'api/fhir'],
  },
  simulation: {
    mutate: ['src/resources/simulation/**/*.ts', ...notDeclarations],
    tests: [
      'api/simulation.live',
      'api/simulation.again',
      'api/simulation.options',
      'api/simulation',
      'api/recorded.simulation',
    ],
  },
  ...small({
    areas: [
      'unit/areas',
      'unit/homes',
      'api/areas.seeded',
      'api/areas.sites',
      'api/areas',
      'api/recorded.areas',
    ],
    catalogue: [
      'unit/provider-traits',
      'unit/seeds.markers',
      'unit/seeds.rows',
      'unit/seeds.folders',
      'unit/seeds',
      'api/catalogue',
    ],
    compendium: ['unit/compendium', 'api/compendium'],
    connections: ['unit/connections', 'api/connections', 'api/connections.history'],
    connecting: [
      'unit/connections',
      'api/connections',
      'api/connections.history',
      'api/introspection.pulls',
      'api/link-flows',
      'api/feed-scenarios.steps',
      'api/refresh',
    ],
    demographics: ['api/demographics'],
    portal: ['api/demographics'],
    diagnoses: ['api/diagnoses'],
    documents: [
      'unit/documents.barcode',
      'unit/documents.wrap',
      'unit/documents.paper',
      'unit/documents.contents',
      'api/documents',
    ],
    etl: ['unit/etl', 'unit/stored-rows', 'api/management.pipelines'],
    introspection: [
      'api/introspection.sent',
      'api/introspection.pulls',
      'api/introspection',
      'unit/stored-rows',
      'api/long-calls',
    ],
    'lab-accounts': [
      'api/lab-accounts',
      'api/lab-tests',
      'api/checkout',
      'api/orders.placing',
      'api/recorded.accounts',
    ],
    labs: ['api/labs', 'api/lab-tests', 'api/promotions', 'api/recorded.catalogue'],
    link: [
      'unit/link',
      'unit/link-*',
      'api/link-pages',
      'api/link.bulk',
      'api/link',
      'api/link-flows',
      'api/link-origins',
    ],
    markers: ['api/catalogue', 'api/lab-tests', 'api/lab-test-admin', 'api/recorded.catalogue'],
    'order-transactions': ['api/orders.transactions', 'api/results'],
    payors: ['api/insurance', 'api/recorded.accounts'],
    personas: ['unit/personas', 'unit/stored-rows', 'api/personas'],
    providers: ['unit/providers', 'api/link', 'api/link-flows', 'api/wearables', 'api/foreign-ids'],
    team: ['api/team', 'api/link-flows'],
    users: [
      'api/users',
      'api/user-list',
      'api/chosen-ids',
      'api/adopted-users',
      'api/refresh',
      'api/demographics',
      'api/unlisted',
      'api/recorded.errors',
    ],
  }),
  people: {
    // Days and clocks are remembered for the whole process: those of one mutant would be used by the tests of the next.
    mutate: ['src/people/**/*.ts', '!src/people/{dates,day-clock}.ts', ...notDeclarations],
    // Those of many people, as `people.days`, take seconds for each mutant.
    tests: [
      'unit/people.traits',
      'unit/people.phases',
      'unit/people.course',
      'unit/people.conditions',
      'unit/people.cycles',
      'unit/people.habits',
      'unit/people.heart',
      'unit/people.minutes',
      'unit/people.nights',
      'unit/people.training',
      'unit/people.wearing',
      'unit/people.readings',
    ],
  },
}

/** The area named by scripts/mutants.mjs, or all areas as one. */
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
