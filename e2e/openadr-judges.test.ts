import type { Mapping } from '@plantroom/contract/openadr-mapping'
import { dueReports, type ReportState } from '@plantroom/openadr/due-reports'
import { readEvent } from '@plantroom/openadr/events'
import { know } from '@plantroom/openadr/know'
import { readMapping } from '@plantroom/openadr/mapping'
import { PROFILES } from '@plantroom/openadr/profiles'
import { type ReportData, reportBody } from '@plantroom/openadr/report-body'
import { openVtn } from '@plantroom/openadr/vtn'
import { wanted } from '@plantroom/openadr/wanted'
import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JUDGE, type Judge, startJudge } from './support/openadr/judge.ts'
import { anchor, baseline, flex } from './support/openadr/nlflex-events.ts'
import { sendWithFetch } from './support/openadr/send-with-fetch.ts'

const HOUR = 3_600_000
const START = Date.parse('2030-01-01T12:00:00Z')
/** A venName of NL-Flex is the EAN13 of a market party. */
const VEN = '8712423010208'
const MEASURED: ReportData = {
  measured: (_name, from) => ({ meanKw: 60 - (from % 7) / 3, energyKwh: 15, coverage: 100 }),
  setpoint: () => undefined,
  operatingState: () => undefined,
  baselineKw: () => 90.123,
  usualKw: () => 88.5,
}

describe.skipIf(JUDGE === undefined)('the packages of ElaadNL', () => {
  let judge: Judge
  let vtn: VtnDouble
  beforeAll(async () => {
    judge = await startJudge()
    vtn = await startVtnDouble({ version: '3.1' })
  })
  afterAll(async () => {
    await judge?.[Symbol.asyncDispose]()
    await vtn?.close()
  })
  const open = () =>
    openVtn(
      { baseUrl: vtn.baseUrl, version: '3.1', clientId: 'ven-client', clientSecret: 'ven-secret' },
      { send: sendWithFetch, now: () => Date.now() },
    )

  /** The events of a program, stored by our double, and the reports of ours that it stores for them. */
  async function reported(later: number, more: Partial<ReportState> = {}) {
    const program = vtn.addProgram({ programName: `NL-Flex ${later}` })
    const events = [anchor(program.id), baseline(program.id, 90.12), flex(program.id, START, 40)].map((fields) =>
      vtn.addEvent(fields),
    )
    const known = events.map((given) => know(undefined, read(given), START, 0))
    const state = { mapping: mapped('FLEX'), profile: PROFILES['nlflex-1.0'], isSent: () => false, ...more }
    for (const due of dueReports(known, state, START + later).due) {
      const body = reportBody(due, { version: '3.1', clientName: VEN }, MEASURED)
      await open().sendReport(body)
    }
    const reports = vtn.reports.list().filter(({ eventID }) => events.some(({ id }) => id === eventID))
    return { events, reports, flexEvent: events[2] }
  }

  test('say that our events are of NL-Flex, and that a wrong one is not', async () => {
    const { events } = await reported(0)
    for (const object of events)
      expect(await judge.judge({ type: 'EVENT', object, profile: 'nlflex-1.0' })).toMatchObject({ problems: [] })
    const wrong = { ...events[2], targets: ['one', 'two'] }
    const { problems } = await judge.judge({ type: 'EVENT', object: wrong, profile: 'nlflex-1.0' })
    expect(problems).toEqual([expect.stringContaining('exactly one resource group')])
  })

  test('take our acknowledgement, our delivery and our status', async () => {
    const statuses = [{ resourceName: 'group-1', status: 'ERROR' as const, since: START + 5 * HOUR }]
    const { reports, flexEvent } = await reported(6 * HOUR, { statuses })
    const acknowledged = await reported(HOUR)
    const kinds: (string | null)[] = []
    for (const object of [...reports, ...acknowledged.reports]) {
      const isDelivery = JSON.stringify(object).includes('DELIVERED_FLEX')
      const question = {
        type: 'REPORT',
        object,
        profile: 'nlflex-1.0',
        ...(isDelivery && { event: flexEvent }),
      } as const
      const { kind, problems } = await judge.judge(question)
      expect({ object, problems }).toEqual({ object, problems: [] })
      kinds.push(kind)
    }
    expect([...new Set(kinds)].sort()).toEqual(['FLEX_ACKNOWLEDGMENT', 'FLEX_DELIVERY', 'OPERATIONAL_STATUS'])
  })

  test('refuse a delivery that leaves out an interval, or has a value below 0', async () => {
    const { reports, flexEvent } = await reported(7 * HOUR)
    const delivery = JSON.parse(JSON.stringify(reports.find((one) => JSON.stringify(one).includes('DELIVERED_FLEX'))))
    const ask = async () =>
      (await judge.judge({ type: 'REPORT', object: delivery, profile: 'nlflex-1.0', event: flexEvent })).problems
    delivery.resources[0].intervals[1].payloads[0].values[0] = -1
    expect(await ask()).toContainEqual(expect.stringContaining('equal to or larger than zero'))
    delivery.resources[0].intervals.pop()
    expect(await ask()).toContainEqual(expect.stringContaining('one interval per interval of the FLEX event'))
  })

  test('say that our events are of GAC, and they become ceilings', async () => {
    const program = vtn.addProgram({ programName: 'GAC' })
    const event = vtn.addEvent({
      programID: program.id,
      targets: ['871687120000000001'],
      intervalPeriod: { start: new Date(START).toISOString(), duration: 'PT15M' },
      payloadDescriptors: [
        { objectType: 'EVENT_PAYLOAD_DESCRIPTOR', payloadType: 'IMPORT_CAPACITY_LIMIT', units: 'KW' },
      ],
      intervals: [11, 22].map((kw, id) => ({ id, payloads: [{ type: 'IMPORT_CAPACITY_LIMIT', values: [kw] }] })),
    })
    expect(await judge.judge({ type: 'EVENT', object: event, profile: 'gac-2.2' })).toMatchObject({ problems: [] })
    const profile = PROFILES['alliance-3.1']
    const mapping = mapped('IMPORT_CAPACITY_LIMIT', '871687120000000001')
    const { placements, notes } = wanted([know(undefined, read(event), START, 0)], mapping, profile, START)
    expect({ values: placements.map(({ value }) => value), notes }).toEqual({ values: [11, 22], notes: [] })
  })

  test('read every object of our double', async () => {
    const program = vtn.addProgram({ programName: 'Objects' })
    vtn.addEvent({ programID: program.id, intervals: [] })
    const ven = await open().ensureVen('objects')
    await open().ensureResource(ven.id, 'battery')
    const callbackUrl = 'https://plantroom.example/hooks/1'
    await open().subscribe({ clientName: 'us', programId: program.id, callbackUrl, bearerToken: 'secret' })
    const { programs, events, vens, resources, subscriptions } = vtn
    const tables = { PROGRAM: programs, EVENT: events, VEN: vens, RESOURCE: resources, SUBSCRIPTION: subscriptions }
    // The client knows the operations of an earlier description, where 3.1 has CREATE, READ, UPDATE and DELETE.
    const known = (problem: string) => problem.endsWith("Input should be 'GET', 'POST', 'PUT' or 'DELETE'")
    for (const [type, table] of Object.entries(tables) as [keyof typeof tables, (typeof tables)['VEN']][]) {
      expect(table.list().length).toBeGreaterThan(0)
      for (const object of table.list()) {
        const { problems } = await judge.judge({ type, object })
        expect({ type, object, problems: problems.filter((one) => !known(one)) }).toMatchObject({ problems: [] })
      }
    }
  })

  test('work at our double as a VEN', async () => {
    await using own = await ownDouble()
    const { baseUrl } = own.vtn
    const visit = { baseUrl, clientId: 'ven-client', clientSecret: 'ven-secret', venName: 'elaad' }
    expect(await judge.visit(visit)).toEqual({
      seen: { programs: ['Visited'], events: ['Peak'], vens: [true], resources: [true], reports: [true] },
    })
  })
})

/** A double that says where its tokens are, with one program and one event. */
async function ownDouble() {
  const vtn = await startVtnDouble({ version: '3.1' })
  vtn.faults.tokenUrl = vtn.tokenUrl
  const program = vtn.addProgram({ programName: 'Visited' })
  vtn.addEvent({ programID: program.id, eventName: 'Peak', intervals: [] })
  return { vtn, [Symbol.asyncDispose]: () => vtn.close() }
}

function read(given: unknown) {
  const event = readEvent(given)
  if ('problem' in event) throw new Error(event.problem)
  return event.value
}

function mapped(payload: string, ...targets: string[]): Mapping {
  const limit = { siteId: 'site', direction: 'import', averagingSeconds: 900 }
  const profile = payload === 'FLEX' ? PROFILES['nlflex-1.0'] : PROFILES['alliance-3.1']
  const mapping = readMapping(
    { resources: [{ resourceName: 'group-1', targets, rules: [{ payload, limit }] }] },
    profile,
  )
  if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems))
  return mapping.mapping
}
