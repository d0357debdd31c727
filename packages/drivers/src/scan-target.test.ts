import { describe, expect, test } from 'vitest'
import { scanTargets } from './scan-target.ts'

describe('the target of a scan', () => {
  test.each([
    ['10.0.0.5', ['10.0.0.5']],
    ['ahu.local', ['ahu.local']],
    ['fe80::1', ['fe80::1']],
    ['10.0.0.7/30', ['10.0.0.5', '10.0.0.6']],
    ['10.0.0.7/32', ['10.0.0.7']],
  ])('%s is %j', (host, hosts) => {
    expect(scanTargets(host)).toEqual(hosts)
  })

  test('is at most a network of 256 addresses, without those that belong to no host', () => {
    const hosts = scanTargets('192.168.1.77/24')
    expect([hosts.length, hosts[0], hosts.at(-1)]).toEqual([254, '192.168.1.1', '192.168.1.254'])
  })

  test.each([
    ['10.0.0.0/23', '10.0.0.0/23 has 512 addresses; scan one host, or networks of at most 256 addresses (/24)'],
    ['10.0.0.0/0', '4294967296 addresses'],
    ['0.0.0.0/24', '0.0.0.0 is not the address of equipment'],
    ['255.255.255.255', 'is not the address of equipment'],
    ['239.1.1.1', 'is not the address of equipment'],
    ['10.0.0.0/33', 'is not a network'],
    ['10.0.0.0/24/8', 'is not a network'],
    ['10.0.0.0/x', 'is not a network'],
    ['ahu.local/24', 'is not an IPv4 network'],
    ['fe80::/64', 'is not an IPv4 network'],
    ['two hosts', 'is missing: it must be the host to scan'],
    [undefined, 'is missing'],
    ['x'.repeat(300), 'is missing'],
  ])('%s is refused: %s', (host, message) => {
    expect(() => scanTargets(host)).toThrow(message)
  })
})
