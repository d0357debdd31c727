import type { JobName } from '@plantroom/contract/jobs'
import type { Problem } from '@plantroom/fpl/check-package'
import type { JobOutput, JobRow } from './job.ts'

/** How an attempt ended. */
export type Ending =
  | { kind: 'done'; output: JobOutput }
  /** In the words of the handler. */
  | { kind: 'failed'; message: string; final: boolean; problems?: readonly Problem[] | undefined; cause?: string }
  /** Nobody could say anything any more; `reason` is the end of a sentence. */
  | { kind: 'broken'; reason: string; cause?: string }
  /** By the worker, which is stopping: it counts as no attempt. */
  | { kind: 'stopped' }

/** What an import has written so far, whatever became of it. */
export interface Reach {
  /** Requests that it made. */
  created: number
  /** How far into the package it is known to have come. */
  passed: number
}

/** What becomes of a job. `againInS`: when it is tried again; undefined when it is resolved. */
export interface Verdict {
  status: JobRow['status']
  resolved: boolean
  retryCount: number
  output: JobOutput | null
  cause: string | null
  problems: readonly Problem[]
  againInS: number | undefined
}

export function judgeEnding(
  job: Pick<JobRow, 'name' | 'retryCount' | 'maxAttempts'>,
  ending: Ending,
  options: { reach: Reach; retryDelayS: number },
): Verdict {
  const open = { resolved: false, retryCount: job.retryCount, output: null, cause: null, problems: [] }
  switch (ending.kind) {
    case 'done':
      return { ...open, status: 'SUCCESS', resolved: true, output: ending.output, againInS: undefined }
    case 'stopped':
      return { ...open, status: 'SCHEDULED', retryCount: job.retryCount - 1, againInS: 0 }
    case 'failed':
    case 'broken': {
      const failed = { ...open, status: 'ERROR', cause: causeOf(ending) } as const
      const isFinal = (ending.kind === 'failed' && ending.final) || job.retryCount >= job.maxAttempts
      if (!isFinal) return { ...failed, againInS: options.retryDelayS }
      return {
        ...failed,
        resolved: true,
        output: { message: messageOf(job.name, ending, options.reach) },
        problems: (ending.kind === 'failed' && ending.problems) || [],
        againInS: undefined,
      }
    }
  }
}

export const WORKER_DIED = 'the worker that ran it ended'

const WHAT: Record<JobName, string> = {
  PREVIEW_TICKET_IMPORT: 'preview',
  TICKET_IMPORT: 'import',
  TICKET_EXPORT: 'export',
}

function messageOf(name: JobName, ending: Extract<Ending, { kind: 'failed' | 'broken' }>, reach: Reach): string {
  if (ending.kind === 'failed') return ending.message
  if (name !== 'TICKET_IMPORT') return `The ${WHAT[name]} did not finish: ${ending.reason}. Start it again.`
  return `The import stopped at request ${reach.passed + 1}: ${ending.reason}. It has put ${reach.created} ${reach.created === 1 ? 'request' : 'requests'} on the site; running the import again continues from there.`
}

function causeOf(ending: Extract<Ending, { kind: 'failed' | 'broken' }>): string {
  const said = ending.kind === 'failed' ? ending.message : ending.reason
  return ending.cause === undefined ? said : `${said}\n${ending.cause}`
}
