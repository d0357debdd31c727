import { describe, expect, test } from 'vitest'
import { canonicalHost } from './host.ts'

describe('the canonical form of a host', () => {
  test.each<[string, string[]]>([
    [
      'localhost',
      [
        ...['LOCALHOST', 'localhost.', '127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0.0.0.0'],
        ...['::1', '[::1]', '0:0:0:0:0:0:0:1', '::', '::ffff:127.0.0.1', 'plc.localhost', 'ip6-localhost'],
      ],
    ],
    ['10.0.0.5', ['10.5', '0xa.0.0.5', '::ffff:10.0.0.5', '::FFFF:a00:5', '10.0.0.5.']],
    ['fe80::a', ['FE80::A', '[fe80:0:0::a]', 'fe80:0000:0000:0000:0000:0000:0000:000a']],
    ['plc.example.com', ['PLC.Example.COM', 'plc.example.com.']],
    ['xn--bcher-kva.example', ['bücher.example', 'BÜCHER.example.']],
    ['127.0.0.2', ['127.2']],
  ])('%s is the same in every spelling', (name, spellings) => {
    for (const spelling of [name, ...spellings]) expect(canonicalHost(spelling).name).toBe(name)
  })

  test('differs between hosts, and between links of one link-local address', () => {
    expect(canonicalHost('10.0.0.5').name).not.toBe(canonicalHost('10.0.0.6').name)
    expect(canonicalHost('fe80::1%eth0').name).not.toBe(canonicalHost('fe80::1%eth1').name)
    expect(canonicalHost('plc_1').name).toBe('plc_1')
    expect(canonicalHost('not a host').name).toBe('not a host')
  })

  test.each([
    ['controller', ['localhost', '::1', '127.0.0.2', '0.0.0.0']],
    [
      'site',
      [
        ...['10.1.2.3', '172.31.0.1', '192.168.1.10', '169.254.7.7', '100.64.0.1', 'fd00::1', 'fe80::1%eth0'],
        ...['plc', 'plc.local', 'PLC.LAN.', 'plc.plant.internal', 'gw.home.arpa'],
      ],
    ],
    ['everywhere', ['8.8.8.8', '172.32.0.1', '192.0.2.1', '2001:db8::1', 'plc.example.com', 'localhost.example.com']],
  ] as const)('reaches the equipment of a %s: %j', (reach, hosts) => {
    for (const host of hosts) expect([host, canonicalHost(host).reach]).toEqual([host, reach])
  })
})
