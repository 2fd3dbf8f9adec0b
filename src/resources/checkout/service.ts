export { magicPayers } from './payers.ts'
export { getQuote } from './quotes.ts'
export { getSession, paySession, presentSession, publicOf } from './sessions.ts'
