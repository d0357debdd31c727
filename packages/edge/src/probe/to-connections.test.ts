import type { CommissionedConnection } from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { endpointOf, toConnections } from './to-connections.ts'

const converted = (settings: Record<string, unknown>, about: Partial<CommissionedConnection> = {}) => {
  const connection: CommissionedConnection = { name: 'A', protocol: 'mqtt', settings, datapoints: [], ...about }
  const [first] = toConnections({ technicalSystem: 'Roof', connections: [connection] })
  if (!first) throw new Error('nothing was laid out')
  return first
}

describe('the endpoint', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ host: '10.0.0.5' }, '10.0.0.5:502'],
    [{ host: 'meter.local', port: 1502 }, 'meter.local:1502'],
    [{ host: 'fe80::1' }, '[fe80::1]:502'],
    [{ url: 'mqtt://10.0.0.7' }, '10.0.0.7:1883'],
    [{ url: 'mqtts://10.0.0.7' }, '10.0.0.7:8883'],
    [{ url: 'http://ahu/obix/' }, 'ahu:80'],
    [{ url: 'https://ahu:8443/obix/' }, 'ahu:8443'],
    [{ url: 'https://[::1]/obix/' }, '[::1]:443'],
    [{ url: 'mqtt://user:secret@10.0.0.7' }, '10.0.0.7:1883'],
  ])('%j is %s', (settings, endpoint) => {
    expect(endpointOf(converted(settings))).toBe(endpoint)
  })
})

describe('a converted connection', () => {
  test('has no client id, so that the running device does not lose its link', () => {
    expect(converted({ url: 'mqtt://b', clientId: 'controller' }).settings).toEqual({ url: 'mqtt://b' })
  })

  test('has the release values of its datapoints', () => {
    const datapoints = [{ name: 'Valve', accessType: 'WRITE' as const, releaseValue: 0, data: {} }]
    expect(converted({}, { datapoints }).datapoints).toMatchObject([{ releaseValue: 0 }])
  })

  test('has a scaler for each datapoint', () => {
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    const { datapoints } = converted(
      {},
      {
        datapoints: [
          { name: 'Plain', accessType: 'READ', data: {} },
          { name: 'Scaled', accessType: 'READ', data: {}, scaler },
        ],
      },
    )
    expect(datapoints.map(({ name, scaler }) => [name, scaler])).toEqual([
      ['Plain', IDENTITY_SCALER],
      ['Scaled', scaler],
    ])
    expect(new Set(datapoints.map(({ id }) => id)).size).toBe(2)
  })
})
