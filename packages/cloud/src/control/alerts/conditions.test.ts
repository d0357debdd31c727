import { describe, expect, test } from 'vitest'
import { type Condition, conditionsOf, type Facts } from './conditions.ts'
import { WELL } from './testing/bench.ts'

const NOW = Date.UTC(2030, 0, 1)
const MINUTE_MS = 60_000
const device = { id: 'dev_1', organizationId: 'org_1', siteId: 'site_1', name: 'Boiler room' }
const ofDevice = {
  organizationId: 'org_1',
  siteId: 'site_1',
  deviceId: 'dev_1',
  deviceName: 'Boiler room',
  subject: { kind: 'device', id: 'dev_1', name: 'Boiler room' },
}
const online = new Map([['dev_1', { online: true, since: NOW - 60 * MINUTE_MS }]])

const found = (facts: Partial<Facts>): Condition[] => [
  ...conditionsOf({
    now: NOW,
    watchingSince: 0,
    devices: [device],
    seen: online,
    troubled: [],
    archiving: new Set(),
    measured: new Map(),
    lostMemory: [],
    wentBack: [],
    missedLimits: [],
    exports: [],
    openadr: [],
    ...facts,
  }).values(),
]
const reporting = (document: object, receivedAt = NOW) =>
  found({ troubled: [{ deviceId: 'dev_1', receivedAt: new Date(receivedAt), document: { ...WELL, ...document } }] })

describe('a controller', () => {
  test('that is online and well has nothing wrong', () => {
    expect(found({})).toEqual([])
    expect(reporting({})).toEqual([])
  })

  test('that is offline has been so since it was last seen, whatever it said before', () => {
    const seen = new Map([['dev_1', { online: false, since: NOW - 5 }]])
    const troubled = [{ deviceId: 'dev_1', receivedAt: new Date(NOW), document: { ...WELL, diskLowSeconds: 1 } }]
    const facts = { seen, troubled, archiving: new Set(['dev_1']) }
    expect(found(facts)).toEqual([{ ...ofDevice, kind: 'controller-offline', details: {}, since: NOW - 5 }])
  })

  test('that was never seen is not commissioned yet', () => {
    expect(found({ seen: new Map(), archiving: new Set(['dev_1']) })).toEqual([])
  })

  test('that lost its memory says why, if it knows', () => {
    const lost = { deviceId: 'dev_1', noticedAt: new Date(NOW - 7) }
    const condition = { ...ofDevice, kind: 'memory-lost', since: NOW - 7 }
    expect(found({ lostMemory: [{ ...lost, reason: 'disk' }] })).toEqual([
      { ...condition, details: { reason: 'disk' } },
    ])
    expect(found({ seen: new Map(), lostMemory: [{ ...lost, reason: null }] })).toEqual([{ ...condition, details: {} }])
  })

  test.each([
    ['not-heard', [], 'it did not hear the service again'],
    ['connections-lost', ['Grid', 'Boiler'], 'connections that were up before were lost: Grid, Boiler'],
    ['restarts', [], 'it had to start again and again'],
  ] as const)('that went back from a file because of %s says so', (reason, lost, shown) => {
    const how = { at: '2030-01-01T00:00:00.000Z', reason, lost: [...lost] }
    const wentBack = [{ deviceId: 'dev_1', system: 'Room', since: new Date(NOW - 7), how }]
    const details = { technicalSystem: 'Room', reason: shown }
    expect(found({ wentBack })).toEqual([{ ...ofDevice, kind: 'file-rolled-back', details, since: NOW - 7 }])
  })

  test.each([
    ['clock-wrong', { clockWrongSeconds: 3, clockOffsetMs: 9_000 }, { offsetMs: 9_000 }],
    ['disk-low', { diskLowSeconds: 3, freeBytes: 5 }, { freeBytes: 5 }],
    ['disk-failed', { journalTroubleSeconds: 3, journalTrouble: 'EIO' }, { reason: 'EIO' }],
    ['telemetry-gap', { droppedSeconds: 3, droppedMeasurements: 8 }, { dropped: 8 }],
  ])('reports %s with what it knows', (kind, document, details) => {
    expect(reporting(document)).toEqual([{ ...ofDevice, kind, details, since: NOW - 3_000 }])
  })

  test.each([
    ['connection-lost', 'connections', 'connection'],
    ['setpoint-not-taken', 'notTaken', 'datapoint'],
    ['not-restored', 'notRestored', 'datapoint'],
  ])('reports %s for each of %s', (kind, list, subject) => {
    const items = [
      { id: 'x_1', name: 'Pump', seconds: 2, reason: 'refused' },
      { id: 'x_2', name: '', seconds: 4, reason: null },
    ]
    expect(reporting({ [list]: items })).toEqual([
      {
        ...ofDevice,
        kind,
        subject: { kind: subject, id: 'x_1', name: 'Pump' },
        details: { reason: 'refused' },
        since: NOW - 2_000,
      },
      { ...ofDevice, kind, subject: { kind: subject, id: 'x_2', name: 'x_2' }, details: {}, since: NOW - 4_000 },
    ])
  })

  test('is believed for 12 minutes', () => {
    expect(reporting({ diskLowSeconds: 0 }, NOW - 12 * MINUTE_MS)).toHaveLength(1)
    expect(reporting({ diskLowSeconds: 0 }, NOW - 12 * MINUTE_MS - 1)).toEqual([])
  })
})

describe('a controller that archives', () => {
  const silent = (facts: Partial<Facts>) => found({ archiving: new Set(['dev_1']), ...facts })
  const since = (ms: number) => [{ ...ofDevice, kind: 'telemetry-gap', details: {}, since: NOW - ms }]

  test('is silent 5 minutes after its last measurement', () => {
    expect(silent({ measured: new Map([['dev_1', NOW - 5 * MINUTE_MS]]) })).toEqual(since(5 * MINUTE_MS))
    expect(silent({ measured: new Map([['dev_1', NOW - 5 * MINUTE_MS + 1]]) })).toEqual([])
  })

  test('is silent since it came back, and since it is watched, at the earliest', () => {
    expect(silent({})).toEqual(since(60 * MINUTE_MS))
    expect(silent({ watchingSince: NOW - 6 * MINUTE_MS })).toEqual(since(6 * MINUTE_MS))
    expect(silent({ watchingSince: NOW - MINUTE_MS })).toEqual([])
  })

  test('and drops measurements has one gap, since the earlier of both', () => {
    const document = { ...WELL, droppedSeconds: 1, droppedMeasurements: 8 }
    const troubled = [{ deviceId: 'dev_1', receivedAt: new Date(NOW), document }]
    expect(silent({ troubled })).toMatchObject([{ details: { dropped: 8 }, since: NOW - 60 * MINUTE_MS }])
  })
})

test('the automatic export of a site has one trouble, which no controller has', () => {
  const trouble = { organizationId: 'org_1', siteId: 'site_1', target: 'Backup', since: new Date(NOW - 1) }
  expect(found({ exports: [{ ...trouble, cause: 'failed', reason: 'disk full' }] })).toEqual([
    {
      kind: 'export-failed',
      organizationId: 'org_1',
      siteId: 'site_1',
      deviceId: null,
      deviceName: null,
      subject: { kind: 'automatic-export', id: 'site_1', name: 'Backup' },
      details: { cause: 'failed', reason: 'disk full' },
      since: NOW - 1,
    },
  ])
})

test('a program of OpenADR that cannot be reached is one trouble, and what it could not place another', () => {
  const program = {
    organizationId: 'org',
    siteId: 'site',
    programId: 'adr_1',
    programName: 'Utility',
    since: new Date(5),
  }
  const openadr = [
    { ...program, kind: 'openadr-unreachable', reason: 'no answer', count: 0 },
    { ...program, kind: 'openadr-refused', reason: 'the clock is wrong', count: 3 },
  ] as const
  const subject = { kind: 'openadr-program', id: 'adr_1', name: 'Utility' }
  expect(found({ openadr })).toMatchObject([
    { kind: 'openadr-unreachable', subject, deviceId: null, details: { reason: 'no answer' }, since: 5 },
    { kind: 'openadr-refused', subject, details: { reason: 'the clock is wrong', count: 3 } },
  ])
})
