import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { afterEach, describe, expect, test } from 'vitest'
import { readDuration } from './normal/durations.ts'
import { readNotification, readVen } from './normal/objects.ts'
import { PROFILES } from './profiles/profiles.ts'
import { dueReports } from './reports/due-reports.ts'
import { isStored, reportBody } from './reports/report-body.ts'
import { scheduleOf } from './reports/schedule.ts'
import { given, HOUR, interval, known, MINUTE, mapped, NOON, RESOURCES, read, time } from './testing/events.ts'
import { sendWithFetch } from './testing/send-with-fetch.ts'
import { openSession } from './vtn/session.ts'
import { openVtn } from './vtn/vtn.ts'
import type { VtnAccess } from './vtn/vtn-access.ts'
import { know } from './wanted/know.ts'
import { timelineOf } from './wanted/timeline.ts'
import { wanted } from './wanted/wanted.ts'

/** The traps of OpenADR 3 that others fell into. */

const opened: VtnDouble[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((vtn) => vtn.close()))
})
async function start(options: Partial<Parameters<typeof startVtnDouble>[0]> = {}) {
  const double = await startVtnDouble({ version: '3.1', ...options })
  opened.push(double)
  const vtn = (access: Partial<VtnAccess> = {}, now = () => Date.now()) =>
    openVtn(
      {
        baseUrl: double.baseUrl,
        version: options.version ?? '3.1',
        clientId: 'ven-client',
        clientSecret: 'ven-secret',
        ...access,
      },
      { send: sendWithFetch, now },
    )
  return { double, vtn }
}

const ALLIANCE = PROFILES['alliance-3.1']
const mapping = mapped(RESOURCES, ALLIANCE)
const want = (events: Parameters<typeof wanted>[0], now = NOON) => wanted(events, mapping, ALLIANCE, now)
const spans = (events: Parameters<typeof wanted>[0], now = NOON) =>
  want(events, now).placements.map(({ from, to, value }) => [(from - NOON) / MINUTE, (to - NOON) / MINUTE, value])

describe('trap 1: addresses and tokens', () => {
  test('a base URL has any path, with or without a slash at its end', async () => {
    const { double, vtn } = await start({ path: '/tenants/7/api/openadr3' })
    double.addProgram({ programName: 'p' })
    expect((await vtn({ baseUrl: `${double.baseUrl}//` }).programs()).items).toMatchObject([{ name: 'p' }])
  })

  test('the token address is given, or comes from /auth/server, or is that of the VTN', async () => {
    const elsewhere = await start()
    const { double, vtn } = await start()
    await vtn().programs()
    double.faults.tokenUrl = elsewhere.double.tokenUrl
    await expect(vtn().programs()).rejects.toMatchObject({ kind: 'forbidden' })
    expect(elsewhere.double.requests.map(({ url }) => url)).toContain('/openadr3/auth/token')
    await vtn({ tokenUrl: double.tokenUrl }).programs()
  })

  test('scope and audience are sent as configured', async () => {
    const { vtn } = await start({ scope: 'read_all', audience: 'https://vtn' })
    await expect(vtn().programs()).rejects.toMatchObject({ kind: 'token', ask: expect.stringContaining('scope') })
    await vtn({ scope: 'read_all', audience: 'https://vtn' }).programs()
  })

  test('a secret is never sent to a token address without encryption that an encrypted VTN names', async () => {
    const sent: string[] = []
    const send = (request: { url: string }) => {
      sent.push(request.url)
      return Promise.resolve({ status: 200, headers: {}, body: '{"tokenURL":"http://evil.example/token"}' })
    }
    const vtn = openVtn(
      { baseUrl: 'https://vtn.example', version: '3.1', clientId: 'a', clientSecret: 'b' },
      { send, now: () => 0 },
    )
    await expect(vtn.programs()).rejects.toMatchObject({ kind: 'token', ask: expect.stringContaining('https') })
    expect(sent).toEqual(['https://vtn.example/auth/server'])
  })
})

describe('trap 2: registration', () => {
  test.each(['3.0', '3.1'] as const)(
    'in %s, a VEN and its resource are registered once, whatever happened before',
    async (version) => {
      const { double, vtn } = await start({ version })
      const first = await vtn().ensureVen('plantroom')
      const again = await vtn().ensureVen('plantroom')
      const resource = await vtn().ensureResource(first.id, 'battery')
      await vtn().ensureResource(first.id, 'battery')
      expect(again.id).toBe(first.id)
      expect(resource).toMatchObject({ name: 'battery', venId: first.id })
      expect([double.vens.list().length, double.resources.list().length]).toEqual([1, 1])
    },
  )

  test('409 is fine when another process was faster', async () => {
    const { double, vtn } = await start()
    const slow = vtn()
    double.faults.betweenPages = () => {
      double.faults.betweenPages = undefined
      double.vens.add({ objectType: 'VEN', venName: 'plantroom', clientID: 'ven-client' })
    }
    expect(await slow.ensureVen('plantroom')).toMatchObject({ name: 'plantroom' })
    expect(double.vens.list()).toHaveLength(1)
    expect(double.requests.map(({ status }) => status)).toContain(409)
  })

  test('targets are never written', async () => {
    const { double, vtn } = await start()
    const { id } = await vtn().ensureVen('plantroom')
    await vtn().ensureResource(id, 'battery')
    expect(double.requests.filter(({ body }) => String(body).includes('targets'))).toEqual([])
  })
})

describe('trap 3: shapes that differ between patches', () => {
  test.each([0, 1] as const)('a resource is registered at 3.1.%i', async (patch) => {
    const { double, vtn } = await start({ patch })
    const { id } = await vtn().ensureVen('plantroom')
    expect(await vtn().ensureResource(id, 'battery')).toMatchObject({ name: 'battery' })
    expect(double.resources.list()).toHaveLength(1)
  })

  test.each(['VEN', 'BL_VEN_REQUEST'])('a VEN that calls itself %s is one', (objectType) => {
    expect(readVen({ id: 'v', objectType, venName: 'plantroom', targets: ['a'] })).toMatchObject({
      value: { name: 'plantroom', targets: [{ type: null, value: 'a' }] },
    })
  })
})

test('trap 3: targets of a VEN that are no list, as the example of 3.1.1 has them, are none', () => {
  expect(readVen({ id: 'v', venName: 'us', targets: 'null          -' })).toMatchObject({ value: { targets: [] } })
  expect(readVen({ id: 'v', venName: 'us', targets: [1] })).toMatchObject({ value: { targets: [] } })
})

describe('trap 4: pages', () => {
  const addEvents = (double: VtnDouble, count: number) => {
    for (let index = 0; index < count; index += 1) double.addEvent({ ...given(), id: `e${index}`, programID: 'p' })
  }

  test('a list longer than a page is read whole, never more than 50 at a time', async () => {
    const { double, vtn } = await start()
    addEvents(double, 120)
    const { items } = await vtn().events('p')
    expect(new Set(items.map(({ id }) => id)).size).toBe(120)
    expect(double.requests.every(({ url }) => Number(new URL(url, 'http://x').searchParams.get('limit')) <= 50)).toBe(
      true,
    )
  })

  test('an event that is deleted between two pages hides none of the others', async () => {
    const { double, vtn } = await start()
    addEvents(double, 120)
    double.faults.betweenPages = () => {
      double.faults.betweenPages = undefined
      double.events.remove('e3')
    }
    const { items } = await vtn().events('p')
    expect(items.map(({ id }) => id)).toEqual(double.events.list().map(({ id }) => id))
  })

  test.each([1, 2, 49, 50, 51])('%d events of a VTN that gives fewer than asked for are all read', async (count) => {
    const { double, vtn } = await start()
    addEvents(double, count)
    double.faults.distort = (body) => (Array.isArray(body) ? body.slice(0, 20) : body)
    expect((await vtn().events('p')).items).toHaveLength(count)
  })

  test.each([1, 7, 80])('%d events of a VTN that gives all of them with each page are read', async (count) => {
    const { double, vtn } = await start()
    addEvents(double, count)
    double.faults.distort = (body) => (Array.isArray(body) ? double.events.list() : body)
    expect((await vtn().events('p')).items).toHaveLength(count)
  })

  test('a list that changes without end is no list', async () => {
    const { double, vtn } = await start()
    addEvents(double, 120)
    double.faults.betweenPages = () => double.events.remove(double.events.list()[0]?.id ?? '')
    await expect(vtn().events('p')).rejects.toMatchObject({ kind: 'changing' })
  })

  test('several targets are repeated, never one text with commas', async () => {
    const { double } = await start()
    const access = {
      baseUrl: double.baseUrl,
      version: '3.1',
      clientId: 'ven-client',
      clientSecret: 'ven-secret',
    } as const
    const session = openSession(access, { send: sendWithFetch, now: () => Date.now() })
    await session.call({ method: 'GET', path: 'events', query: { targets: ['a', 'b'] } })
    expect(double.requests.at(-1)).toMatchObject({ url: '/openadr3/events?targets=a&targets=b', status: 200 })
    await expect(session.call({ method: 'GET', path: 'events', query: { targets: 'a,b' } })).rejects.toThrow('400')
  })

  test('a list beyond the limit is refused, not cut', async () => {
    const page = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ ...given(), id: `x${index}` })))
    let count = 0
    const send = () => {
      count += 1
      return Promise.resolve({ status: 200, headers: {}, body: page.replaceAll('"x', `"x${count}-`) })
    }
    const vtn = openVtn({ baseUrl: 'http://vtn', version: '3.1' }, { send, now: () => 0 })
    await expect(vtn.events('p')).rejects.toMatchObject({ kind: 'too-large' })
  })
})

describe('trap 5: durations and starts that stand for something else', () => {
  test('P9999Y may arrive with all its parts', () => {
    const [short, long] = ['P9999Y', 'P9999Y0M0DT0H0M0S'].map((text) => readDuration(text))
    expect(long).toEqual(short)
    const period = { start: time(NOON), duration: 'P9999Y0M0DT0H0M0S' }
    expect(spans([known({ intervalPeriod: period })])).toEqual([[0, 24 * 60, 10]])
  })

  test.each(['0001-01-01', '0001-01-01T00:00:00Z', '0000-00-00', '0000-00-00T00:00:00Z'])(
    '%s is now: when we first read it',
    (start) => {
      const event = read(given({ intervalPeriod: { start, duration: 'PT1H' } }))
      const first = know(undefined, event, NOON, 0)
      const later = know(first, event, NOON + 10 * MINUTE, 0.5)
      expect(spans([first])).toEqual([[0, 60, 10]])
      expect(spans([later], NOON + 10 * MINUTE)).toEqual([[0, 60, 10]])
    },
  )

  test('an event that is moved to now starts when it is moved', () => {
    const first = known({ intervalPeriod: { start: time(NOON + 5 * HOUR), duration: 'PT1H' } })
    const moved = read(given({ intervalPeriod: { start: '0001-01-01T00:00:00Z', duration: 'PT1H' } }))
    expect(spans([know(first, moved, NOON + HOUR, 0)], NOON + HOUR)).toEqual([[60, 120, 10]])
  })
})

describe('trap 6: periods in parts', () => {
  test('an event without a start begins when it is first read', () => {
    expect(spans([known({ intervalPeriod: { duration: 'PT1H' } })])).toEqual([[0, 60, 10]])
  })

  test('an interval that has only a duration follows the one before', () => {
    const intervals = [interval(0, 1), interval(1, 2, { duration: 'PT15M' }), interval(2, 3)]
    expect(spans([known({ intervals })])).toEqual([
      [0, 60, 1],
      [60, 75, 2],
      [75, 135, 3],
    ])
  })

  test('an event without intervals never wins a priority', () => {
    const empty = known({ id: 'empty', priority: 0, intervals: [] })
    const none = known({ id: 'none', priority: 0, intervals: null })
    expect(spans([empty, known({ priority: 5 }), none])).toEqual([[0, 60, 10]])
  })
})

describe('trap 7: report descriptors', () => {
  const terms = { startInterval: -1, numIntervals: -1, historical: true, frequency: -1, repeat: 1 }
  const all = { first: 0, last: 100 }

  test('startInterval -1 of a single report is the last interval', () => {
    expect(scheduleOf(terms, 4, all)).toEqual([{ first: 0, last: 3, isForecast: false }])
  })

  test('startInterval -1 of a repeated report is no particular interval', () => {
    const each = { ...terms, numIntervals: 1, frequency: 1, repeat: -1 }
    expect(scheduleOf(each, 3, all).map(({ last }) => last)).toEqual([0, 1, 2])
    expect(scheduleOf({ ...each, numIntervals: 2, frequency: 2 }, 4, all)).toEqual([
      { first: 0, last: 1, isForecast: false },
      { first: 2, last: 3, isForecast: false },
    ])
  })

  test('a forecast is due when its window opens, a report when its last interval has ended', () => {
    const descriptors = [
      { payloadType: 'SETPOINT', historical: false, startInterval: 1, numIntervals: 1 },
      { payloadType: 'USAGE', numIntervals: 1, frequency: 1, repeat: -1 },
    ]
    const event = known({ reportDescriptors: descriptors, intervals: [interval(0, 1), interval(1, 2)] })
    const state = { mapping, profile: ALLIANCE, isSent: () => false }
    const due = (now: number) =>
      dueReports([event], state, now).due.map(({ items, dueAt }) => [items[0]?.payloadType, (dueAt - NOON) / HOUR])
    expect(due(NOON)).toEqual([])
    expect(due(NOON + HOUR).toSorted()).toEqual([
      ['SETPOINT', 1],
      ['USAGE', 1],
    ])
    expect(due(NOON + 2 * HOUR)).toHaveLength(3)
  })
})

describe('trap 8: acknowledgements', () => {
  const profile = PROFILES.switch
  const limit = { siteId: 's', direction: 'import', averagingSeconds: 900 }
  const limits = mapped([{ resourceName: 'r', rules: [{ payload: 'CONSUMPTION_POWER_LIMIT', limit }] }], profile)
  const ofKw = (kw: number, more = {}) =>
    given({ intervals: [interval(0, kw, undefined, 'CONSUMPTION_POWER_LIMIT')], ...more })

  test('an event is acknowledged on retrieval, and again after a change', () => {
    const sent = new Set<string>()
    const state = { mapping: limits, profile, isSent: (key: string) => sent.has(key) }
    const first = known({ intervals: [interval(0, 60, undefined, 'CONSUMPTION_POWER_LIMIT')] })
    const due = (event: typeof first) => dueReports([event], state, NOON).due
    const [report] = due(first)
    if (!report) throw new Error('nothing is due')
    const nothing = () => undefined
    const data = {
      measured: nothing,
      setpoint: nothing,
      operatingState: nothing,
      usualKw: nothing,
      baselineKw: nothing,
    }
    expect(reportBody(report, { version: '3.0', clientName: 'us' }, data)).toMatchObject({
      programID: 'program-1',
      eventID: 'event-1',
      clientName: 'us',
      resources: [
        {
          resourceName: 'r',
          intervals: [{ id: 0, payloads: [{ type: 'POWER_LIMIT_ACKNOWLEDGEMENT', values: [true] }] }],
        },
      ],
    })
    sent.add(report.key)
    expect(due(first)).toEqual([])
    const changed = know(
      first,
      read(given({ intervals: [interval(0, 50, undefined, 'CONSUMPTION_POWER_LIMIT')] })),
      NOON,
      0,
    )
    expect(due(changed)).toHaveLength(1)
  })

  test.each([
    ['days after it was first read', NOON - 9 * 24 * HOUR, NOON - HOUR, ofKw(50), 1],
    [
      'that cancels it',
      NOON - HOUR,
      NOON + MINUTE,
      ofKw(60, { intervalPeriod: { start: time(NOON), duration: 'PT0S' } }),
      1,
    ],
    [
      'that lets it end now',
      NOON - HOUR,
      NOON + 10 * MINUTE,
      ofKw(60, { intervalPeriod: { start: time(NOON), duration: 'PT5M' } }),
      1,
    ],
    ['after its end', NOON - HOUR, NOON + 2 * HOUR, ofKw(60, { eventName: 'validated' }), 0],
  ] as const)('a change %s', (_name, readAt, changedAt, change, acknowledged) => {
    const sent = new Set<string>()
    const state = { mapping: limits, profile, isSent: (key: string) => sent.has(key), lookbackMs: 3 * 24 * HOUR }
    const first = know(undefined, read(ofKw(60)), readAt, 0)
    for (const { key } of dueReports([first], state, readAt).due) sent.add(key)
    expect(sent.size).toBe(1)
    const changed = know(first, read(change), changedAt, 0)
    const { due } = dueReports([changed], state, changedAt)
    expect(due.map(({ dueAt }) => dueAt)).toEqual(Array.from({ length: acknowledged }, () => changedAt))
    for (const { key } of due) sent.add(key)
    expect(dueReports([changed], state, changedAt + HOUR).due).toEqual([])
  })
})

describe('trap 9: reports are not deduplicated', () => {
  test('a report whose answer was lost is found at the VTN, by its name and content', async () => {
    const { double, vtn } = await start()
    double.addEvent({ ...given(), id: 'e1' })
    const body = {
      eventID: 'e1',
      clientName: 'plantroom',
      reportName: 'USAGE-1',
      resources: [{ resourceName: 'battery', intervals: [{ id: 0, payloads: [{ type: 'USAGE', values: [1.5] }] }] }],
    }
    double.faults.losesReportAnswers = true
    await expect(vtn().sendReport(body)).rejects.toMatchObject({ kind: 'unreachable' })
    const { items } = await vtn().reports({ eventId: 'e1', clientName: 'plantroom' })
    expect(items.filter((found) => isStored(found, body))).toHaveLength(1)
    expect(items.filter((found) => isStored(found, { ...body, reportName: 'USAGE-2' }))).toEqual([])
  })
})

describe('trap 10: a limit may change before its start', () => {
  test('the changed limit is another placement, and the old one is gone', () => {
    const event = (kw: number) =>
      given({
        intervalPeriod: { start: time(NOON + HOUR), duration: 'PT15M' },
        intervals: [interval(0, kw, undefined, 'IMPORT_CAPACITY_LIMIT')],
      })
    const first = know(undefined, read(event(60)), NOON, 0)
    const changed = know(first, read(event(80)), NOON, 0)
    const [before, after] = [want([first]).placements, want([changed]).placements]
    expect([before.map(({ value }) => value), after.map(({ value }) => value)]).toEqual([[60], [80]])
    expect(after[0]?.key).not.toBe(before[0]?.key)
  })

  test('a VTN that forgets to write the time of a change has still changed the event', () => {
    const [a, b] = [10, 11].map((value) =>
      read({ ...given({ intervals: [interval(0, value)] }), modificationDateTime: time(0) }),
    )
    const touched = read({ ...given(), modificationDateTime: time(NOON) })
    expect(b?.version).not.toBe(a?.version)
    expect(touched.version).toBe(a?.version)
  })
})

describe('trap 11: topics come from the VTN', () => {
  test('they are never made from ids', async () => {
    const { vtn } = await start({ mqttUrl: 'mqtt://127.0.0.1:1' })
    expect(await vtn().notifiers()).toMatchObject({
      hasWebhook: true,
      mqtt: { urls: ['mqtt://127.0.0.1:1'], method: 'ANONYMOUS' },
    })
    expect(await vtn().eventTopics('p/1', 'v')).toEqual(['vtn/programs/p/1/events/+'])
    const { vtn: without } = await start()
    expect(await without().eventTopics('p', 'v')).toEqual([])
  })
})

test('a notification says what changed, and nothing else of it is believed', () => {
  const object = { id: 'e1', programID: 'p', intervals: 'anything' }
  expect(readNotification({ objectType: 'EVENT', operation: 'GET', object })).toEqual({
    value: { objectType: 'EVENT', objectId: 'e1', programId: 'p' },
  })
  expect(readNotification('')).toHaveProperty('problem')
})

describe('trap 12: what is normal at a VTN', () => {
  test('with an ETag, an unchanged list is not sent again; without one it is read', async () => {
    const { double, vtn } = await start()
    double.addEvent({ ...given(), programID: 'p' })
    const one = vtn()
    expect((await one.events('p')).isUnchanged).toBe(false)
    const again = await one.events('p')
    expect([again.isUnchanged, again.items.length, double.requests.at(-1)?.status]).toEqual([true, 1, 200])
    double.faults.hasNoEtag = true
    double.changeEvent('event-1', { priority: 1 })
    const changed = await one.events('p')
    expect([changed.isUnchanged, changed.items[0]?.priority]).toEqual([false, 1])
  })

  test('a VTN without Date says nothing about its clock', async () => {
    const { double, vtn } = await start()
    double.faults.hasNoDate = true
    const one = vtn()
    await one.programs()
    expect(one.clockDifferenceMs()).toBeNull()
  })

  test('429 says when to try again, as a number or a date', async () => {
    const { double, vtn } = await start()
    const one = vtn({}, () => NOON)
    await one.programs()
    double.faults.retryAfter = '17'
    await expect(one.programs()).rejects.toMatchObject({ kind: 'busy', retryAfterS: 17, status: 429 })
    double.faults.retryAfter = new Date(NOON + 90_000).toUTCString()
    await expect(one.programs()).rejects.toMatchObject({ kind: 'busy', retryAfterS: 90 })
  })

  test('501 at /auth/token asks for the token address', async () => {
    const { double, vtn } = await start()
    double.faults.hasNoTokenEndpoint = true
    await expect(vtn().programs()).rejects.toMatchObject({ kind: 'token', ask: expect.stringContaining('token URL') })
  })

  test('a web page instead of JSON asks for the base URL', async () => {
    const { double, vtn } = await start()
    double.faults.answersHtml = true
    await expect(vtn().programs()).rejects.toMatchObject({ kind: 'broken', ask: expect.stringContaining('base URL') })
  })

  test('problem+json is quoted', async () => {
    const { vtn } = await start()
    const unknown = vtn().sendReport({ eventID: 'nothing', clientName: 'c', resources: [] })
    await expect(unknown).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('There is no such event'),
    })
  })

  test('a token that expires in the middle is renewed once', async () => {
    const { double, vtn } = await start()
    for (let index = 0; index < 120; index += 1) double.addEvent({ ...given(), id: `e${index}`, programID: 'p' })
    double.faults.requestsPerToken = 2
    expect((await vtn().events('p')).items).toHaveLength(120)
    double.faults.requestsPerToken = 0
    await expect(vtn().events('p')).rejects.toMatchObject({ kind: 'forbidden', status: 401 })
  })

  test('a VTN that is down is unreachable', async () => {
    const { double, vtn } = await start()
    double.faults.isDown = true
    await expect(vtn().programs()).rejects.toMatchObject({ kind: 'unreachable', status: null })
  })

  test('one event that cannot be read hides none of the others', async () => {
    const { double, vtn } = await start()
    double.addEvent({ ...given(), id: 'good', programID: 'p' })
    double.events.add({ ...given(), id: 'bad', programID: 'p', intervals: 'none' })
    const { items, unreadable } = await vtn().events('p')
    expect(items.map(({ id }) => id)).toEqual(['good'])
    expect(unreadable).toMatchObject([{ id: 'bad', problem: expect.stringContaining('intervals') }])
  })
})

test('trap 13: the clock of the VTN is compared with ours', async () => {
  const { double, vtn } = await start({ now: () => NOON })
  const one = vtn({}, () => NOON)
  await one.programs()
  expect(one.clockDifferenceMs()).toBe(0)
  double.faults.clockAheadMs = 60_000
  await one.programs()
  expect(one.clockDifferenceMs()).toBe(60_000)
  double.faults.clockAheadMs = -60_000
  await one.programs()
  expect(one.clockDifferenceMs()).toBe(-59_000)
})

describe('trap 14: randomizeStart', () => {
  const period = { start: time(NOON), duration: 'PT1H', randomizeStart: 'PT10M' }

  test('comes from a seed that survives restarts', () => {
    const event = read(given({ intervalPeriod: period }))
    const first = know(undefined, event, NOON, 0.5)
    expect(spans([first])).toEqual([[5, 60, 10]])
    expect(spans([know(first, event, NOON + MINUTE, 0.9)])).toEqual([[5, 60, 10]])
  })

  test('moves every start, and never the end of the event', () => {
    const intervals = [interval(0, 1), interval(1, 2)]
    expect(spans([known({ intervalPeriod: period, intervals }, NOON, 0.5)])).toEqual([
      [5, 65, 1],
      [65, 120, 2],
    ])
  })
})

describe('trap 15: priority', () => {
  test('0 is the highest, and none is the lowest', () => {
    const events = [
      known({ id: 'a', priority: null, intervals: [interval(0, 1)] }),
      known({ id: 'b', priority: 0, intervals: [interval(0, 2)] }),
      known({ id: 'c', priority: 1, intervals: [interval(0, 3)] }),
    ]
    expect(spans(events)).toEqual([[0, 60, 2]])
    expect(want(events).notes.filter(({ kind }) => kind === 'outranked')).toMatchObject([
      { eventId: 'c', detail: 'b' },
      { eventId: 'a', detail: 'b' },
    ])
  })

  test('of equal ones, the newer event counts', () => {
    const older = known({ id: 'z', createdDateTime: '2030-01-01T01:00:00Z', intervals: [interval(0, 1)] })
    const newer = known({ id: 'a', createdDateTime: '2030-01-01T02:00:00Z', intervals: [interval(0, 2)] })
    expect(spans([newer, older])).toEqual([[0, 60, 2]])
  })

  test('what is outranked for some of the time counts for the rest of it', () => {
    const low = known({ id: 'low', priority: 5, intervals: [interval(0, 1)] })
    const high = known({
      id: 'high',
      priority: 1,
      intervals: [interval(0, 2, { start: time(NOON + 15 * MINUTE), duration: 'PT15M' })],
    })
    expect(spans([low, high])).toEqual([
      [0, 15, 1],
      [15, 30, 2],
      [30, 60, 1],
    ])
  })
})

describe('trap 16: cancelling', () => {
  test('a deleted event leaves nothing', () => {
    expect(spans([])).toEqual([])
  })

  test('PT0S leaves nothing, and says so', () => {
    const event = known({ intervalPeriod: { start: time(NOON), duration: 'PT0S' } })
    expect(spans([event])).toEqual([])
    expect(want([event]).notes).toMatchObject([{ kind: 'cancelled', eventId: 'event-1' }])
  })

  test('an event that is shortened in mid-interval ends at its new end', () => {
    const first = known()
    const shortened = know(
      first,
      read(given({ intervalPeriod: { start: time(NOON), duration: 'PT20M' } })),
      NOON + 10 * MINUTE,
      0,
    )
    expect(spans([shortened], NOON + 10 * MINUTE)).toEqual([[0, 20, 10]])
    expect(spans([shortened], NOON + 20 * MINUTE)).toEqual([])
  })

  test('the duration of an event repeats its intervals and cuts them off', () => {
    const event = known({ duration: 'PT2H30M', intervals: [interval(0, 1), interval(1, 2, { duration: 'PT15M' })] })
    expect(timelineOf(event).map(({ from, to }) => [(from - NOON) / MINUTE, (to - NOON) / MINUTE])).toEqual([
      [0, 60],
      [60, 75],
      [75, 135],
      [135, 150],
    ])
  })
})
