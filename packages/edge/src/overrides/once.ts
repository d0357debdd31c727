import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { type AnswerStore, PRUNED_AT_ONCE } from '../store/answer-store.ts'
import type { Change, Commits } from '../store/commits.ts'

const KEPT_MS = 48 * 60 * 60_000

/** Whose command it is, under which reqId, and whether the sender still waits for the reply. */
export interface Caller {
  keyId: string
  reqId: string
  inTime(): boolean
}

/**
 * Answers a request once: the same request again is given the first answer, also after a restart, and nothing is done
 * a second time. What was rejected is not remembered: it may be corrected and sent again.
 */
export type Once = (to: Change, caller: Caller, request: string, answer: () => string) => string

export function createOnce(deps: { answers: AnswerStore; commits: Commits; clock: Clock }): Once {
  const { answers, commits, clock } = deps
  let added = 0
  // Not on disk yet, but ahead in the same transaction.
  const justGiven = commits.transactionMap<string, { request: string; reply: string }>()

  function earlier(keyId: string, reqId: string, sent: string): { request: string; reply: string } | undefined {
    const since = clock.now() - KEPT_MS
    const given = justGiven.get(`${keyId} ${reqId}`) ?? answers.find(keyId, reqId, since)
    // An earlier version kept reqIds in the letters in which they were sent.
    return given ?? (sent === reqId ? undefined : answers.find(keyId, sent, since))
  }

  return (to, caller, request, answer) => {
    const { keyId } = caller
    // A UUID is the same in capitals and in small letters.
    const reqId = caller.reqId.toLowerCase()
    const given = earlier(keyId, reqId, caller.reqId)
    if (given?.request === request) return given.reply
    if (given) {
      throw new Failure(
        'rejected',
        `reqId ${caller.reqId} was used for another command already; send each with its own reqId`,
      )
    }
    if (!caller.inTime()) throw new Failure('rejected', 'the command came after its deadline; nothing was done')
    const reply = answer()
    const at = clock.now()
    justGiven.set(`${keyId} ${reqId}`, { request, reply })
    answers.add(to, { keyId, reqId, request, reply, at })
    added += 1
    // Less often than it takes to add as many as are pruned: so the table shrinks, and few requests pay for it.
    if (added % (PRUNED_AT_ONCE / 2) === 0) answers.prune(to, at - KEPT_MS)
    return reply
  }
}
