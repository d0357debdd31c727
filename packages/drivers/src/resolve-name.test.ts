import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Resolve } from './name-lookup.ts'
import { addressesIn, candidatesFor, createResolve } from './resolve-name.ts'
import { type DnsServer, startDnsServer } from './testing/dns-server.ts'

let dns: DnsServer
beforeEach(async () => {
  dns = await startDnsServer()
  return () => dns.stop()
})

const unknown: Resolve = async () => {
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
}

function resolverWith({
  system = unknown,
  hosts = '',
  conf = '',
}: {
  system?: Resolve
  hosts?: string
  conf?: string
} = {}) {
  const folder = temporaryFolder()
  const [hostsFile, resolvConf] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  writeFileSync(hostsFile, hosts)
  writeFileSync(resolvConf, conf)
  return createResolve({ clock: systemClock, servers: [dns.address], hostsFile, resolvConf, system })
}

describe('a name', () => {
  test('is found in DNS, with the addresses of both families', async () => {
    dns.records.set('pump.test', ['10.0.0.1', '::1'])
    expect(await resolverWith()('pump.test')).toEqual([
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  })

  test.each(['A', 'AAAA'])('is found although the server ignores questions for %s', async (type) => {
    dns.records.set('pump.test', ['10.0.0.1', '::1'])
    dns.silent.add(`${type} pump.test`)
    expect(await resolverWith()('pump.test')).toEqual([
      type === 'AAAA' ? { address: '10.0.0.1', family: 4 } : { address: '::1', family: 6 },
    ])
  })

  test('is found in the hosts file first, and nobody is asked', async () => {
    dns.records.set('pump.test', ['10.0.0.1'])
    const resolve = resolverWith({ hosts: '127.0.0.1 localhost\n10.0.0.7\tother PUMP.test # ours\n' })
    expect(await resolve('pump.test')).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect(await resolve('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(dns.questions).toEqual([])
  })

  test('is found within a domain of resolv.conf', async () => {
    dns.records.set('pump.plant.test', ['10.0.0.1'])
    const resolve = resolverWith({ conf: 'nameserver 192.0.2.1\nsearch office.test plant.test\n' })
    expect(await resolve('pump')).toEqual([{ address: '10.0.0.1', family: 4 }])
  })

  test.each(['pump.test', 'pump.local'])('that DNS does not know is asked of the system: %s', async (name) => {
    const found = [{ address: '10.0.0.9', family: 4 }]
    expect(await resolverWith({ system: async () => found })(name)).toBe(found)
  })

  test('of multicast DNS does not wait for a DNS server that is silent', async () => {
    dns.isDown = true
    const found = [{ address: '10.0.0.9', family: 4 }]
    expect(await resolverWith({ system: async () => found })('pump.local')).toBe(found)
  })

  test('that nobody knows is an error of the system', async () => {
    await expect(resolverWith()('pump.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})

describe('eight names that hang in DNS and in the system', () => {
  test('delay neither a name in DNS, nor, beyond one of them, a name that only the system knows', async () => {
    const asked: string[] = []
    const hanging = new Map<string, () => void>()
    const system: Resolve = async (name) => {
      asked.push(name)
      if (name === 'special.test') return [{ address: '10.0.0.9', family: 4 }]
      await new Promise<void>((resolve) => hanging.set(name, resolve))
      return unknown(name)
    }
    const resolve = resolverWith({ system })
    dns.records.set('pump.test', ['10.0.0.1'])
    const names = Array.from({ length: 8 }, (_, index) => `hanging-${index}.test`)
    for (const name of names) {
      dns.silent.add(name)
      resolve(name).catch(() => {})
    }
    expect(await resolve('pump.test')).toEqual([{ address: '10.0.0.1', family: 4 }])
    // Only one thread of the system is occupied.
    await eventually(() => expect(asked).toHaveLength(1))
    const special = resolve('special.test')
    await eventually(() => expect(dns.questions).toContain('A special.test'))
    expect(await resolve('pump.test')).toEqual([{ address: '10.0.0.1', family: 4 }])
    expect(asked).toHaveLength(1)
    hanging.get(asked[0] as string)?.()
    expect(await special).toEqual([{ address: '10.0.0.9', family: 4 }])
    expect(asked[1]).toBe('special.test')
    onTestFinished(() => {
      for (const end of hanging.values()) end()
    })
  })
})

describe('a hosts file', () => {
  test('may have comments, several names for an address, and several addresses for a name', () => {
    const hosts = '# pump\n127.0.0.1 localhost\n::1 localhost ip6-localhost\nnonsense localhost\n10.0.0.1 a b#c\n'
    expect(addressesIn(hosts, 'localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(addressesIn(hosts, 'b')).toEqual([{ address: '10.0.0.1', family: 4 }])
    for (const name of ['pump', 'c', '10.0.0.1', '']) expect(addressesIn(hosts, name)).toEqual([])
  })
})

describe('the full names of', () => {
  test.each([
    ['pump', '', ['pump']],
    ['pump', 'search a.test b.test.', ['pump.a.test', 'pump.b.test', 'pump']],
    ['pump', 'domain a.test\nsearch b.test # c.test', ['pump.b.test', 'pump']],
    ['pump.plant', 'search a.test', ['pump.plant', 'pump.plant.a.test']],
    ['pump.plant', 'search a.test\noptions edns0 ndots:2', ['pump.plant.a.test', 'pump.plant']],
    ['pump.plant.', 'search a.test', ['pump.plant']],
  ])('%s with %j are %j', (name, conf, expected) => {
    expect(candidatesFor(name, conf)).toEqual(expected)
  })
})
