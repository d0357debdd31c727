import { systemClock } from '@plantroom/base/clock'
import type { Alert, AlertStep, BecomingAlert } from '@plantroom/contract/alerts'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commentByService } from '../../maintenance/requests/index.ts'
import { addPerson } from '../../organization/access/testing/people.ts'
import { openTestDatabase } from '../../organization/activity/testing/logs.ts'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'
import { createAlertStore } from './alert-store.ts'
import { closingComments } from './closing-comments.ts'
import { WELL } from './testing/bench.ts'

const HOUR_MS = 3_600_000

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let own: Tenant
let foreign: Tenant
let alertId: string

const db = () => openTestDatabase(cloud.config.databaseUrl ?? '')
const addClosingComments = async () => {
  const duty = closingComments({ db: db(), commentOnRequest: commentByService(systemClock) })
  return duty.run(new AbortController().signal)
}

async function openAlert({ orgId, siteId, deviceId }: Tenant, subject: string): Promise<string> {
  const about = { organizationId: orgId, siteId, deviceId, deviceName: 'Roof', details: {}, since: Date.now() }
  const named = { kind: 'connection', id: subject, name: 'Inverter' } as const
  await createAlertStore(db()).open([{ ...about, kind: 'connection-lost', subject: named }], new Date())
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${orgId}/alerts?open=true`)
  return (body.alerts as Alert[]).find((alert) => alert.subject.id === subject)?.id ?? ''
}

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
})
afterAll(() => cloud.stop())

const path = (tenant: Tenant, id = alertId) => `/api/orgs/${tenant.orgId}/sites/${tenant.siteId}/alerts/${id}`

async function change(body: object, tenant = own) {
  const reply = await asOperator(cloud, 'PATCH', path(tenant), body)
  const { alert, steps = [] } = reply.body as { alert?: Alert; steps?: AlertStep[] }
  return {
    status: reply.status,
    field: reply.body.field,
    message: reply.body.message,
    alert,
    steps: steps.map(({ step, text }) => [step, text]),
  }
}

describe('an alert', () => {
  test('is acknowledged once, by the first who does it, and can be opened again', async () => {
    alertId = await openAlert(own, 'con_1')
    const first = await change({ acknowledged: true })
    expect(first.alert).toMatchObject({ acknowledgedAt: expect.any(String), acknowledgedBy: 'operator' })
    const again = await change({ acknowledged: true })
    expect([again.alert, again.steps]).toEqual([first.alert, [['acknowledged', null]]])
    const reopened = await change({ acknowledged: false })
    expect(reopened.alert).toMatchObject({ acknowledgedAt: null, acknowledgedBy: null })
    expect(reopened.steps.at(-1)).toEqual(['reopened', null])
  })

  test('is assigned to a member with a role on its site, and to no other', async () => {
    const roles = { sites: [{ siteId: own.siteId, role: 'manager' as const }] }
    await addPerson(cloud, own.orgId, 'anna@example.com', roles)
    const elsewhere = { sites: [{ siteId: foreign.siteId, role: 'manager' as const }] }
    await addPerson(cloud, foreign.orgId, 'mallory@example.com', elsewhere)
    expect((await change({ assignee: 'anna@example.com' })).alert?.assignee).toBe('anna@example.com')
    expect(await change({ assignee: 'mallory@example.com' })).toMatchObject({
      ...{ status: 400, field: 'assignee' },
      message: 'assignee: no member with the email mallory@example.com has a role on this site',
    })
    const { alert, steps } = await change({ assignee: null })
    expect([alert?.assignee, steps.slice(-2)]).toEqual([
      null,
      [
        ['assigned', 'anna@example.com'],
        ['unassigned', null],
      ],
    ])
    const { assignable } = (await asOperator(cloud, 'GET', path(own))).body
    expect(assignable).toContain('anna@example.com')
    expect(assignable).not.toContain('mallory@example.com')
  })

  test('is snoozed for up to 30 days, and gets notes', async () => {
    const until = (ms: number) => new Date(Date.now() + ms).toISOString()
    const tomorrow = until(24 * HOUR_MS)
    const { alert, steps } = await change({ snoozedUntil: tomorrow, note: 'The installer comes tomorrow' })
    expect([alert?.snoozedUntil, steps.slice(-2)]).toEqual([
      tomorrow,
      [
        ['snoozed', tomorrow],
        ['noted', 'The installer comes tomorrow'],
      ],
    ])
    for (const bad of [until(-1000), until(31 * 24 * HOUR_MS)]) {
      expect(await change({ snoozedUntil: bad })).toMatchObject({
        ...{ status: 400, field: 'snoozedUntil' },
        message: 'snoozedUntil must be a time within the next 30 days',
      })
    }
    expect((await change({ snoozedUntil: null })).alert?.snoozedUntil).toBeNull()
    expect(await change({})).toMatchObject({
      ...{ status: 400, field: 'body' },
      message: 'give at least one of: acknowledged, assignee, snoozedUntil, note',
    })
    expect((await change({ note: ' ' })).status).toBe(400)
    expect((await change({ note: 'a\u0000b' })).status).toBe(400)
  })

  test('is not there for another organization, nor on another site', async () => {
    expect((await change({ acknowledged: true }, foreign)).status).toBe(404)
    expect((await asOperator(cloud, 'GET', path(foreign))).status).toBe(404)
    expect(await asOperator(cloud, 'GET', path(own, 'alert_none'))).toMatchObject({
      status: 404,
      body: { message: 'this site has no alert alert_none' },
    })
  })

  test('is recorded in the activity log with the steps, without the note', async () => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${own.orgId}/activity?limit=100`)
    const entries = (body.entries as { action: string }[]).filter(({ action }) => action === 'alert-changed')
    const subject = { kind: 'alert', id: alertId, name: 'connection-lost' }
    const expected = { siteId: own.siteId, subject, details: { steps: ['snoozed', 'noted'] } }
    expect(entries).toContainEqual(expect.objectContaining(expected))
    expect(JSON.stringify(entries)).not.toContain('installer')
  })
})

test('an alert takes a note alone, and a thousand steps', async () => {
  const full = await openAlert(own, 'con_full')
  const taken = Array.from({ length: 999 }, () => ({
    alert_id: full,
    at: new Date(),
    by_name: 'x',
    step: 'noted' as const,
    text: 'x',
  }))
  await db().insertInto('alert_step').values(taken).execute()
  const note = () => asOperator(cloud, 'PATCH', path(own, full), { note: 'Looked at it' })
  expect((await note()).status).toBe(200)
  expect(await note()).toMatchObject({
    status: 409,
    body: { message: 'this alert has 1000 of at most 1000 steps: make a request of it, and go on there' },
  })
})

describe('a request that is made of an alert', () => {
  const requests = () => `/api/orgs/${own.orgId}/properties/${own.siteId}/tickets`
  const add = (body: object) => asOperator(cloud, 'POST', requests(), { title: 'Inverter', ...body })

  test('is shown with it, once, and gets a comment when the alert closes', async () => {
    await asOperator(cloud, 'PATCH', `/api/orgs/${own.orgId}/sites/${own.siteId}`, { maintenanceRequests: true })
    const about = await openAlert(own, 'con_2')
    const { status, body } = await add({ alertId: about })
    expect(status).toBe(201)
    const { alert, steps } = (await asOperator(cloud, 'GET', path(own, about))).body as {
      alert: Alert
      steps: AlertStep[]
    }
    expect([alert.requestNumber, steps.at(-1)]).toMatchObject([
      body.number,
      { step: 'request-made', text: String(body.number) },
    ])
    expect(await add({ alertId: about })).toMatchObject({
      status: 409,
      body: { field: 'alertId', message: `this alert has request #${body.number} already: add a comment to it` },
    })

    for (const _ of [1, 2]) {
      await createAlertStore(db()).close([{ id: about, at: Date.now() }])
      await addClosingComments()
    }
    const { comments, state } = (await asOperator(cloud, 'GET', `${requests()}/${body.number}`)).body
    expect(comments).toMatchObject([
      {
        author: { name: 'Plantroom' },
        content: expect.stringMatching(
          /^The alert of this request is over: The controller Roof has lost its connection to Inverter\. It lasted from \S+ until \S+\.$/,
        ),
      },
    ])
    expect(state, 'a person closes it').toBe('new')
  })

  test('gets its comment when others do not wait for one that is being changed', async () => {
    const [locked, free] = [await openAlert(own, 'con_5'), await openAlert(own, 'con_6')]
    const numbers = [
      Number((await add({ alertId: locked })).body.number),
      Number((await add({ alertId: free })).body.number),
    ]
    const commentsOn = async (number = 0) => (await asOperator(cloud, 'GET', `${requests()}/${number}`)).body.comments
    const end = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const change = db()
      .transaction()
      .execute(async (tx) => {
        const row = tx
          .selectFrom('ticket')
          .where('site_id', '=', own.siteId)
          .where('number', '=', numbers[0] ?? 0)
        await row.select('id').forUpdate().execute()
        begun.resolve()
        await end.promise
      })
    await begun.promise
    const at = Date.now()
    await createAlertStore(db()).close([
      { id: locked, at: at - 1 },
      { id: free, at },
    ])
    await expect(addClosingComments()).rejects.toThrow('lock timeout')
    expect(await commentsOn(numbers[1])).toHaveLength(1)
    expect(await commentsOn(numbers[0])).toEqual([])
    end.resolve()
    await change
    await addClosingComments()
    expect(await commentsOn(numbers[0])).toHaveLength(1)
  })

  test('is one, also when two people make it at the same time', async () => {
    const about = await openAlert(own, 'con_4')
    const answers = await Promise.all(Array.from({ length: 4 }, () => add({ alertId: about })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test('is not added for an alert of another site', async () => {
    const count = async () => ((await asOperator(cloud, 'GET', requests())).body.tickets as unknown[]).length
    const before = await count()
    const theirs = await openAlert(foreign, 'con_3')
    expect((await add({ alertId: theirs })).status).toBe(404)
    expect(await count()).toBe(before)
  })
})

describe('what is becoming an alert', () => {
  const becoming = async (tenant = own, query = '') => {
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/alerts/becoming${query}`)
    return body.becoming as BecomingAlert[]
  }

  test('is listed as soon as a controller says it, with the time at which it opens', async () => {
    const device = await connectDevice(cloud.ready.mqttUrl, own)
    const lost = { id: 'con_9', name: 'Meter', seconds: 30, reason: 'no answer' }
    const health = JSON.stringify({ ...WELL, connections: [lost] })
    await eventually(async () => {
      await device.client.publishAsync(topics.health(own.deviceId), health)
      expect(await becoming()).toMatchObject([
        { kind: 'connection-lost', siteId: own.siteId, subject: { id: 'con_9' }, details: { reason: 'no answer' } },
      ])
    })
    const [found] = await becoming(own, `?siteId=${own.siteId}`)
    expect(Date.parse(found?.opensAt ?? '') - Date.parse(found?.beganAt ?? '')).toBe(120_000)
    expect(await becoming(foreign)).toEqual([])
    expect(await becoming(own, `?siteId=${foreign.siteId}`)).toEqual([])
  })
})
