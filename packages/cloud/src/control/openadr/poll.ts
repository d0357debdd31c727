import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { know } from '@plantroom/openadr/know'
import { shownSpan } from '@plantroom/openadr/timeline'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import type { Db } from '../../platform/db/database.ts'
import { createGathering, type Gathering, type Lease, timeOf, type WorkKind } from '../../platform/work/index.ts'
import { addReports, LOOKBACK_MS } from './add-reports.ts'
import { askVtn, type Heard, problemOf, seedOf } from './ask-vtn.ts'
import { basisOf, digestOfEvents } from './basis.ts'
import { type ChangedEvent, createEventStore } from './event-store.ts'
import type { Listeners } from './listeners.ts'
import { callbackUrl } from './notify-route.ts'
import { type OpenedProgram, openPrograms } from './open-programs.ts'
import { createPollStore, type PollOutcome, PROGRAMS, type UnchangedPoll } from './poll-store.ts'
import { createProgramStore, type FoundVtn, type StoredProgram } from './program-store.ts'
import { MAX_PLACEMENTS, reconcile } from './reconcile.ts'
import { ASKING_MS, type VtnSessions } from './vtn-sessions.ts'

/** Another worker takes over within this time. */
const LEASE_MS = 7_500
const LOOK_MS = 500
/** Most VTNs answer a whole poll sooner. */
const SLOW_MS = 2_000
/** How long a poll that found nothing new waits for others, so that one statement ends them all. */
const GATHER_MS = 250
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 300_000
/** The longest time without a look at what is placed. */
const IDLE_MS = 3_600_000
/** Dates beyond this have no text. An event may end with the world. */
const LATEST_MS = Date.parse('9999-01-01T00:00:00Z')

export interface PollDeps {
  db: Db
  sessions: VtnSessions
  listeners: Pick<Listeners, 'follow' | 'hears'>
  /** Where others reach this service, when that is known. */
  baseUrl: string | undefined
  clock: Clock
  log: Log
}

/** Follows programs: asks VTNs for their events, and makes what is placed what these ask for. */
export function polls(deps: PollDeps): WorkKind<'openadr_program', 'id'> {
  const { db, clock } = deps
  const shared: Shared = {
    opening: createGathering({ run: (leases) => openPrograms(deps, leases), longestMs: GATHER_MS, clock }),
    unchanged: createGathering({
      run: (ended) => createPollStore(db).settleUnchanged(ended),
      longestMs: GATHER_MS,
      clock,
    }),
  }
  return {
    name: 'openadr-poll',
    rows: PROGRAMS,
    atOnce: 20,
    perOrganization: 10,
    leaseMs: LEASE_MS,
    lookMs: LOOK_MS,
    slow: { afterMs: SLOW_MS, atOnce: 12, perOrganization: 6 },
    run: (lease, { giveWay }) => poll(deps, shared, lease, giveWay),
  }
}

/** Statements that the runs of a process share. */
interface Shared {
  opening: Gathering<Lease<'id'>, OpenedProgram | undefined>
  unchanged: Gathering<UnchangedPoll, boolean>
}

async function poll(deps: PollDeps, shared: Shared, lease: Lease<'id'>, giveWay: AbortSignal): Promise<void> {
  const { sessions, listeners, clock, log } = deps
  using unchanged = shared.unchanged.expect()
  const opened = await shared.opening.expect().add(lease)
  if (!opened) return
  const { program, startedAt } = opened
  const asked = program.pollAt <= startedAt ? await ask(program, deps, giveWay) : undefined
  const heard = asked?.heard
  const found = heard ? { ...heard.found, events: digestOfEvents(heard) } : program.found
  const says = { ...found, ...(asked && announcedIn({ ...program, found }, listeners, clock.now())) }
  let isRecorded: boolean
  if (asked?.heard && asked.made.length === 0 && saysNothingNew(opened, found)) {
    const { pollAt, state } = asked
    const problem = state.problem ?? tooMany(found.omitted ?? 0)
    isRecorded = await unchanged.add({ lease, startedAt, pollAt, polledAt: state.polledAt, problem, found: says })
  } else {
    unchanged.dismiss()
    isRecorded = await record(deps, lease, { opened, asked, found: says }).catch((error: unknown) => {
      if (!asked?.heard || !isAboutData(error)) throw error
      // Without the answer: the events that were read before stay in force, and people see why.
      const useless = { ...failed(program, error, deps), made: asked.made }
      return record(deps, lease, { opened, asked: useless, found: { ...program.found, askedAt: clock.now() } })
    })
  }
  if (!isRecorded) return sessions.forget(program.id)
  listeners.follow(program, found.broker ?? null)
  if (asked?.state.problem && program.problem === null) {
    log.warn({ programId: program.id, problem: asked.state.problem }, 'an OpenADR program has a problem')
  }
}

/** Holds when the VTN, the equipment and the time ask for nothing but what is placed and reported. */
const saysNothingNew = ({ program, startedAt, equipment }: OpenedProgram, found: FoundVtn) =>
  program.reconcileAt > startedAt && program.failingSince === null && program.found.basis === basisOf(found, equipment)

/** Stores what was heard, and makes what is placed and reported what it should be. False when the lease was lost. */
function record(
  { db, clock }: PollDeps,
  lease: Lease<'id'>,
  { opened, asked, found }: { opened: OpenedProgram; asked: Asked | undefined; found: FoundVtn },
): Promise<boolean> {
  const { program, startedAt, equipment } = opened
  return db.transaction().execute(async (tx) => {
    const held = createPollStore(tx)
    // A change of the program or another worker came first: what was heard may be about something else.
    if (!(await held.hold(lease, LEASE_MS))) return false
    await createProgramStore(tx).addMade(program.id, asked?.made ?? [])
    const at = clock.now()
    const current: StoredProgram = { ...program, found, ...asked?.state }
    const isChanged = found.events !== program.found.events
    const saved = asked?.heard && isChanged ? await applyEvents(tx, program.id, asked.heard, at) : []
    const events = await createEventStore(tx).current(program.id, at - LOOKBACK_MS, saved)
    const { nextAt, missing, omitted } = await reconcile(tx, current, events, at)
    const reportAt = await addReports(tx, current, events, at)
    const outcome: PollOutcome = {
      pollAt: asked?.pollAt ?? program.pollAt,
      reconcileAt: new Date(Math.min(nextAt, reportAt, at + IDLE_MS)),
      found: { ...found, missingDatapoints: missing, omitted, basis: basisOf(found, equipment) },
      ...(asked && { asked: { ...asked.state, problem: asked.state.problem ?? tooMany(omitted) } }),
    }
    await held.settle(lease, outcome, { startedAt, now: timeOf(clock) })
    return true
  })
}

/** How the VTN announces changes at present, and when it was asked. */
function announcedIn({ id, found }: StoredProgram, listeners: PollDeps['listeners'], now: number) {
  const byWebhook = (found.subscriptions ?? []).length > 0 && found.webhookProblem === null
  const notifications = listeners.hears(id) ? 'mqtt' : byWebhook ? 'webhook' : null
  return { notifications, askedAt: now } as const
}

const tooMany = (omitted: number) =>
  omitted === 0
    ? null
    : `its events ask for ${omitted + MAX_PLACEMENTS} setpoints and limits, and a program may have ${MAX_PLACEMENTS}: the latest ones wait`

interface Asked {
  heard: Heard | undefined
  /** The resources that the VTN did not have, also when it failed afterwards. */
  made: readonly string[]
  pollAt: Date
  state: Pick<StoredProgram, 'failingSince' | 'failures' | 'problem' | 'polledAt'>
}

/** Asks the VTN. Its failure is part of the answer. When the poll gives way to others, the program stays due. */
async function ask(
  program: StoredProgram,
  { sessions, baseUrl, clock, log }: PollDeps,
  giveWay: AbortSignal,
): Promise<Asked> {
  const made: string[] = []
  try {
    const callback = baseUrl && callbackUrl(baseUrl, program.notifyToken)
    const heard = await askVtn(
      program,
      { vtn: sessions.open(program).within(ASKING_MS, giveWay), callback, made: (id) => void made.push(id) },
      clock.now(),
    )
    const at = clock.now()
    const state = { failingSince: null, failures: 0, problem: heard.problem, polledAt: new Date(at) }
    return { heard, made, pollAt: new Date(at + program.settings.pollSeconds * 1000), state }
  } catch (error) {
    const { pollAt, failingSince, failures, problem, polledAt } = program
    if (giveWay.aborted) return { heard: undefined, made, pollAt, state: { failingSince, failures, problem, polledAt } }
    return { ...failed(program, error, { clock, log }), made }
  }
}

/** What is stored when the VTN could not be asked, or its answer is of no use. */
function failed(
  { id, settings, failures, failingSince, polledAt }: StoredProgram,
  error: unknown,
  { clock, log }: Pick<PollDeps, 'clock' | 'log'>,
): Asked {
  if (!isExpected(error)) log.error({ programId: id, err: error }, 'the answer of a VTN could not be processed')
  const { problem, retryAfterS } = describe(error)
  const at = clock.now()
  const longestMs = Math.max(settings.pollSeconds * 1000, LONGEST_RETRY_MS)
  const backoff = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), longestMs)
  // A VTN that asks for a longer pause would keep its own cancellations from us.
  const waitMs = Math.max(Math.min((retryAfterS ?? 0) * 1000, IDLE_MS), backoff)
  const state = { failingSince: failingSince ?? new Date(at), failures: failures + 1, problem, polledAt }
  return { heard: undefined, made: [], pollAt: new Date(at + waitMs), state }
}

/** The secret may not open: that is a problem of the program, too. */
function describe(error: unknown): ReturnType<typeof problemOf> {
  if (error instanceof Failure) return { problem: error.message, retryAfterS: null }
  return isExpected(error) ? problemOf(error) : { problem: UNUSABLE, retryAfterS: null }
}

const isExpected = (error: unknown) => error instanceof Failure || error instanceof VtnFailure

const UNUSABLE =
  'what the VTN sent cannot be processed, so the events that were read before stay in force; report this to the operator of this service, whose log says why'

/** Holds for an error that comes back with the same answer: a value that no column takes (class 22 of SQLSTATE), or a size. */
const isAboutData = (error: unknown) =>
  error instanceof RangeError || String((error as { code?: unknown } | null)?.code).startsWith('22')

/** Stores what has changed among the events of a VTN, in a transaction. Returns the changed events. */
async function applyEvents(
  tx: Db,
  programId: string,
  { events, unreadable, lost }: Heard,
  now: number,
): Promise<ChangedEvent[]> {
  const store = createEventStore(tx)
  const versions = await store.versions(programId)
  const changed = events.filter(({ id, version }) => versions.get(id) !== version)
  const kept = lost.length === 0 ? [] : await store.ofPrograms(programId, lost)
  const there = new Set([...events.map(({ id }) => id), ...unreadable, ...kept])
  const gone = [...versions.keys()].filter((id) => !there.has(id))
  await store.markDeleted(programId, gone, new Date(now))
  const before =
    changed.length === 0
      ? undefined
      : await store.known(
          programId,
          changed.map(({ id }) => id),
        )
  const saved = changed.map((event): ChangedEvent => {
    const stored = before?.get(event.id)
    const known = know(stored?.known, event, now, seedOf(programId, event.id))
    const span = shownSpan(known, now)
    return { id: stored?.id ?? newId('evt'), known, startsAt: dateOf(span?.from), endsAt: dateOf(span?.to) }
  })
  await store.save(programId, saved, new Date(now))
  return saved
}

const dateOf = (time: number | undefined) => (time === undefined || Math.abs(time) >= LATEST_MS ? null : new Date(time))
