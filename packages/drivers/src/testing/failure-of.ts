import { Failure } from '@plantroom/contract/failure'
import { expect } from 'vitest'

export const ONE_LINE = /^.+$/

/** A `Failure` of a kind, whose message is one line. */
export const failureOf = (kind: Failure['kind']) =>
  expect.toSatisfy((thrown) => thrown instanceof Failure && thrown.kind === kind && ONE_LINE.test(thrown.message))
