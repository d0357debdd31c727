import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createObixProtocol } from './driver.ts'
import { connectionOf, type Points } from './testing/connection.ts'

const protocol = createObixProtocol({ clock: createManualClock() })
const SETTINGS = { url: 'http://10.0.0.5/obix/', username: 'edge', password: 'secret' }

function targetsOf(points: Points, settings: Record<string, unknown> = SETTINGS) {
  return protocol.targets(connectionOf(points, settings))
}
const target = (data: Record<string, unknown>, settings?: Record<string, unknown>) =>
  targetsOf({ a: data }, settings)[0] ?? expect.fail('no target')

describe('the target of a datapoint', () => {
  test('is the object that it writes; a read-only datapoint has none', () => {
    const [supply, outside, command] = targetsOf({
      supply: { href: 'points/supplyAir/' },
      outside: { href: 'points/outside/', accessType: 'READ' },
      command: { href: '/other/command?x=1', accessType: 'WRITE' },
    })
    expect(supply).toMatchObject({
      space: 'obix http://10.0.0.5/obix/points/supplyAir',
      start: 0,
      end: 1,
      name: 'point /obix/points/supplyAir/',
    })
    expect(outside).toBeUndefined()
    expect(command).toMatchObject({ space: 'obix http://10.0.0.5/other/command?x=1' })
  })

  test.each(['points/a', 'points/a/', '/obix/points/a', 'http://10.0.0.5:80/obix/points/a', 'points/%61'])(
    'does not depend on the spelling of its address: %s',
    (href) => {
      expect(target({ href }).space).toBe(target({ href: 'points/a' }).space)
      expect(target({ href }).identity).toBe(target({ href: 'points/a' }).identity)
    },
  )

  test('differs between objects and between servers', () => {
    const { space } = target({ href: 'points/a' })
    expect(target({ href: 'points/b' }).space).not.toBe(space)
    expect(target({ href: 'points/a?x=1' }).space).not.toBe(space)
    expect(target({ href: 'points/a%2Fb' }).space).not.toBe(target({ href: 'points/a/b' }).space)
    expect(target({ href: 'points/a' }, { ...SETTINGS, url: 'http://10.0.0.6/obix/' }).space).not.toBe(space)
    expect(target({ href: 'points/a' }, { ...SETTINGS, url: 'https://10.0.0.5/obix/' }).space).not.toBe(space)
  })
})

describe('the identity of a target', () => {
  const data = { href: 'points/a' }
  const { identity } = target(data)

  test('includes defaults, and no tuning', () => {
    expect(target({ ...data, write: 'put' }).identity).toBe(identity)
    const tuned = { pollSeconds: 9, timeoutMs: 70, maxBodyBytes: 2048, mode: 'watch' }
    expect(target(data, { ...SETTINGS, ...tuned }).identity).toBe(identity)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ href: 'points/b' }, {}],
    [{ write: 'writePoint' }, {}],
    [{ type: 'int' }, {}],
    [{}, { url: 'http://10.0.0.6/obix/' }],
    [{ href: '/obix/points/a' }, { url: 'http://10.0.0.5/other/' }],
    [{}, { username: 'other' }],
    [{}, { password: 'other' }],
    [{}, { username: undefined, password: undefined }],
  ])('changes with %j and %j', (change, settings) => {
    expect(target({ ...data, ...change }, { ...SETTINGS, ...settings }).identity).not.toBe(identity)
  })

  test('means the same however the value is written', () => {
    const [put, operation] = [target(data), target({ ...data, write: 'writePoint' })]
    expect(operation.meaning).toBe(put.meaning)
  })

  test('changes with the trusted authority', () => {
    const url = 'https://10.0.0.5/obix/'
    expect(target(data, { url, ca: '/a.pem' }).identity).not.toBe(target(data, { url }).identity)
  })

  test('distinguishes an empty password from none', () => {
    expect(target(data, { url: SETTINGS.url, username: 'edge' }).identity).toBe(
      target(data, { url: SETTINGS.url, username: 'edge', password: '' }).identity,
    )
  })
})
