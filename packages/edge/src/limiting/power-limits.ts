import type { CommandReply, CommandRequest } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { DEFAULT_AVERAGING_SECONDS } from '@plantroom/contract/power-limit'
import type { EntryCaller } from '@plantroom/contract/reports'
import { checkedTime } from '@plantroom/contract/timestamp'
import type { JsonText } from '../json-text.ts'
import { checkWindow, type Quotas } from '../overrides/check-window.ts'
import type { Caller, Once } from '../overrides/once.ts'
import type { OverrideIds } from '../overrides/override-ids.ts'
import type { Timekeeper } from '../overrides/timekeeper.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { PowerLimit, PowerLimitStore } from '../store/power-limit-store.ts'

/** How many limits a controller keeps, queued ones included. */
const MAX_LIMITS = 1_000
const MAX_LIMITS_PER_CALLER = 200

type Request = CommandRequest<'placeLimit'>
type Reply = CommandReply<'placeLimit'>

/** Why a limit is over. */
export type LimitEnd = 'ended' | 'restart' | { cancelledBy: EntryCaller }

/** The power limits that were placed and have not ended, in the journal and in memory. */
export interface PowerLimits {
  /** Resolves with the reply when the limit is on disk. Rejects with a `Failure`: then nothing was done. */
  place(request: Request, caller: Caller): Promise<JsonText<Reply>>
  /** Ends what `placedBy` has placed, or only what it placed with these reqIds. Safe to repeat. */
  release(which: { placedBy: string; reqIds?: readonly string[] }, by: EntryCaller): Promise<readonly PowerLimit[]>
  /** Reports whether a limit was accepted since the start. */
  hasAccepted(): boolean
  /** All of them, in the order of acceptance. */
  all(): readonly PowerLimit[]
  /** Returns a limit as it is within the change under way; `undefined` when it is gone. */
  find(to: Change, seq: number): PowerLimit | undefined
  /** Records that a limit has started, now. */
  started(to: Change, limit: PowerLimit, now: number): void
  /** Records up to when the audit has the intervals of a limit. */
  proven(to: Change, limit: PowerLimit, provenTo: number): void
  /** Forgets a limit that is over. */
  ended(to: Change, limit: PowerLimit): void
}

export interface PowerLimitsDeps {
  store: PowerLimitStore
  commits: Commits
  once: Once
  ids: OverrideIds
  timekeeper: Timekeeper
  quotas: Pick<Quotas, 'daysAhead'>
  isMemoryLost: boolean
  /** Returns the meter of the commissioned power limit. */
  meterId(): string | undefined
  /** Called with every limit that was released, within the change. */
  onReleased(to: Change, limit: PowerLimit, end: LimitEnd): void
  /** Called when limits are on disk, or gone. */
  onChanged(): void
}

export function createPowerLimits(deps: PowerLimitsDeps): PowerLimits {
  const { store, commits, once, ids, timekeeper } = deps
  const staged = commits.stagedMap<'limits', readonly PowerLimit[]>([['limits', store.load()]])
  const placed = () => staged.get('limits') ?? []
  let hasAccepted = false

  function accept(to: Change, request: Request, caller: Caller) {
    const meterId = deps.meterId()
    if (meterId === undefined) {
      throw rejected(
        'this controller has no power limit: add powerLimit to its commissioning file, with its meter and loads',
      )
    }
    if (deps.isMemoryLost) {
      throw rejected(
        'the controller has lost its memory and waits for the service to give it back; send the command again in a minute',
      )
    }
    const [from, end] = [checkedTime(request.from), checkedTime(request.to)]
    checkWindow({ ...window(from, end), ...placedSoFar(caller.keyId) })
    // A power cut must not take the device back to before this limit was accepted.
    timekeeper.remember(to)
    const seq = (placed().at(-1)?.seq ?? 0) + 1
    const { direction, kw, averagingSeconds = DEFAULT_AVERAGING_SECONDS, reason = '' } = request
    const { reqId, keyId: placedBy, name: placedByName } = caller
    const limit = {
      seq,
      id: ids.issue(),
      direction,
      kw,
      from,
      to: end,
      averagingSeconds,
      reqId,
      placedBy,
      placedByName,
      reason,
    }
    keep(to, limit)
    to.after(() => {
      hasAccepted = true
    })
    return {
      reply: { id: limit.id, meterId },
      isKept: true,
      undo: (undoing: Change) => forget(undoing, limit),
    }
  }

  const window = (from: number, to: number) => ({
    ...{ from, to, now: timekeeper.now().wall, clockSuspect: timekeeper.suspect() },
    quotas: { inAll: MAX_LIMITS, perCaller: MAX_LIMITS_PER_CALLER, daysAhead: deps.quotas.daysAhead },
    what: 'power limits',
  })

  function placedSoFar(keyId: string) {
    const own = placed().filter(({ placedBy }) => placedBy === keyId)
    const firstEnd = (some: readonly PowerLimit[]) => () => some.map(({ to }) => to).toSorted((a, b) => a - b)[0]
    return {
      inAll: { count: placed().length, nextEnd: firstEnd(placed()) },
      ofCaller: { count: own.length, nextEnd: firstEnd(own) },
    }
  }

  function keep(to: Change, limit: PowerLimit): void {
    staged.set(
      'limits',
      [...placed().filter(({ seq }) => seq !== limit.seq), limit].toSorted((a, b) => a.seq - b.seq),
    )
    store.put(to, limit)
    to.after(deps.onChanged)
  }

  function forget(to: Change, { seq }: PowerLimit): void {
    staged.set(
      'limits',
      placed().filter((limit) => limit.seq !== seq),
    )
    store.remove(to, seq)
    to.after(deps.onChanged)
  }

  return {
    place: (request, caller) =>
      commits.save((to) => once<Reply>(to, caller, requestOf(request), () => accept(to, request, caller))),
    release: ({ placedBy, reqIds }, cancelledBy) =>
      commits.record((to) => {
        const wanted = reqIds && new Set(reqIds.map((reqId) => reqId.toLowerCase()))
        const released = placed().filter(
          (limit) => limit.placedBy === placedBy && (!wanted || wanted.has(limit.reqId.toLowerCase())),
        )
        for (const limit of released) {
          deps.onReleased(to, limit, { cancelledBy })
          forget(to, limit)
        }
        return released
      }),
    hasAccepted: () => hasAccepted,
    all: () => staged.kept.get('limits') ?? [],
    find: (_to, seq) => placed().find((limit) => limit.seq === seq),
    started: (to, { isTakenOver: _, ...limit }, now) => keep(to, { ...limit, isApplied: true, provenTo: now }),
    proven: (to, { seq }, provenTo) => {
      const limit = placed().find((one) => one.seq === seq)
      if (limit) keep(to, { ...limit, provenTo })
    },
    ended: forget,
  }
}

function requestOf({
  direction,
  kw,
  from,
  to,
  averagingSeconds = DEFAULT_AVERAGING_SECONDS,
  reason = '',
}: Request): string {
  return `limit ${JSON.stringify([direction, kw, from, to, averagingSeconds, reason])}`
}

const rejected = (message: string) => new Failure('rejected', message)
