import { isStored } from '@plantroom/openadr/report-body'
import { openVtn } from '@plantroom/openadr/vtn'
import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ofBatteryRoom, registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { bodies, reports } from './support/openadr/bodies.ts'
import { OPENLEADR, type OpenLeadr, startOpenLeadr } from './support/openadr/openleadr.ts'
import { sendWithFetch } from './support/openadr/send-with-fetch.ts'
import { startOpenadrStack } from './support/openadr-site.ts'

/** What the installer left in the register. */
const BEFORE = 5
const MORE_THAN_A_PAGE = 120
const STACK_MS = 600_000

describe.skipIf(OPENLEADR === undefined)('OpenLEADR', () => {
  let vtn: OpenLeadr
  beforeAll(async () => {
    vtn = await startOpenLeadr()
  }, STACK_MS)
  afterAll(() => vtn?.[Symbol.asyncDispose]())

  const add = async (path: string, body: object): Promise<string> => {
    const answer = await vtn.operate('POST', path, body)
    expect(answer).toMatchObject({ status: 201 })
    return (answer.body as { id: string }).id
  }
  const addProgram = (programName: string) => add('programs', { programName })
  const event = (programID: string, value: number, more = {}) => ({
    ...{ programID, eventName: 'Peak', targets: [] },
    intervalPeriod: { start: new Date(Date.now() - 30_000).toISOString(), duration: 'PT1H' },
    intervals: [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [value] }] }],
    ...more,
  })
  const open = async () => {
    const client = await vtn.addVen()
    return openVtn({ baseUrl: vtn.baseUrl, version: '3.1', ...client }, { send: sendWithFetch, now: () => Date.now() })
  }

  test('is a VTN for every request that our VEN has', async () => {
    const programId = await addProgram('Requests')
    const eventId = await add('events', event(programId, 20))
    const ven = await open()
    expect((await ven.programs()).items.map(({ id }) => id)).toContain(programId)
    const { items, unreadable } = await ven.events(programId)
    expect({ ids: items.map(({ id }) => id), unreadable }).toEqual({ ids: [eventId], unreadable: [] })
    const own = await ven.ensureVen('requests')
    expect(await ven.ensureVen('requests')).toEqual(own)
    const resource = await ven.ensureResource(own.id, 'battery')
    expect(await ven.ensureResource(own.id, 'battery')).toEqual(resource)
    // It takes subscriptions, and says that it calls nobody.
    expect(await ven.notifiers()).toEqual({ hasWebhook: false, mqtt: null })
    const callbackUrl = 'https://plantroom.example/hooks/1'
    const subscription = { clientName: 'plantroom', programId, callbackUrl, bearerToken: 'secret' }
    const id = await ven.subscribe(subscription)
    expect((await ven.subscriptions('plantroom')).items.map((one) => one.id)).toEqual([id])
    await ven.unsubscribe(id)
    await ven.unsubscribe(id)
    expect((await ven.subscriptions('plantroom')).items).toEqual([])
    expect(await ven.eventTopics(programId, own.id)).toEqual([])
  })

  test('finds a report again whose answer was lost', async () => {
    const programId = await addProgram('Reports')
    const eventID = await add('events', event(programId, 20))
    const ven = await open()
    for (const body of reports('3.1').map((one) => ({ ...one, eventID }))) {
      await ven.sendReport(body)
      const { items, unreadable } = await ven.reports({ eventId: eventID, clientName: 'plantroom' })
      expect(unreadable).toEqual([])
      expect(items.filter((found) => isStored(found, body))).toHaveLength(1)
    }
  })

  test('shows each event of a long list once, also while others are added', async () => {
    const programId = await addProgram('Pages')
    const ids: string[] = []
    for (let index = 0; index < MORE_THAN_A_PAGE; index += 1) ids.push(await add('events', event(programId, index)))
    const ven = await open()
    const [{ items }, ...added] = await Promise.all([
      ven.events(programId),
      ...[1, 2, 3].map((value) => add('events', event(programId, value))),
    ])
    const read = items.map(({ id }) => id)
    expect(new Set(read).size).toBe(read.length)
    expect(read.filter((id) => !added.includes(id)).sort()).toEqual(ids.toSorted())
  })

  test('shows events with targets to those that have them', async () => {
    const programId = await addProgram('Targets')
    await add('events', event(programId, 1))
    await add('events', event(programId, 2, { targets: ['group-1'] }))
    const ven = await open()
    const own = await ven.ensureVen('targeted')
    const values = async () =>
      (await ven.events(programId)).items.map(({ intervals }) => intervals[0]?.payloads[0]?.values[0])
    expect(await values()).toEqual([1])
    const { body } = await vtn.operate('GET', `vens/${own.id}`)
    await vtn.operate('PUT', `vens/${own.id}`, {
      ...(body as object),
      objectType: 'BL_VEN_REQUEST',
      targets: ['group-1'],
    })
    expect((await ven.ensureVen('targeted')).targets).toEqual([{ type: null, value: 'group-1' }])
    expect((await values()).sort()).toEqual([1, 2])
  })

  describe('and our double', () => {
    let double: VtnDouble
    beforeAll(async () => {
      double = await startVtnDouble({ version: '3.1', path: '' })
      double.faults.tokenUrl = double.tokenUrl
    })
    afterAll(() => double?.close())

    test('answer the same requests with the same status', async () => {
      const theirs = await side(vtn.baseUrl, await vtn.addVen(), async () => {
        const program = await addProgram('Compared')
        return { program, event: await add('events', event(program, 1)) }
      })
      const ours = await side(double.baseUrl, { clientId: 'ven-client', clientSecret: 'ven-secret' }, async () => {
        const { id } = double.addProgram({ programName: 'Compared' })
        return { program: id, event: double.addEvent(event(id, 1)).id }
      })
      const differences: object[] = []
      for (const request of REQUESTS) {
        const [a, b] = [await theirs(request), await ours(request)]
        if (a !== b) differences.push({ ...request, theirs: a, ours: b })
      }
      expect(differences).toMatchObject(DIFFERENT)
      expect(differences).toHaveLength(DIFFERENT.length)
    })
  })

  test('gets its events to a register, and our acknowledgement once', { timeout: STACK_MS }, async () => {
    await using stack = await startOpenadrStack()
    const power = ofBatteryRoom(stack, 'Charge power')
    await registerIs(power, BEFORE)
    const programId = await addProgram('Flexibility')
    const rule = { payload: 'DISPATCH_SETPOINT', datapointId: stack.datapointId('Charge power') }
    await using program = await stack.followAt({
      vtnUrl: vtn.baseUrl,
      ...(await vtn.addVen()),
      profile: 'own',
      ownProfile: {
        name: 'acknowledged',
        title: 'Acknowledged',
        versions: ['3.1'],
        payloads: { DISPATCH_SETPOINT: { meaning: 'setpoint' } },
        reports: { ACK: { content: 'acknowledgement', isUnasked: true } },
        onSilence: 'keep',
        clockToleranceSeconds: 5,
      },
      mapping: { resources: [{ resourceName: 'battery', rules: [rule] }], onSilence: 'keep', silenceSeconds: 600 },
    })
    const id = await add('events', event(programId, 20))
    await registerIs(power, 20)
    expect(await vtn.operate('PUT', `events/${id}`, event(programId, 25))).toMatchObject({ status: 200 })
    await registerIs(power, 25)
    await eventually(async () => {
      const { body } = await vtn.operate('GET', `reports?eventID=${id}`)
      expect(body).toHaveLength(2)
    })
    // An event with reports cannot be deleted there: its operator cancels it by a change.
    expect(await vtn.operate('DELETE', `events/${id}`)).toMatchObject({ status: 409 })
    const cancelled = event(programId, 25, { intervalPeriod: { start: new Date().toISOString(), duration: 'PT0S' } })
    expect(await vtn.operate('PUT', `events/${id}`, cancelled)).toMatchObject({ status: 200 })
    await registerIs(power, BEFORE)
    expect(await program.shownEvents()).toMatchObject([{ state: 'ended', eventName: 'Peak' }])
  })
})

interface Request {
  readonly method: string
  /** `{program}`, `{event}` and `{ven}` stand for the ids at the VTN. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const get = (path: string): Request => ({ method: 'GET', path })
const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body })

/** What the description allows. */
const DIFFERENT = [{ path: 'events?limit=0', theirs: 400, ours: 200 }]

/** In this order: some of them depend on those before. */
const REQUESTS: readonly Request[] = [
  ...['programs', 'events', 'reports', 'vens', 'resources', 'subscriptions', 'notifiers', 'auth/server'].map(get),
  ...['events/{event}', 'programs/{program}', 'events?programID={program}', 'events?targets=a&targets=b'].map(get),
  ...['events?limit=50', 'events?limit=51', 'events?limit=0', 'events?limit=-1', 'events?limit=x'].map(get),
  ...['events?skip=1', 'events?skip=-1', 'events/nothing', 'programs/nothing', 'nothing'].map(get),
  { ...get('programs'), headers: { authorization: 'Bearer nobody' } },
  { ...get('programs'), headers: { authorization: '' } },
  { ...post('reports', {}), headers: { 'content-type': 'text/plain' } },
  post('vens', { objectType: 'VEN_VEN_REQUEST', venName: 'compared' }),
  post('vens', { objectType: 'VEN_VEN_REQUEST', venName: 'compared' }),
  post('vens', { objectType: 'BL_VEN_REQUEST', venName: 'compared-2', clientID: 'someone', targets: [] }),
  post('resources', { objectType: 'VEN_RESOURCE_REQUEST', resourceName: 'battery', venID: '{ven}' }),
  post('resources', { objectType: 'VEN_RESOURCE_REQUEST', resourceName: 'battery', venID: '{ven}' }),
  post('resources', { objectType: 'BL_RESOURCE_REQUEST', resourceName: 'other', venID: '{ven}' }),
  post('reports', { ...reports('3.1')[0], eventID: 'nothing' }),
  post('reports', { ...reports('3.1')[0], eventID: '{event}' }),
  post('reports', { ...reports('3.1')[0], eventID: '{event}' }),
  post('events', { programID: '{program}', intervals: [] }),
  post('programs', { programName: 'Of a VEN' }),
  { method: 'DELETE', path: 'events/{event}' },
  ...bodies('3.1').flatMap(({ path, body, isRight }) => (isRight ? [] : [post(path, body)])),
]

/** One of two VTNs, asked as a VEN. */
async function side(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  prepare: () => Promise<{ program: string; event: string }>,
) {
  const ids = await prepare()
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${baseUrl}/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  let ven = ''
  const filled = (text: string) =>
    text.replaceAll('{program}', ids.program).replaceAll('{event}', ids.event).replaceAll('{ven}', ven)
  return async ({ method, path, body, headers }: Request): Promise<number> => {
    const found = await fetch(`${baseUrl}/${filled(path)}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: filled(JSON.stringify(body)) }),
    })
    const text = await found.text()
    if (path === 'vens' && found.status === 201) ven = JSON.parse(text).id
    return found.status
  }
}
