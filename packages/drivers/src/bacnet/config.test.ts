import { systemClock } from '@plantroom/base/clock'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { createBacnetProtocol } from './driver.ts'

const point = (data: Record<string, unknown>, accessType = 'READ_WRITE') => ({ name: 'Power', accessType, data })
const GOOD = point({ object: 'analog-value,3' })

const problemsOf = (settings: Record<string, unknown>, datapoints = [GOOD]) =>
  parseConfig({ settings: { host: '10.0.0.5', ...settings }, datapoints }).problems.map(
    ({ path, message }) => `${path} ${message}`,
  )

describe('a commissioning file', () => {
  test('needs a host and an object', () => {
    const { config, problems } = parseConfig({ settings: { host: 'ahu-1.local' }, datapoints: [GOOD] })
    expect(problems).toEqual([])
    expect(config.settings).toMatchObject({ port: 47808, priority: 10, maxApdu: 1476, mode: 'cov' })
    expect(config.points).toMatchObject([{ object: { type: 2, instance: 3 }, property: 85, values: 'analog' }])
  })

  test.each([
    [1, 'manual life safety'],
    [2, 'automatic life safety'],
    [5, 'critical equipment control'],
    [6, 'minimum on and off times'],
    [8, 'the operator'],
  ])('is refused with priority %d, which is reserved', (priority, owner) => {
    const [problem] = problemsOf({ priority })
    expect(problem).toContain(
      `settings.priority ${priority} is reserved for ${owner}: agree on one of 3, 4, 7 and 9 to 16`,
    )
  })

  test.each([3, 4, 7, 9, 10, 11, 12, 13, 14, 15, 16])('is accepted with priority %d', (priority) => {
    expect(problemsOf({ priority })).toEqual([])
  })

  test.each([
    [{ priority: 17 }, 'settings.priority 17 must be a whole number from 1 to 16'],
    [{ network: 5 }, 'settings.mac and network belong together'],
    [{ network: 5, mac: 'xyz' }, 'settings.mac must be a number from 0 to 255, or 1 to 7 bytes in hexadecimal'],
    [{ network: 5, mac: 300 }, 'settings.mac 300 must be a whole number from 0 to 255'],
    [{ maxApdu: 1000 }, 'settings.maxApdu 1000 must be one of: 50, 128, 206, 480, 1024, 1476'],
    [{ foreignDevice: 'bbmd' }, 'settings.foreignDevice must have the fields host, port and ttlSeconds'],
    [{ foreignDevice: { port: 1 } }, 'settings.foreignDevice.host is missing'],
    [{ host: undefined, foreignDevice: { host: 'bbmd' } }, 'settings.deviceInstance is missing: without a host'],
    [{ hots: 'x' }, 'settings.hots is not a known field'],
  ])('is refused with %j', (settings, message) => {
    expect(problemsOf(settings).join('\n')).toContain(message)
  })

  test.each([
    [point({ object: 'analog-value' }), 'object analog-value must be a type and an instance'],
    [point({ object: 'schedule,1' }), 'must be a type and an instance, such as analog-value,3; types: analog-input'],
    [point({ object: 'analog-value,4194303' }), 'must be a type and an instance'],
    [point({ object: 'analog-input,3' }), 'analog-input can only be read, but the datapoint is READ_WRITE'],
    [point({ object: 'analog-value,3', property: 'high-limit' }), 'only present-value can be written'],
    [point({ object: 'analog-value,3', units: 'bananas' }), 'units bananas must be one of'],
    [point({ object: 'analog-value,3', states: ['Off'] }), 'analog-value has no states'],
    [point({ object: 'binary-value,3', states: ['Off'] }), 'binary-value has two states'],
    [point({ object: 'binary-value,3', units: 'kilowatts' }), 'binary-value has no units'],
    [point({ object: 'multi-state-value,3', states: 'Off' }), 'states must be a list'],
  ])('is refused with %j', (datapoint, message) => {
    expect(problemsOf({}, [datapoint]).join('\n')).toContain(message)
  })

  test('names devices behind routers and BBMDs', () => {
    const { settings } = parseConfig({ settings: { host: '10.0.0.1', network: 5, mac: 7 }, datapoints: [] }).config
    expect(settings).toMatchObject({ behind: { network: 5, mac: Buffer.of(7) }, maxApdu: 480 })
    const found = { foreignDevice: { host: '10.0.0.2' }, deviceInstance: 77 }
    expect(parseConfig({ settings: found, datapoints: [] }).problems).toEqual([])
  })

  test('cannot move a held datapoint to another slot: our value would stay in the old one', () => {
    const { targets } = createBacnetProtocol({ clock: systemClock })
    const at = (priority: number) => targets({ settings: { host: 'a', priority }, datapoints: [GOOD] })[0]
    expect(at(10)?.meaning).not.toBe(at(11)?.meaning)
  })
})
