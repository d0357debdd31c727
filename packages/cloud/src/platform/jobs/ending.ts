import type { Breakdown, JobOutput, JobProblem, JobRow } from './job.ts'

/** How an attempt ended. */
export type Ending =
  | { kind: 'done'; output: JobOutput }
  /** The handler failed with a message for the user. */
  | { kind: 'failed'; message: string; final: boolean; problems?: readonly JobProblem[] | undefined; cause?: string }
  /** The process died or threw an unexpected error. */
  | ({ kind: 'broken'; cause?: string } & Breakdown)
  /** The worker is stopping. The attempt does not count. */
  | { kind: 'stopped' }

/** The state of a job after an attempt. */
export interface Verdict {
  status: JobRow['status']
  resolved: boolean
  retryCount: number
  output: JobOutput | null
  cause: string | null
  problems: readonly JobProblem[]
  /** Seconds until the next attempt; undefined when the job is resolved. */
  retryInS: number | undefined
}

/** Why a job is broken when its lease expired: nothing else is known about the attempt. */
export const WORKER_DIED = 'the worker running it died'

/** Decides what an ending means for its job. `brokenMessage` is the final message of a broken job. */
export function judgeEnding(
  job: Pick<JobRow, 'retryCount' | 'maxAttempts'>,
  ending: Ending,
  options: { brokenMessage: string; retryDelayS: number },
): Verdict {
  const unresolved = { resolved: false, retryCount: job.retryCount, output: null, cause: null, problems: [] }
  switch (ending.kind) {
    case 'done':
      return { ...unresolved, status: 'SUCCESS', resolved: true, output: ending.output, retryInS: undefined }
    case 'stopped':
      return { ...unresolved, status: 'SCHEDULED', retryCount: job.retryCount - 1, retryInS: 0 }
    case 'failed':
    case 'broken': {
      const failed = { ...unresolved, status: 'ERROR', cause: causeOf(ending) } as const
      const isFinal = (ending.kind === 'failed' && ending.final) || job.retryCount >= job.maxAttempts
      if (!isFinal) return { ...failed, retryInS: options.retryDelayS }
      return {
        ...failed,
        resolved: true,
        output: { message: ending.kind === 'failed' ? ending.message : options.brokenMessage },
        problems: (ending.kind === 'failed' && ending.problems) || [],
        retryInS: undefined,
      }
    }
  }
}

function causeOf(ending: Extract<Ending, { kind: 'failed' | 'broken' }>): string {
  const message = ending.kind === 'failed' ? ending.message : ending.reason
  return ending.cause === undefined ? message : `${message}\n${ending.cause}`
}
