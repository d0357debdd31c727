import type { Change } from '../store/commits.ts'

/** A change that is on disk, one statement after the other. */
export const atOnce: Change = {
  write: (statement, ...parameters) => void statement.run(...parameters),
  after: (action) => action(),
  onDisk: (action) => action(),
}
