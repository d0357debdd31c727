import type { CommissioningFile } from '@plantroom/contract/commissioning'

export const EMPTY: CommissioningFile = { technicalSystem: '', connections: [] }

/** Where a file on the page began. */
export interface Start {
  /** Differs between two beginnings. */
  key: string
  file: CommissioningFile
  /** The text of the file, where it cannot be read as one. */
  text?: string | undefined
  /** What is on the controller already, or nothing: without it, no work is lost. */
  saved: CommissioningFile
  /** What was commissioned under the name of the saved file then. */
  base?: string | undefined
}

/** What a person has made of it. */
export interface Work {
  start: Start
  draft: CommissioningFile
  /** The text of the file, while it cannot be read as one. */
  text: string | undefined
}

export const NOTHING: Start = { key: '', file: EMPTY, saved: EMPTY }

/** Reports whether leaving would lose something. */
export function isUnsaved({ start, draft, text }: Work): boolean {
  if (text !== undefined) return true
  return draft !== start.saved && JSON.stringify(draft) !== JSON.stringify(start.saved)
}

let count = 0
/** Returns a beginning that shows the work as it was. */
export function continued({ start, draft, text }: Work): Start {
  count += 1
  return { ...start, key: `continued ${count}`, file: draft, text }
}

/** What others must not have changed since: the system that was copied, under its own name. */
export const seenOf = ({ base, saved }: Start, { technicalSystem }: CommissioningFile) =>
  base !== undefined && saved.technicalSystem === technicalSystem ? { base } : undefined
