import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { isStored } from '@plantroom/openadr/report-body'
import type { Vtn } from '@plantroom/openadr/vtn'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import type { Db } from '../../platform/db/database.ts'
import type { Lease, WorkKind } from '../../platform/work/index.ts'
import { type MadeReport, makeReport } from './make-report.ts'
import { createProgramStore, type StoredProgram } from './program-store.ts'
import { createReportStore, type OpenReport, REPORTS, type ReportOutcome } from './report-store.ts'
import { ASKING_MS, type VtnSessions } from './vtn-sessions.ts'

const LEASE_MS = 7_500
const SLOW_MS = 2_000
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 300_000
/** A report that no VTN took for so long is given up. */
const GIVE_UP_MS = 3 * 86_400_000
/** How long to wait for measurements that are on their way. */
const LATE_MS = 10 * 60_000
const LOOK_AGAIN_MS = 30_000
const LONGEST_ANSWER = 500

export interface ReportDeps {
  db: Db
  sessions: VtnSessions
  clock: Clock
  log: Log
}

/** Sends the reports that are due. One VTN that does not answer keeps no other waiting. */
export const reports = (deps: ReportDeps): WorkKind<'openadr_report', 'id'> => ({
  name: 'openadr-report',
  rows: REPORTS,
  atOnce: 16,
  perOrganization: 8,
  leaseMs: LEASE_MS,
  slow: { afterMs: SLOW_MS, atOnce: 8, perOrganization: 4 },
  run: (lease, { giveWay }) => send(deps, lease, giveWay),
})

async function send(deps: ReportDeps, lease: Lease<'id'>, giveWay: AbortSignal): Promise<void> {
  const { db, sessions, clock } = deps
  const store = createReportStore(db)
  const report = await store.open(lease)
  const program = report && (await createProgramStore(db).read(lease.organizationId, report.programId))
  if (!report || !program) return
  if (!program.active) return store.settle(lease, refusedBecause('the program was paused before it was sent'))
  const made = report.body
    ? { body: report.body, lacks: undefined }
    : await makeReport(db, program, report, clock.now())
  const ageMs = clock.now() - report.shouldAt.getTime()
  if (ageMs < patienceMs(report, made)) return store.settle(lease, waiting(made, clock.now(), ageMs))
  if (!made.body) return store.settle(lease, refusedBecause(made.lacks ?? NOTHING_KNOWN))
  const vtn = sessions.open(program).within(ASKING_MS, giveWay)
  const outcome = await deliver(vtn, { ...report, body: made.body }, program, deps, () =>
    store.markPosted(lease, made.body ?? {}),
  )
  if (outcome) await store.settle(lease, outcome)
}

const NOTHING_KNOWN = 'nothing is known that it could say: check its resource'

/** How late a report may be for the sake of what it lacks. What was delivered is reported completely, because it is paid for. */
function patienceMs({ due }: OpenReport, { body, lacks }: MadeReport): number {
  if (!body) return GIVE_UP_MS
  if (lacks === undefined) return 0
  return due.items.some(({ rule }) => rule.content === 'delivered-flexibility') ? GIVE_UP_MS : LATE_MS
}

const waiting = ({ lacks }: MadeReport, now: number, ageMs: number): ReportOutcome => ({
  ...{ state: 'waiting', posted: false, status: null, answer: null, error: lacks ?? NOTHING_KNOWN },
  dueAt: new Date(now + (ageMs < LATE_MS ? LOOK_AGAIN_MS : LONGEST_RETRY_MS)),
})

const refusedBecause = (error: string): ReportOutcome => ({
  state: 'refused',
  posted: false,
  status: null,
  answer: null,
  error,
})

/** Sends a report once: after an attempt without an answer, asks first whether the VTN has it. */
async function deliver(
  vtn: Vtn,
  report: OpenReport & { body: Record<string, unknown> },
  { settings }: StoredProgram,
  { db, clock }: ReportDeps,
  markPosted: () => Promise<boolean>,
): Promise<ReportOutcome | undefined> {
  const { body, posted, due, shouldAt, attempts } = report
  const sent = (): ReportOutcome => ({
    ...{ state: 'sent', posted: true, status: 201, answer: null, error: null, sentAt: new Date(clock.now()) },
  })
  let mayHaveIt = posted
  let isHidden = false
  try {
    if (posted) {
      const query = { eventId: due.event.id, clientName: settings.venName }
      const found = await vtn.reports(query).catch(unlessUnreadable)
      const there = found?.items.filter((one) => isStored(one, body)) ?? []
      // Another one with the same name may have said the same, for example that a resource is well again.
      if (there.length > 0 && there.length > (await createReportStore(db).countSent(report))) return sent()
      isHidden = found === undefined
    }
    if (!(await markPosted())) return undefined
    mayHaveIt = true
    await vtn.sendReport(body)
    return sent()
  } catch (error) {
    if (!(error instanceof VtnFailure)) throw error
    // A VTN may refuse what it has already: here the report whose answer was lost.
    if (isHidden && error.status === 409) return sent()
    // An answer that is a refusal says that it was not stored.
    const isAnswered = error.status !== null && error.status < 500
    const about = { posted: mayHaveIt && !isAnswered, status: error.status, ...wordsOf(error) }
    const now = clock.now()
    const isFinal = error.kind === 'refused' || now > shouldAt.getTime() + GIVE_UP_MS
    if (isFinal) return { state: 'refused', ...about }
    const backoff = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_RETRY_MS)
    const dueAt = new Date(now + Math.max(backoff, (error.retryAfterS ?? 0) * 1000))
    return { state: 'waiting', ...about, dueAt }
  }
}

const wordsOf = ({ message, ask, status }: VtnFailure) => ({
  answer: status === null ? null : message.slice(0, LONGEST_ANSWER),
  error: `${message}. Ask its operator: ${ask}`.slice(0, LONGEST_ANSWER),
})

/** Some VTNs do not let a VEN read its reports: then one that may have arrived is sent again. */
function unlessUnreadable(error: unknown): undefined {
  const kinds: readonly VtnFailure['kind'][] = ['forbidden', 'missing', 'unsupported', 'refused']
  if (error instanceof VtnFailure && kinds.includes(error.kind)) return undefined
  throw error
}
