/**
 * What is done later than the request that asked for it. A row of a table is the work: a process takes a lease on it, runs
 * it and settles it; when the process dies, another takes over. A feature says which rows, what to do, and how many at once.
 */
export { askedWork } from './asked-work.ts'
export { delayAfter } from './delays.ts'
export { DUTIES, type Duty, startDuties, sweep } from './duties.ts'
export { createGathering, type Gathering } from './gathering.ts'
export { createGroupWriter } from './group-writer.ts'
export type { RunTools, WorkKind } from './kind.ts'
export {
  claimDue,
  giveBack,
  type Lease,
  type LeasedRows,
  longestWait,
  renew,
  settle,
  timeOf,
  type WorkTable,
} from './leased-rows.ts'
export { createLooks, type Looks } from './looks.ts'
export { createOrganizationQueue } from './organization-queue.ts'
export { createPace, type Pace } from './pace.ts'
export { createPlaces } from './places.ts'
export { slowSubject } from './slow-subject.ts'
export { runDue, startWork } from './work.ts'
