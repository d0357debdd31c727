import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let device: TestDevice
/** What the device was told to be, in order. */
const told: TechnicalSystem[] = []

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (_command, { data }) => {
    told.push((data as { technicalSystem: TechnicalSystem }).technicalSystem)
    return { status: 'ok', payload: '{}' }
  })
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
})

const path = (rest: string) => `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/${rest}`
const commission = (file: object) => asOperator(cloud, 'PUT', path('commissioning'), file)
const kept = async () => (await asOperator(cloud, 'GET', path('technical-systems'))).body.technicalSystems

const ROOM = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: { host: '10.0.0.5' },
      datapoints: [
        { name: 'Power', accessType: 'READ_WRITE', failsafe: { reversion: 'Reverts', seconds: 60 }, data: {} },
        { name: 'Reverts', accessType: 'WRITE', data: {} },
        { name: 'Grid', accessType: 'READ', data: {} },
      ],
    },
  ],
  peakShaving: { meter: 'Grid', limitKw: 50, loads: [{ datapoint: 'Power', priority: 1, shedValue: 0 }] },
  schedules: [
    {
      name: 'Day',
      datapoint: 'Power',
      slots: [{ days: ['mon'], from: '07:00', to: '18:00', mode: 'absolute', value: 5 }],
    },
  ],
}

describe('a commissioning file with what drives its datapoints', () => {
  test('is laid out for the device, and kept as it was told', async () => {
    await eventually(async () => expect((await commission(ROOM)).status).toBe(200))
    const [system] = told
    const [power, reverts, grid] = system?.connections[0]?.datapoints ?? []
    expect(system).toMatchObject({
      timeZone: 'UTC',
      peakShaving: { meterId: grid?.id, limitKw: 50, loads: [{ datapointId: power?.id, shedValue: 0 }] },
      schedules: [{ id: power?.cloudScheduleId, datapointId: power?.id, slots: ROOM.schedules[0]?.slots }],
      failsafes: [{ datapointId: power?.id, kind: 'reversion', registerId: reverts?.id, seconds: 60 }],
    })
    expect(await kept()).toEqual([system])
  })

  test('goes by the time zone of the site, from the next commissioning on', async () => {
    await asOperator(cloud, 'PATCH', `/api/orgs/${tenant.orgId}/sites/${tenant.siteId}`, { timeZone: 'Europe/Tallinn' })
    expect(await kept()).toMatchObject([{ timeZone: 'UTC' }])
    expect((await commission(ROOM)).status).toBe(200)
    expect(told.at(-1)).toMatchObject({ timeZone: 'Europe/Tallinn' })
    expect(await kept()).toMatchObject([{ timeZone: 'Europe/Tallinn' }])
  })

  test('with mistakes is 400 with all of them, the first as the field, and the device hears nothing', async () => {
    const [before, count] = [await kept(), told.length]
    const { status, body } = await commission({
      ...ROOM,
      peakShaving: { ...ROOM.peakShaving, meter: 'Gird' },
      schedules: [{ name: 'Day', datapoint: 'Grid', slots: [{ days: [], from: '7:00', to: '18:00', value: 5 }] }],
    })
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: 'INVALID',
      field: 'peakShaving.meter',
      message:
        'peakShaving.meter: "Gird" is no datapoint of this file; ' +
        'schedules[0].datapoint: "Grid" cannot be written; ' +
        'schedules[0].slots[0].days: needs a day; ' +
        'schedules[0].slots[0].from: "7:00" is no time of the day: write HH:MM, such as 07:00',
    })
    expect(told).toHaveLength(count)
    expect(await kept()).toEqual(before)
  })

  test.each([
    ['peakShaving.cycleSeconds', { peakShaving: { ...ROOM.peakShaving, cycleSeconds: 5 } }],
    [
      'peakShaving.loads[0].kw',
      { peakShaving: { ...ROOM.peakShaving, loads: [{ ...ROOM.peakShaving.loads[0], kw: 1 }] } },
    ],
    [
      'schedules[0].slots[0].days[0]',
      { schedules: [{ ...ROOM.schedules[0], slots: [{ days: ['monday'], from: '', to: '', value: 1 }] }] },
    ],
  ])('of another shape is 400 that names %s', async (field, change) => {
    expect((await commission({ ...ROOM, ...change })).body).toMatchObject({ code: 'INVALID', field })
  })
})
