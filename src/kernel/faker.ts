/** The parts of faker that are used, bundled separately. */
export { base, en, en_US, Faker, mergeLocales } from '@faker-js/faker'
