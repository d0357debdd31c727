import type { LimitState } from '@plantroom/contract/power-limit'
import { NOTHING_MOVED, type RegulatorState } from '../optimisation/regulator-state.ts'
import type { InForce } from './in-force.ts'
import type { Part } from './proof.ts'

/** What is known of one direction. */
export interface Side {
  regulator: RegulatorState
  part: Part | undefined
  ceilings: readonly InForce[]
  state: LimitState
}

export const NO_SIDE: Side = { regulator: NOTHING_MOVED, part: undefined, ceilings: [], state: 'unlimited' }
