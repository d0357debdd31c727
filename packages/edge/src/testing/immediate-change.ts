import type { Change } from '../store/commits.ts'

/** A change that writes each statement immediately. */
export const immediateChange: Change = {
  write: (statement, ...parameters) => void statement.run(...parameters),
  after: (action) => action(),
  onDisk: (action) => action(),
  revokeIf: () => {},
  isLast: () => {},
}
