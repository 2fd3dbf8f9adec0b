/** What is used of faker, bundled by itself. */
export { base, en, en_US, Faker, mergeLocales } from '@faker-js/faker'
