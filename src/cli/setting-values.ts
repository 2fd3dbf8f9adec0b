// Parsers of settings: each throws an Error that names the expected format.
import { parseDuration } from '../kernel/duration.ts'
import { fromIso } from '../kernel/instant.ts'

export function readText(text: string): string {
  if (text.trim() === '') throw new Error('should not be empty')
  return text
}

export function readWord(text: string): string {
  if (!/^\S+$/.test(text)) throw new Error('should be one word')
  return text
}

export function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('should be a whole number from 0 to 65535')
  return port
}

export function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error('should be an http or https URL')
  return text
}

export function readPublicUrl(text: string): string {
  const { search, hash, username } = new URL(readUrl(text))
  if (search || hash || username) throw new Error('should be a URL without user, query and fragment')
  return text.replace(/\/+$/, '')
}

export function readDuration(text: string): number {
  const durationMs = parseDuration(text)
  if (!durationMs) throw new Error('should be a duration such as 90s, 12h or 7d')
  return durationMs
}

export function readLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d{1,7}$/.test(text) || limit < 1) throw new Error('should be a whole number above 0')
  return limit
}

export function readSecret(text: string): string {
  const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text.slice(6), 'base64').length : 0
  if (bytes < 24 || bytes > 64) throw new Error('should be "whsec_" and Base64 of 24 to 64 bytes')
  return text
}

export function readHeaderNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  if (!names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))) {
    throw new Error('should be header names with commas between them')
  }
  return names
}

export function readBoolean(text: string): boolean {
  const word = text.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new Error('should be true or false')
}

export function readInstant(text: string): number {
  const instant = fromIso(text)
  if (instant === undefined) throw new Error('should be an ISO 8601 date or instant')
  return instant
}

export function readPace(text: string): number {
  const pace = Number(text)
  if (!(pace > 0 && Number.isFinite(pace))) throw new Error('should be a number above 0')
  return pace
}
