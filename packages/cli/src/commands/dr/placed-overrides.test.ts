import { sendJson, startServer } from '@plantroom/client/testing/server'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from '../../run.ts'
import { listOverrides, onlyOverrideOn, overridesTable } from './placed-overrides.ts'

const FROM = '2030-01-01T12:00:00.000Z'
const TO = '2030-01-01T13:00:00.000Z'
type Placed = LiveDevice['overrides'][number]
const placed = (id: string | null, datapointId: string, state: Placed['state'] = 'active'): Placed => ({
  ...{ id, datapointId, value: -20, from: FROM, to: TO, reqId: null },
  ...{ placedBy: 'key_1', placedByName: 'Trader', state },
})
const FLOW = { id: 'dp_1', name: 'Flow' }
const KNOWN = { id: 'dev_1', name: 'Boiler', live: true, names: new Map([['dp_1', 'Flow']]) }
const list = (...overrides: Placed[]) => listOverrides({ overrides }, { ...KNOWN, units: new Map([['dp_1', 'l/s']]) })

describe('the overrides of a device', () => {
  test('are a table for people', () => {
    const [header, first, second] = overridesTable(list(placed('ovr_1', 'dp_1'), placed(null, 'dp_2', 'queued'))).split(
      '\n',
    )
    expect(header).toMatch(/^ID +DEVICE +DATAPOINT +VALUE +STATE +FROM +TO +PLACED BY$/)
    expect(first).toMatch(/^ovr_1 +Boiler +Flow +-20 l\/s +active +2030-01-01T12\S+ +2030-01-01T13\S+ +Trader$/)
    expect(second).toMatch(/^- +Boiler +dp_2 +-20 +queued /)
    expect(overridesTable([])).toBe('no active or queued overrides')
  })

  test('are found by their datapoint', () => {
    expect(onlyOverrideOn(FLOW, list(placed('ovr_2', 'dp_2'), placed('ovr_1', 'dp_1')))).toBe('ovr_1')
  })

  test('are listed if there are several on one datapoint', () => {
    const several = list(placed('ovr_1', 'dp_1'), placed('ovr_2', 'dp_1', 'queued'))
    expect(() => onlyOverrideOn(FLOW, several)).toThrow(
      `2 overrides are on Flow; give one of the ids: ovr_1 (active, -20 l/s from ${FROM} to ${TO}), ovr_2 (queued, `,
    )
  })

  test('of other callers, which have no id, cannot be cancelled', () => {
    expect(() => onlyOverrideOn(FLOW, list(placed(null, 'dp_1')))).toThrow('there is no override to cancel on Flow')
  })
})

describe('plantroom dr', () => {
  let out: string[]
  let err: string[]
  beforeEach(() => {
    out = []
    err = []
    vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
    vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)))
    vi.stubEnv('XDG_CONFIG_HOME', temporaryFolder())
    vi.stubEnv('PLANTROOM_DATA', temporaryFolder())
    vi.stubEnv('PLANTROOM_ORG', 'org_1')
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  /** A service with two devices, of which the second has never connected. */
  async function service(...overrides: Placed[]) {
    const { url, requests } = await startServer(({ path = '' }, response) => {
      if (path.endsWith('/live?fresh=true')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const state = { at: FROM, clockSuspect: false, connections: [], holds: [], overrides }
        const [name, data] = path.includes('dev_1') ? ['state', state] : ['offline', { message: 'it is offline' }]
        return void response.end(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      }
      if (path.includes('/technical-systems')) {
        const connections = [aConnection({ name: 'Pump', datapoints: [aDatapoint(FLOW)] })]
        return sendJson(response, 200, { technicalSystems: [aSystem('sys_1', connections)] })
      }
      if (path.endsWith('/release')) return sendJson(response, 200, { pending: true })
      if (path.endsWith('/demandResponseCancel')) return sendJson(response, 200, { data: { success: true } })
      const devices = [
        { id: 'dev_1', name: 'Boiler' },
        { id: 'dev_2', name: 'Roof' },
      ]
      const organizations = [{ id: 'org_1', name: 'Ours' }]
      sendJson(response, 200, path === '/api/orgs' ? { organizations } : { devices, nextCursor: null })
    })
    vi.stubEnv('PLANTROOM_URL', url)
    return { paths: () => requests.map(({ path }) => path) }
  }

  test('cancels by the name of the datapoint, with an API key as a partner does', async () => {
    vi.stubEnv('PLANTROOM_API_KEY', 'plr_x')
    vi.stubEnv('PLANTROOM_DEVICE', 'dev_1')
    const { paths } = await service(placed('ovr_1', 'dp_1'))
    expect(await run(['dr', 'cancel', 'Flow'])).toBe(0)
    expect(out).toEqual(['override ovr_1 is cancelled'])
    expect(paths().at(-1)).toMatch(/demandResponseCancel$/)
    expect(await run(['dr', 'cancel', 'Flwo'])).toBe(2)
    expect(err).toEqual(['plantroom dr: there is no datapoint Flwo (did you mean Flow?); see plantroom dr --help'])
  })

  test('with the admin token releases as a person does, also later', async () => {
    vi.stubEnv('PLANTROOM_ADMIN_TOKEN', 'token')
    const { paths } = await service(placed('ovr_1', 'dp_1'))
    expect(await run(['dr', 'cancel', 'dp_1', '--device', 'Boiler', '--json'])).toBe(0)
    expect(JSON.parse(out.join())).toEqual({ id: 'ovr_1', success: true, pending: true })
    expect(paths().at(-1)).toBe('/api/orgs/org_1/devices/dev_1/overrides/ovr_1/release')
  })

  test.each([[['--all']], [[]]])(
    'lists %j the overrides of every device, and says which it could not ask',
    async (all) => {
      vi.stubEnv('PLANTROOM_ADMIN_TOKEN', 'token')
      await service(placed('ovr_1', 'dp_1'))
      expect(await run(['dr', 'list', ...all, '--json'])).toBe(0)
      expect(JSON.parse(out.join())).toMatchObject([{ id: 'ovr_1', device: 'Boiler', datapoint: 'Flow', live: true }])
      expect(err).toEqual([expect.stringMatching(/"Roof: the device has never sent its state.*it is offline"/)])
    },
  )
})
