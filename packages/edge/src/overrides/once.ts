import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { type JsonText, storedJson, toJson } from '../json-text.ts'
import { type AnswerStore, PRUNE_BATCH } from '../store/answer-store.ts'
import type { Change, Commits } from '../store/commits.ts'

const KEPT_MS = 48 * 60 * 60_000
/** How many answers are added before the oldest beyond the bounds are deleted. */
const BOUND_BATCH = 256

/** How many answers the journal keeps, about 300 bytes each: of one caller, and of all. The oldest go first. */
export interface AnswerBounds {
  perCaller: number
  inAll: number
}

export const DEFAULT_ANSWER_BOUNDS: AnswerBounds = { perCaller: 50_000, inAll: 200_000 }

/** The sender of a command. */
export interface Caller {
  keyId: string
  reqId: string
  /** The sender's name at that time, for people; empty when unknown. */
  name: string
  /** Reports whether the sender still waits for the reply. */
  inTime(): boolean
  /** Returns for how many milliseconds the sender will still wait. */
  leftMs(): number
}

/** A reply, and whether it has to be kept: not when the same request would get it again without any effect. */
export interface Answer<Reply> {
  reply: Reply
  isKept: boolean
  /** Undoes what the request did, when its sender had stopped waiting before it was on disk. Missing where it may stay. */
  undo?: (to: Change) => void
}

/** An answer that is not on disk yet. */
interface PendingAnswer {
  request: string
  /** As JSON. */
  reply: string
  /** Who waits for it: a repeated request may arrive before the first is on disk. */
  callers: Caller[]
}

/**
 * Answers each request once. A repeated request gets the first answer again, even after a restart, and runs nothing.
 * Rejected requests are not remembered: the caller may correct and resend them with the same reqId.
 */
export type Once = <Reply extends object>(
  to: Change,
  caller: Caller,
  request: string,
  answer: () => Answer<Reply>,
) => JsonText<Reply>

export function createOnce(deps: {
  answers: AnswerStore
  commits: Commits
  clock: Clock
  bounds?: AnswerBounds
}): Once {
  const { answers, commits, clock, bounds = DEFAULT_ANSWER_BOUNDS } = deps
  let added = 0
  /** The callers who got an answer since the bounds were last applied. */
  const answered = new Set<string>()
  // Answers given earlier in the same transaction, which are not on disk yet.
  const pending = commits.transactionMap<string, PendingAnswer>()

  function earlier(keyId: string, reqId: string, sent: string): { request: string; reply: string } | undefined {
    const since = clock.now() - KEPT_MS
    const given = answers.find(keyId, reqId, since)
    // An earlier version stored reqIds as sent, capitals included.
    return given ?? (sent === reqId ? undefined : answers.find(keyId, sent, since))
  }

  function applyBounds(to: Change): void {
    for (const keyId of answered) answers.boundCaller(to, keyId, bounds.perCaller)
    answers.boundAll(to, bounds.inAll)
    to.after(() => answered.clear())
  }

  return (to, caller, request, answer) => {
    const { keyId } = caller
    // UUIDs are case-insensitive.
    const reqId = caller.reqId.toLowerCase()
    const waiting = pending.get(`${keyId} ${reqId}`)
    const given = waiting ?? earlier(keyId, reqId, caller.reqId)
    if (given?.request === request) {
      waiting?.callers.push(caller)
      return storedJson(given.reply)
    }
    if (given) throw usedBefore(caller)
    if (!caller.inTime()) throw new Failure('rejected', 'the command arrived after its deadline; nothing was done')
    const { isKept, undo, ...answeredNow } = answer()
    const reply = toJson(answeredNow.reply)
    if (!isKept) return reply
    const at = clock.now()
    const callers = [caller]
    pending.set(`${keyId} ${reqId}`, { request, reply, callers })
    if (undo) {
      to.revokeIf(
        () => (callers.some(({ inTime }) => inTime()) ? undefined : onDiskTooLate()),
        (undoing) => {
          answers.remove(undoing, keyId, reqId)
          undo(undoing)
        },
      )
    }
    answers.add(to, { keyId, reqId, request, reply, at })
    added += 1
    // Each run prunes twice as many as were added since the last one, so the table shrinks at little cost per request.
    if (added % (PRUNE_BATCH / 2) === 0) answers.prune(to, at - KEPT_MS)
    answered.add(keyId)
    if (added % BOUND_BATCH === 0) applyBounds(to)
    return reply
  }
}

function onDiskTooLate(): Failure {
  return new Failure(
    'rejected',
    "the controller's disk took longer than the command was waited for, so nothing was written; send the command again",
  )
}

export function usedBefore({ reqId }: Caller): Failure {
  return new Failure(
    'rejected',
    `reqId ${reqId} was already used for another command; send each command with its own reqId`,
  )
}
