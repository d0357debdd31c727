import { describe, expect, test } from 'vitest'
import { connectionIn, layoutOf, socketPath } from './layout.ts'

describe('the layout of an embedded server', () => {
  test('keeps the socket in the folder when the path is short enough', () => {
    expect(layoutOf('/srv/plantroom/postgres', '/tmp').runtime).toBe('/srv/plantroom/postgres/run')
  })

  test.each([
    ['is long', `/srv/${'x'.repeat(90)}`],
    ['is long in bytes but not in characters', `/srv/${'ü'.repeat(45)}`],
    ['contains a separator of the loader', '/srv/a:b'],
  ])('moves the socket to a temporary folder when the path %s', (_, folder) => {
    const { runtime, libraries, data } = layoutOf(folder, '/var/tmp')
    expect(runtime).toMatch(/^\/var\/tmp\/plantroom-[0-9a-f]{16}$/)
    expect(libraries).toBe(`${runtime}/lib`)
    expect(data).toBe(`${folder}/data`)
  })

  test('never has a socket path above 107 bytes, even with a long temporary folder', () => {
    const { runtime } = layoutOf(`/srv/${'x'.repeat(200)}`, `/var/${'y'.repeat(200)}`)
    expect(Buffer.byteLength(socketPath(connectionIn(runtime)))).toBeLessThanOrEqual(107)
  })

  test('has a stable, unique name per folder', () => {
    const name = (folder: string) => layoutOf(folder, '/tmp').clusterName
    expect(name('/srv/a')).not.toBe(name('/srv/b'))
    expect(name('/srv/a')).toBe(name('/srv/a'))
  })
})
