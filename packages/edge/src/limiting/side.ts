import type { LimitState } from '@plantroom/contract/power-limit'
import type { RegulatorState } from '../optimisation/regulator.ts'
import type { InForce } from './in-force.ts'
import type { Part } from './proof.ts'

/** What is known of one direction. */
export interface Side {
  regulator: RegulatorState
  part: Part | undefined
  ceilings: readonly InForce[]
  state: LimitState
}
