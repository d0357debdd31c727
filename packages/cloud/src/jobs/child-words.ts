import type { JobProgress } from '@plantroom/contract/jobs'
import type { Ending } from './ending.ts'

/** Whether it was stopped is for the worker to say. */
export type ChildEnding = Exclude<Ending, { kind: 'stopped' }>

/** What the process of a job tells the worker. */
export type ChildWord = { progress: JobProgress } | { ending: ChildEnding }

/** What the worker tells the process of a job: leave the work whole and end. */
export interface WorkerWord {
  stop: true
}
