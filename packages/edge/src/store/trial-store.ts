import type { RolledBack } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Change } from './commits.ts'
import type { FactStore } from './fact-store.ts'

/** Commissioning files on trial, and what the controller ran before them. */
export interface StoredTrial {
  loadIds: string[]
  /** What each changed system was before; without connections when it was not there. */
  before: TechnicalSystem[]
  /** The connections that were up before. */
  watched: { id: string; name: string }[]
  /** Changed addresses reach the same equipment, so holds follow them back too. */
  sameEquipment: boolean
}

/** How far a trial has come. Kept apart, because it is written every minute. */
export interface TrialProgress {
  leftMs: number
  /** How often the controller has started since. */
  starts: number
  hasHeard: boolean
}

/** What is on trial, and the last time that the controller went back. */
export interface TrialStore {
  trial(): StoredTrial | undefined
  progress(): TrialProgress | undefined
  rolledBack(): RolledBack | undefined
  /** Begins a trial; without one, ends it. */
  put(to: Change, trial: StoredTrial | undefined, progress: TrialProgress): void
  putProgress(to: Change, progress: TrialProgress): void
  putRolledBack(to: Change, rolledBack: RolledBack): void
}

export function createTrialStore(facts: FactStore): TrialStore {
  return {
    trial: () => facts.document('trial'),
    progress: () => facts.document('trial-progress'),
    rolledBack: () => facts.document('rolled-back'),
    put(to, trial, progress) {
      facts.putDocument(to, 'trial', trial)
      facts.putDocument(to, 'trial-progress', trial && progress)
    },
    putProgress: (to, progress) => facts.putDocument(to, 'trial-progress', progress),
    putRolledBack: (to, rolledBack) => facts.putDocument(to, 'rolled-back', rolledBack),
  }
}
