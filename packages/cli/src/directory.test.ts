import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
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

/** The names in an organization with three devices, one of which is being removed. */
async function organization(connections = DEMO) {
  const { url, requests } = await startServer(({ path }, response) => {
    if (path === '/api/orgs/org_1/devices') {
      const devices = [{ id: 'dev_1' }, { id: 'dev_2' }, { id: 'dev_gone' }]
      return sendJson(response, 200, { devices, nextCursor: null })
    }
    const technicalSystems = SYSTEMS[path?.split('/')[5] ?? '']
    if (technicalSystems) return sendJson(response, 200, { technicalSystems })
    sendJson(response, 404, { message: 'no such device', code: 'NOT_FOUND' })
  })
  const operator = createClient(sendWithToken(url, 'token'))
  return { directory: createDirectory({ operator, orgId: 'org_1', connections }), requests }
}

describe('the directory', () => {
  test('knows the names of a demo without requests', async () => {
    const directory = createDirectory({ operator: undefined, orgId: 'org_1', connections: DEMO })
    await directory.learn()
    expect(directory.datapointId('Charge power')).toBe('dp_1')
    expect([...directory.datapointNames()]).toEqual([['dp_1', 'Charge power']])
  })

  test('lets an operator look up names, of all devices or some, each once', async () => {
    const { directory, requests } = await organization([])
    await directory.learn(['dev_1'])
    expect(directory.systemId('Battery room')).toBe('sys_1')
    expect(directory.datapointNames().has('dp_2')).toBe(false)
    await directory.learn()
    await directory.learn(['dev_1', 'dev_2'])
    expect(directory.systemId('Heating')).toBe('sys_2')
    expect(requests.filter(({ path }) => path?.endsWith('/dev_1/technical-systems'))).toHaveLength(1)
  })

  test('does not count a demo name twice after a lookup', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(directory.datapointId('Charge power')).toBe('dp_1')
  })

  test('asks for an id if two connections share a name', async () => {
    const { directory } = await organization()
    await directory.learn()
    expect(() => directory.datapointId('Flow')).toThrow('dp_2 (Pump), dp_3 (Fan)')
    expect(directory.datapointId('dp_2')).toBe('dp_2')
  })

  test('treats unknown names as ids', async () => {
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

describe('choosing by id or name', () => {
  test('prefers an id to an equal name', () => {
    expect(chosen('dp_1')).toBe('dp_1')
  })

  test('finds an exact name', () => {
    expect(chosen('Charge power')).toBe('dp_1')
    expect(chosen('charge power')).toBeUndefined()
  })

  test('fails for a shared name and lists where each one is', () => {
    expect(() => chosen('State of charge')).toThrow(
      new UsageError('2 are named State of charge; give one of the ids: dp_2 (Inverter), dp_3 (Spare battery)'),
    )
  })

  test('accepts a name known from two sources', () => {
    expect(choose([...POINTS, ...POINTS], 'Charge power', () => '')?.id).toBe('dp_1')
  })

  test.each(['', 'dp_9', '__proto__'])('finds nothing for %j', (given) => {
    expect(chosen(given)).toBeUndefined()
  })
})
