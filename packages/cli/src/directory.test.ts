import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { createDirectory } from './directory.ts'

const point = (id: string, name: string) => aDatapoint({ id, name })
const BATTERY = [aConnection({ name: 'Inverter', datapoints: [point('dp_1', 'Charge power')] })]

const FLOW = aDatapoint({ id: 'dp_2', name: 'Flow', unit: 'l/s', limits: { max: 5 } })

const SYSTEMS: Readonly<Record<string, unknown>> = {
  dev_1: [{ ...aSystem('sys_1', BATTERY), name: 'Battery room' }],
  dev_2: [
    { ...aSystem('sys_2', [aConnection({ name: 'Pump', datapoints: [FLOW] })]), name: 'Heating' },
    { ...aSystem('sys_3', [aConnection({ name: 'Fan', datapoints: [point('dp_3', 'Flow')] })]), name: 'Roof' },
  ],
}

/** An organization with three devices, one of which is being removed. */
async function organization(caller: 'operator' | 'partner' = 'operator') {
  const { url, requests } = await startServer(({ path }, response) => {
    if (path === '/api/orgs/org_1/devices') {
      const devices = [{ id: 'dev_1' }, { id: 'dev_2' }]
      return sendJson(response, 200, { devices, nextCursor: null })
    }
    const technicalSystems = SYSTEMS[path?.split('/')[5] ?? '']
    if (technicalSystems) return sendJson(response, 200, { technicalSystems })
    sendJson(response, 404, { message: 'no such device', code: 'NOT_FOUND' })
  })
  const client = createClient(sendWithToken(url, 'token'))
  const operator = caller === 'operator' ? client : undefined
  return { directory: createDirectory({ client, operator, orgId: 'org_1' }), requests }
}

describe('the directory', () => {
  test('looks up names of all devices or some, each device once', async () => {
    const { directory, requests } = await organization()
    await directory.learn(['dev_1'])
    expect(directory.systemId('Battery room')).toBe('sys_1')
    expect(directory.datapointNames().has('dp_2')).toBe(false)
    await directory.learn()
    await directory.learn(['dev_1', 'dev_2'])
    expect(directory.systemId('Heating')).toBe('sys_2')
    expect(requests.filter(({ path }) => path?.endsWith('/dev_1/technical-systems'))).toHaveLength(1)
  })

  test('knows connections, units and limits', async () => {
    const { directory } = await organization()
    await directory.learn(['dev_2'])
    expect(directory.connections('Pump')).toMatchObject([{ name: 'Pump' }])
    expect(directory.connections().map(({ name }) => name)).toEqual(['Pump', 'Fan'])
    expect(directory.connections('con_removed')).toEqual([{ id: 'con_removed', name: 'con_removed' }])
    expect(directory.units()).toEqual(new Map([['dp_2', 'l/s']]))
    expect(directory.limits()).toEqual(new Map([['dp_2', { max: 5 }]]))
    expect(directory.datapoint('dp_3')).toMatchObject({ name: 'Flow', connection: { name: 'Fan' } })
  })

  test('asks for an id if two connections share a name', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(() => directory.datapointId('Flow')).toThrow('dp_2 (Pump), dp_3 (Fan)')
    expect(directory.datapointId('dp_2')).toBe('dp_2')
  })

  test('takes unknown texts for ids if they look like one, and otherwise suggests names', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(directory.systemId('sys_removed')).toBe('sys_removed')
    expect(directory.datapointId('dp_removed')).toBe('dp_removed')
    expect(() => directory.systemId('Heatin')).toThrow('there is no technical system Heatin (did you mean Heating?)')
    expect(() => directory.datapointId('charge power')).toThrow('did you mean Charge power?')
    expect(() => directory.datapoint('charge power')).toThrow('did you mean Charge power?')
  })

  test('cannot list devices with an API key, so a name needs the device', async () => {
    const { directory, requests } = await organization('partner')
    await directory.learn()
    expect(requests).toEqual([])
    expect(() => directory.datapointId('Flow')).toThrow('names need --device ID')
    expect(directory.datapointId('dp_3')).toBe('dp_3')
    await directory.learn(['dev_1'])
    expect(directory.datapointId('Charge power')).toBe('dp_1')
  })
})
