import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'

const NUMBER = /^[1-9]\d{0,9}$/
const MAX_NUMBER = 2 ** 31 - 1

/** Reads the number of a request from a path. Throws `notFound` for text that cannot be a number. */
export function readNumber(text: string): number {
  if (!NUMBER.test(text) || Number(text) > MAX_NUMBER) throw noRequest(text)
  return Number(text)
}

export function noRequest(number: number | string): Failure {
  return new Failure('notFound', `this site has no request ${shown(String(number))}`)
}
