import { createLog } from '@plantroom/base/log'
import { readEvent } from '@plantroom/openadr/events'
import { know } from '@plantroom/openadr/know'
import { readingAt, spelledOut } from '@plantroom/openadr/testing/plain-reading'
import type { Random } from '@plantroom/testkit/random'
import { repeat } from '@plantroom/testkit/repetitions'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AHEAD = 20 * HOUR
const LONGEST_SILENCE = 6 * MINUTE
const MAX_EVENTS = 6
type Bench = Awaited<ReturnType<typeof openBench>>
/** A report for each interval, when it is over. */
const ASKS = { reportDescriptors: [{ payloadType: 'SETPOINT', numIntervals: 1, frequency: 1, repeat: -1 }] }

/** An event of some intervals, which may overlap others and have their priority. */
function content({ whole, pick }: Random, { event }: Bench, elapsed: number) {
  const values = Array.from({ length: whole(0, 3) }, () => whole(-50, 50))
  const priority = pick([null, 0, 1, 1])
  return event(elapsed + whole(-90, 180), whole(0, 60), values, { ...ASKS, ...(priority !== null && { priority }) })
}

/** What goes wrong while the service follows the VTN. */
const FAULTS: Record<string, (bench: Bench, random: Random) => Promise<void> | void> = {
  'the VTN is down': ({ vtn }) => void Object.assign(vtn.faults, { isDown: true }),
  'the VTN answers a web page': ({ vtn }) => void Object.assign(vtn.faults, { answersHtml: true }),
  'the VTN has an error or two': ({ vtn }, { whole }) => void Object.assign(vtn.faults, { failures: whole(1, 3) }),
  'the token expires in the middle': ({ vtn }, { whole }) =>
    void Object.assign(vtn.faults, { requestsPerToken: whole(1, 4) }),
  'the clock of the VTN is wrong': ({ vtn }, { whole }) =>
    void Object.assign(vtn.faults, { clockAheadMs: whole(-HOUR, HOUR) }),
  'the VTN has no ETags': ({ vtn }) => void Object.assign(vtn.faults, { hasNoEtag: true }),
  'replies of the controller are lost': (bench) => void Object.assign(bench.device(0), { mood: 'lost' }),
  'commands do not reach the controller': (bench) => void Object.assign(bench.device(0), { mood: 'deaf' }),
  'the controller is offline': (bench) => void Object.assign(bench.device(0), { isOnline: false }),
  'the controller refuses': (bench) => void Object.assign(bench.device(0), { refuses: 'the clock is wrong' }),
  async 'a worker dies before it asks'(bench) {
    await bench.wakeAt(bench.clock.now())
    await runDue({ ...bench, log }, { ...bench.worker, run: async () => {} })
    bench.clock.step(8_001)
  },
  async 'a worker is taken over while it asks'({ vtn, db }) {
    vtn.faults.betweenPages = () => {
      vtn.faults.betweenPages = undefined
      void db
        .updateTable('openadr_program')
        .set(({ eb }) => ({ claim: eb('claim', '+', 1), leased_until: null }))
        .execute()
    }
  },
  'answers to reports are lost': ({ vtn }) => void Object.assign(vtn.faults, { losesReportAnswers: true }),
  'a worker is taken over while it reports'({ vtn, db }) {
    vtn.faults.distort = (body, path) => {
      if (path !== 'reports') return body
      vtn.faults.distort = undefined
      void db
        .updateTable('openadr_report')
        .set(({ eb }) => ({ claim: eb('claim', '+', 1), leased_until: null }))
        .execute()
      return body
    }
  },
  'the clock is set back': ({ clock }, { whole }) => clock.step(-whole(1, 20) * MINUTE),
  'the cloud dies and another takes over'(bench) {
    bench.process.kill()
    Object.assign(bench.process, bench.startProcess())
  },
}

/** Everything works again, and what is late is over. */
async function recover(bench: Bench): Promise<void> {
  const { vtn, clock } = bench
  const { faults } = vtn
  Object.assign(faults, { isDown: false, answersHtml: false, failures: 0, clockAheadMs: 0, hasNoEtag: false })
  Object.assign(faults, { requestsPerToken: Number.POSITIVE_INFINITY, betweenPages: undefined })
  Object.assign(faults, { losesReportAnswers: false, distort: undefined })
  Object.assign(bench.device(0), { mood: 'answers', isOnline: true, refuses: undefined })
  bench.process.back(bench.device(0).id)
  // What was refused is tried again after some minutes, and so is what did not answer.
  for (let round = 0; round < 3; round += 1) {
    clock.step(LONGEST_SILENCE)
    await bench.poll(bench.startWorker())
    await bench.sendReports()
  }
}

/** The VTN has each report once, and all that could be made, unless it no longer has the event. */
async function expectReportsOnce({ db, vtn, clock }: Bench, story: readonly string[]): Promise<void> {
  const what = `after ${story.join(', ')}`
  const names = vtn.reports.list().map(({ reportName }) => String(reportName))
  expect(names.toSorted(), what).toEqual([...new Set(names)].sort())
  const { rows } = await sql<{ name: string | null; isSent: boolean; isOpen: boolean }>`
    SELECT body->>'reportName' AS name, state = 'sent' AS "isSent", deleted_at IS NULL AND due_at <= ${new Date(clock.now())} AS "isOpen"
    FROM openadr_report JOIN openadr_event AS event ON event.id = event_id`.execute(db)
  const made = rows.filter(({ name }) => name !== null)
  expect(
    made.map(({ name }) => name),
    what,
  ).toEqual(expect.arrayContaining(names))
  expect(names, what).toEqual(expect.arrayContaining(made.filter(({ isSent }) => isSent).map(({ name }) => name)))
  expect(
    made.filter(({ isSent, isOpen }) => isOpen && !isSent),
    what,
  ).toEqual([])
}

/** The controller has what the standard asks for, once, now and for the hours to come. */
function expectTheStandard(bench: Bench, story: readonly string[]): void {
  const now = bench.clock.now()
  const events = bench.vtn.events.list().map((given) => {
    const event = readEvent(given)
    if ('problem' in event) throw new Error(event.problem)
    return know(undefined, event.value, now, 0)
  })
  const plain = spelledOut(events, now + 2 * AHEAD)
  const ends = plain.flatMap(({ spans }) => spans).flatMap(({ from, to }) => [from, to])
  const moments = [now, ...ends, ...ends.map((end) => end - 1000)].filter((at) => at >= now && at < now + AHEAD)
  for (const at of moments) {
    const held = bench.held().filter(({ from, to }) => Date.parse(from) <= at && at < Date.parse(to))
    const reading = readingAt(plain, at, Number.POSITIVE_INFINITY).setpoint
    const what = `at ${new Date(at).toISOString()} after ${story.join(', ')}`
    expect(
      held.map(({ value }) => value),
      what,
    ).toEqual(reading ? [reading.value] : [])
  }
}

test('whatever a VTN does and whatever dies, a controller ends up with what the standard says, and each report is sent, once', {
  timeout: 300_000,
}, async () => {
  await repeat(6, async ({ random }) => {
    const bench = await openBench()
    const begun = bench.clock.now()
    const story: string[] = []
    for (let turn = 0; turn < 10; turn += 1) {
      const ids = bench.vtn.events.list().map(({ id }) => id)
      const elapsed = Math.round((bench.clock.now() - begun) / MINUTE)
      const action = random.pick(['add', 'add', 'change', 'delete', 'pass'] as const)
      if (action === 'pass') bench.clock.step(random.whole(1, 90) * MINUTE)
      else if (ids.length === 0 || (action === 'add' && ids.length < MAX_EVENTS))
        bench.vtn.addEvent(content(random, bench, elapsed))
      else if (action === 'delete') bench.vtn.events.remove(random.pick(ids))
      else bench.vtn.changeEvent(random.pick(ids), content(random, bench, elapsed))
      story.push(action)
      if (random.whole(1, 2) === 1) {
        const name = random.pick(Object.keys(FAULTS))
        story.push(name)
        await FAULTS[name]?.(bench, random)
      }
      await bench.poll(random.whole(1, 4) === 1 ? bench.startWorker() : bench.worker)
      await bench.sendReports()
      if (random.whole(1, 3) > 1) continue
      await recover(bench)
      expectTheStandard(bench, story)
      await expectReportsOnce(bench, story)
    }
    await recover(bench)
    expectTheStandard(bench, story)
    await expectReportsOnce(bench, story)
  })
})
