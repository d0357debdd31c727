import { createAdminClient } from '@plantroom/client/admin'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { choose, createDirectory } from './directory.ts'

const point = (id: string, name: string) => aDatapoint({ id, name })
const DEMO = [aConnection({ name: 'Inverter', datapoints: [point('dp_1', 'Charge power')] })]

const SYSTEMS: Readonly<Record<string, unknown>> = {
  dev_1: [{ ...aSystem('sys_1', DEMO), name: 'Battery room' }],
  dev_2: [
    { ...aSystem('sys_2', [aConnection({ name: 'Pump', datapoints: [point('dp_2', 'Flow')] })]), name: 'Heating' },
    { ...aSystem('sys_3', [aConnection({ name: 'Fan', datapoints: [point('dp_3', 'Flow')] })]), name: 'Roof' },
  ],
}

/** The names of an organization with three devices, one of which is just being removed. */
async function organization(connections = DEMO) {
  const { url, requests } = await startServer(({ path }, response) => {
    if (path === '/api/orgs/org_1/devices') {
      return sendJson(response, 200, { devices: [{ id: 'dev_1' }, { id: 'dev_2' }, { id: 'dev_gone' }] })
    }
    const technicalSystems = SYSTEMS[path?.split('/')[5] ?? '']
    if (technicalSystems) return sendJson(response, 200, { technicalSystems })
    sendJson(response, 404, { message: 'no such device', code: 'NOT_FOUND' })
  })
  const admin = createAdminClient({ baseUrl: url, adminToken: 'token' })
  return { directory: createDirectory({ admin, orgId: 'org_1', connections }), requests }
}

describe('the names of things', () => {
  test('are known in a demo without asking', async () => {
    const directory = createDirectory({ admin: undefined, orgId: 'org_1', connections: DEMO })
    await directory.learn()
    expect(directory.datapointId('Charge power')).toBe('dp_1')
    expect([...directory.datapointNames()]).toEqual([['dp_1', 'Charge power']])
  })

  test('are learned by an operator, of all devices or of some, each once', async () => {
    const { directory, requests } = await organization([])
    await directory.learn(['dev_1'])
    expect(directory.systemId('Battery room')).toBe('sys_1')
    expect(directory.datapointNames().has('dp_2')).toBe(false)
    await directory.learn()
    await directory.learn(['dev_1', 'dev_2'])
    expect(directory.systemId('Heating')).toBe('sys_2')
    expect(requests.filter(({ path }) => path?.endsWith('/dev_1/technical-systems'))).toHaveLength(1)
  })

  test('of a demo that are learned again are not two', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(directory.datapointId('Charge power')).toBe('dp_1')
  })

  test('that two connections share are a question', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(() => directory.datapointId('Flow')).toThrow('dp_2 (Pump), dp_3 (Fan)')
    expect(directory.datapointId('dp_2')).toBe('dp_2')
  })

  test('that nobody knows are taken for ids', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(directory.systemId('sys_removed')).toBe('sys_removed')
    expect(directory.datapointId('dp_removed')).toBe('dp_removed')
  })
})

const POINTS = [
  { id: 'dp_1', name: 'Charge power', on: 'Inverter' },
  { id: 'dp_2', name: 'State of charge', on: 'Inverter' },
  { id: 'dp_3', name: 'State of charge', on: 'Spare battery' },
  { id: 'Charge power 2', name: 'dp_1', on: 'Spare battery' },
]
const chosen = (given: string) => choose(POINTS, given, ({ on }) => on)?.id

describe('what is meant by', () => {
  test('an id is that one, whatever else has it for a name', () => {
    expect(chosen('dp_1')).toBe('dp_1')
  })

  test('a name is the one that has it, to the letter', () => {
    expect(chosen('Charge power')).toBe('dp_1')
    expect(chosen('charge power')).toBeUndefined()
  })

  test('a name that two share is a question, with where each is', () => {
    expect(() => chosen('State of charge')).toThrow(
      new UsageError('State of charge is the name of 2: give the id, one of dp_2 (Inverter), dp_3 (Spare battery)'),
    )
  })

  test('a name that is known twice from two sources is no question', () => {
    expect(choose([...POINTS, ...POINTS], 'Charge power', () => '')?.id).toBe('dp_1')
  })

  test.each(['', 'dp_9', '__proto__'])('%j is nothing', (given) => {
    expect(chosen(given)).toBeUndefined()
  })
})
