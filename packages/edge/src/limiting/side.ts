import type { LimitState } from '@plantroom/contract/power-limit'
import { NOTHING_MOVED, type RegulatorState } from '../optimisation/regulator-state.ts'
import type { InForce } from './in-force.ts'
import type { Part } from './proof.ts'

/** What is known of one direction. */
export interface Side {
  regulator: RegulatorState
  /** One for each placed limit in force, and one for the strictest of the other ceilings, the strictest first. */
  parts: readonly Part[]
  ceilings: readonly InForce[]
  state: LimitState
}

export const NO_SIDE: Side = { regulator: NOTHING_MOVED, parts: [], ceilings: [], state: 'unlimited' }
