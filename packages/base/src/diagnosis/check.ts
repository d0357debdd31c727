import { type Clock, sleep } from '../clock.ts'

/**
 * What a check found out. `problem` keeps the program from working; `warning` will, or harms in another way; `skipped` could
 * not be checked now.
 */
export interface Finding {
  level: 'ok' | 'skipped' | 'warning' | 'problem'
  /** One sentence without a full stop. */
  text: string
  /** What to do about it. */
  remedy?: string
}

export interface Check {
  name: string
  /** Rejects with a reason when it could not find out, which counts as a problem. */
  run(signal: AbortSignal): Promise<Finding | readonly Finding[]>
  /** What to do when the check rejects or takes too long. */
  remedy: string
}

export interface Result extends Finding {
  name: string
}

/** Longer than any peer that works needs. */
const LIMIT_MS = 10_000

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const skipped = (text: string): Finding => ({ level: 'skipped', text })
export const warning = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy })
export const problem = (text: string, remedy: string): Finding => ({ level: 'problem', text, remedy })

/** Runs all checks at the same time, each for a bounded time, and returns their results in order. */
export async function runChecks(
  checks: readonly Check[],
  { clock, limitMs = LIMIT_MS }: { clock: Clock; limitMs?: number },
): Promise<Result[]> {
  const results = checks.map(async (check) => {
    const findings = await runBounded(check, clock, limitMs)
    return findings.map((finding) => ({ name: check.name, ...finding }))
  })
  return (await Promise.all(results)).flat()
}

async function runBounded({ run, remedy }: Check, clock: Clock, limitMs: number): Promise<readonly Finding[]> {
  const [late, done] = [new AbortController(), new AbortController()]
  const tooLate = sleep(clock, limitMs, done.signal).then(() => {
    late.abort()
    return problem(`no answer within ${limitMs / 1000} s`, remedy)
  })
  // A rejection after the limit has nobody to hear of it.
  const found = run(late.signal).catch((error: unknown) => problem(reasonOf(error), remedy))
  return [await Promise.race([found, tooLate]).finally(() => done.abort())].flat()
}

/** The reason of an error in one line. An error of several addresses has its reasons inside. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  const { message = '', cause, code } = error as { message?: string; cause?: unknown; code?: string }
  const text = message.replace(/(?<!\s)\s*\n\s*/g, ' ') || code || String(error)
  return cause instanceof Error && !text.includes(cause.message) ? `${text}: ${reasonOf(cause)}` : text
}
