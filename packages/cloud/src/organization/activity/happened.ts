import type { ActivityAction, ActivityOutcome, ActivitySubject, Actor } from '@plantroom/contract/activity'

/** Who acts, and from where. */
export interface ActingParty extends Actor {
  address: string | null
}

/** The service itself. */
export const SYSTEM: ActingParty = { kind: 'system', id: null, name: null, address: null }
export const SCHEDULE: ActingParty = { ...SYSTEM, kind: 'schedule' }

/** Something that happened, as callers describe it. */
export interface Happened {
  /** Whose log it belongs to. A list has one entry each; `null` or an empty list is the log of the service. */
  organizationId: string | null | readonly string[]
  siteId?: string | null | undefined
  action: ActivityAction
  subject?: ActivitySubject | undefined
  /** Small. Never secrets, and never texts that people wrote, except the reasons for closing a hold and for opting out. */
  details?: Readonly<Record<string, unknown>> | undefined
  /** `done` unless stated. */
  outcome?: ActivityOutcome | undefined
  /** Instead of the caller, where the caller becomes known only during the work. */
  by?: ActingParty | undefined
}

export type Note = (happened: Happened) => void
