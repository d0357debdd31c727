import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { type AnswerStore, PRUNE_BATCH } from '../store/answer-store.ts'
import type { Change, Commits } from '../store/commits.ts'

const KEPT_MS = 48 * 60 * 60_000

/** The sender of a command. */
export interface Caller {
  keyId: string
  reqId: string
  /** Reports whether the sender still waits for the reply. */
  inTime(): boolean
}

/**
 * Answers each request once. A repeated request gets the first answer again, even after a restart, and runs nothing.
 * Rejected requests are not remembered: the caller may correct and resend them with the same reqId.
 */
export type Once = (to: Change, caller: Caller, request: string, answer: () => string) => string

export function createOnce(deps: { answers: AnswerStore; commits: Commits; clock: Clock }): Once {
  const { answers, commits, clock } = deps
  let added = 0
  // Answers given earlier in the same transaction, which are not on disk yet.
  const pending = commits.transactionMap<string, { request: string; reply: string }>()

  function earlier(keyId: string, reqId: string, sent: string): { request: string; reply: string } | undefined {
    const since = clock.now() - KEPT_MS
    const given = pending.get(`${keyId} ${reqId}`) ?? answers.find(keyId, reqId, since)
    // An earlier version stored reqIds as sent, capitals included.
    return given ?? (sent === reqId ? undefined : answers.find(keyId, sent, since))
  }

  return (to, caller, request, answer) => {
    const { keyId } = caller
    // UUIDs are case-insensitive.
    const reqId = caller.reqId.toLowerCase()
    const given = earlier(keyId, reqId, caller.reqId)
    if (given?.request === request) return given.reply
    if (given) {
      throw new Failure(
        'rejected',
        `reqId ${caller.reqId} was already used for another command; send each command with its own reqId`,
      )
    }
    if (!caller.inTime()) throw new Failure('rejected', 'the command arrived after its deadline; nothing was done')
    const reply = answer()
    const at = clock.now()
    pending.set(`${keyId} ${reqId}`, { request, reply })
    answers.add(to, { keyId, reqId, request, reply, at })
    added += 1
    // Each run prunes twice as many as were added since the last one, so the table shrinks at little cost per request.
    if (added % (PRUNE_BATCH / 2) === 0) answers.prune(to, at - KEPT_MS)
    return reply
  }
}
