import { expect, test } from 'vitest'
import { callerNetwork } from './caller-network.ts'

test.each([
  ['is the address that the proxy named', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
  ['is the proxy when it named no address', 'unknown', '10.0.0.1', '10.0.0.1'],
  ['is the proxy when it named nothing', '', '10.0.0.1', '10.0.0.1'],
  ['has no port', '203.0.113.9:4711', '10.0.0.1', '203.0.113.9'],
  ['has no brackets', '[2001:db8:1:2::9]:4711', '10.0.0.1', '2001:db8:1:2::/64'],
  ['is IPv4 on a dual-stack socket', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
  ['is the first half of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['is the same for every notation of an IPv6 address', '2001:0DB8:1:2::9', undefined, '2001:db8:1:2::/64'],
  ['ignores the zone of an IPv6 address', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['is empty for a closed socket', undefined, undefined, ''],
])('the network of a caller %s', (_what, forwarded, socket, expected) => {
  expect(callerNetwork(forwarded, socket)).toBe(expected)
})
