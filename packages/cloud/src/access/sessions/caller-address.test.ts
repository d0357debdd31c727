import { describe, expect, test } from 'vitest'
import { callerAddress } from './caller-address.ts'

describe('the address of a caller', () => {
  test.each([
    ['is the address of the socket', '198.51.100.7', undefined, '198.51.100.7'],
    ['is the address of the socket, whatever the header says', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['behind a local proxy is the address the proxy saw', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [
      'behind a local proxy is the last hop, because the caller may have forged the others',
      '127.0.0.1',
      '1.1.1.1, 203.0.113.9',
      '203.0.113.9',
    ],
    ['is the same behind a local proxy on IPv6', '::1', '203.0.113.9', '203.0.113.9'],
    ['is IPv4 on a dual-stack socket', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
    ['is the same behind a local proxy on a dual-stack socket', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is the address of the proxy when its header is not an address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['is the address of the proxy when its header is empty', '127.0.0.1', '', '127.0.0.1'],
    ['is the first half of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['is the same for every notation of an IPv6 address', '2001:0DB8:1:2::9', undefined, '2001:db8:1:2::/64'],
    ['ignores the zone of an IPv6 address', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    ['is empty for a closed socket', undefined, undefined, ''],
  ])('%s', (_what, socket, forwarded, expected) => {
    expect(callerAddress(socket, forwarded)).toBe(expected)
  })
})
