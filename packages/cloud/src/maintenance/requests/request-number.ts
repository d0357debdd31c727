import { noRequest } from './request-number-store.ts'

const NUMBER = /^[1-9]\d{0,9}$/
const MAX_NUMBER = 2 ** 31 - 1

/** Reads the number of a request from a path. Throws `notFound` for text that cannot be a number. */
export function readNumber(text: string): number {
  if (!NUMBER.test(text) || Number(text) > MAX_NUMBER) throw noRequest(text)
  return Number(text)
}

/** A request in the activity log, by its number: its title is free text. */
export const subjectOf = (number: number) => ({ kind: 'request', id: String(number), name: null }) as const
