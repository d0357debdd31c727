import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'

const NUMBER = /^[1-9]\d{0,9}$/
const LAST = 2 ** 31 - 1

/** The number of a request as a path has it. What can be none is one that the site does not have. */
export function numberIn(text: string): number {
  if (!NUMBER.test(text) || Number(text) > LAST) throw noTicket(text)
  return Number(text)
}

export function noTicket(number: number | string): Failure {
  return new Failure('notFound', `this site has no request ${shown(String(number))}`)
}
