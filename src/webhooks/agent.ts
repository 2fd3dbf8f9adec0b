// A module of its own, so that it is loaded with the first delivery; importing a CommonJS package by name survives bundling.
export { Agent } from 'undici'
