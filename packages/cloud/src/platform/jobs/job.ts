import type { Actor } from '@plantroom/contract/activity'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import type { FailureKind } from '@plantroom/contract/failure'
import type { Job, JobName, JobProgress } from '@plantroom/contract/jobs'
import { type Db, isUnreachable } from '../db/database.ts'

/** A job as workers and job processes see it. */
export interface JobRow {
  id: string
  organizationId: string
  siteId: string
  name: JobName
  status: Job['status']
  resolved: boolean
  /** Attempts so far, including the current one. */
  retryCount: number
  maxAttempts: number
  scheduled: Date
  /** Input of the job: the package to read, or the package to create. */
  filename: string
  /** Input of the job: the version of the package that was accepted. The job reads that version or fails. */
  packageVersion: string | null
  /** Further input of the job, as its kind of job was given it. */
  options: object | null
  /** Fencing number, raised by every claim. A process with an older number has lost the job. */
  claim: number
  /** `null` for jobs from before this was recorded. */
  startedBy: Actor | null
}

/** The part of a job that proves who may write for it. */
export type JobClaim = Pick<JobRow, 'id' | 'claim'>

export type JobOutput = NonNullable<Job['output'] | ConversionJob['output']>

export interface JobTools {
  job: JobRow
  /** Reports progress. Cheap: call it as often as you like. */
  progress(progress: JobProgress): void
  /** Aborts when the worker stops. The handler leaves its work consistent and returns or throws. */
  signal: AbortSignal
}

/** Runs one attempt. Must be safe to run again: an earlier attempt may have done any part of the work. */
export type JobHandler = (tools: JobTools) => Promise<JobOutput>

export type JobHandlers = Readonly<Record<JobName, JobHandler>>

/** How the queue treats one kind of job. Features register their kinds; the queue knows nothing else about them. */
export interface JobKind {
  maxAttempts: number
  /** Time limit of one attempt. */
  limitMs: number
  /** Jobs of this kind run one at a time on a site, in the order in which they were accepted. */
  isOneAtATime: boolean
  /** Starting a job while another of this kind waits on the site returns the one that waits. */
  joinsWaiting: boolean
  /** An example whose key order every output follows. */
  outputExample: object
  /** Returns the final message for a job whose process broke and could not explain itself. */
  describeBroken(db: Db, job: JobRow, breakdown: Breakdown): Promise<string>
  /** Returns the output of a job that has done all of its work, even if its process then failed or died. */
  findFinished?(db: Db, job: JobRow): Promise<JobOutput | undefined>
}

export type JobKinds = Readonly<Record<JobName, JobKind>>

/** Why a process broke. */
export interface Breakdown {
  /** Completes a sentence, for example "the worker running it died". */
  reason: string
  /** The job has more data than its memory takes: starting it again does not help. */
  isTooLarge?: boolean
}

/** Failures another attempt cannot fix: someone has to change something first. */
const FINAL: readonly FailureKind[] = ['invalid', 'forbidden', 'notFound', 'conflict']
export const isFinalFailure = (kind: FailureKind) => FINAL.includes(kind)

/** Completes a sentence about an error that was not foreseen. */
export const reasonFor = (error: unknown) =>
  isUnreachable(error) ? 'the database could not be reached' : 'an unexpected error occurred'

/** One problem in the input of a job, kept for its report. */
export interface JobProblem {
  /** Of the request that has it, where it is known. */
  externalId?: string | null | undefined
  path: string
  value: string | null
  rule: string
}

/** A failure whose message is written for the user who started the job. */
export class JobFailure extends Error {
  /** True when another attempt cannot succeed. */
  readonly final: boolean
  readonly problems: readonly JobProblem[] | undefined

  constructor(message: string, options: { final: boolean; problems?: readonly JobProblem[]; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'JobFailure'
    this.final = options.final
    this.problems = options.problems
  }
}
