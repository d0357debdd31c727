import { describe, expect, test } from 'vitest'
import { callerAddress } from './caller-address.ts'

describe('the address of a caller', () => {
  test.each([
    ['is the socket’s', '198.51.100.7', undefined, '198.51.100.7'],
    ['is the socket’s, whatever the caller says', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['behind a proxy on this machine is what the proxy saw', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [
      'behind it is the last hop: the others the caller may have made up',
      '127.0.0.1',
      '1.1.1.1, 203.0.113.9',
      '203.0.113.9',
    ],
    ['behind it on IPv6, too', '::1', '203.0.113.9', '203.0.113.9'],
    [
      'on a socket that takes both is the same as on one that takes IPv4',
      '::ffff:198.51.100.7',
      undefined,
      '198.51.100.7',
    ],
    ['behind it on such a socket, too', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is the proxy’s when what it says is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['is the proxy’s when it says nothing', '127.0.0.1', '', '127.0.0.1'],
    ['of IPv6 is its first half', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['of IPv6 is the same however it is written', '2001:0DB8:1:2::9', undefined, '2001:db8:1:2::/64'],
    ['of IPv6 with a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    ['of a socket that has gone', undefined, undefined, ''],
  ])('%s', (_what, socket, forwarded, expected) => {
    expect(callerAddress(socket, forwarded)).toBe(expected)
  })
})
