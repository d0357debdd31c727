import { describe, expect, test } from 'vitest'
import { createGuard } from './guard.ts'

const REFUSED = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '10.1.2.3', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
  ...[
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
  ],
  ...['[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[64:ff9b::a00:1]', '[100::1]'],
  ...['[2001::1]', '[2001:db8::1]', '[2002:7f00:1::]', '[3fff::1]', '[5f00::1]', '[fec0::1]', '１２７.0.0.1'],
]

const guardOf = (addresses: readonly string[], privateNetworks: readonly string[] = []) =>
  createGuard({ privateNetworks, resolve: async () => addresses })

describe('where the service connects to for a tenant', () => {
  test.each(REFUSED)('not to %s, given as such', async (host) => {
    const guard = createGuard({ privateNetworks: [] })
    expect(() => guard.check(`https://${host}/`)).toThrow('does not lead to a public address')
    await expect(guard.resolve(new URL(`https://${host}/`))).rejects.toThrow('does not lead to a public address')
  })

  test.each(
    REFUSED.filter((host) => /^[[\d.:a-f\]]+$/.test(host) && (host.includes(':') || host.split('.').length === 4)),
  )('not to %s, when a name resolves to it', async (host) => {
    const address = host.replace(/^\[|\]$/g, '')
    const guard = guardOf([address])
    await expect(guard.resolve(new URL('https://a.example/'))).rejects.toThrow(
      'a.example does not lead to a public address',
    )
  })

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450::1', '2606:4700::1111'])('to %s', async (address) => {
    expect(await guardOf([address]).resolve(new URL('https://a.example/'))).toEqual([address])
  })

  test('to the public one of several addresses only', async () => {
    const guard = guardOf(['10.0.0.1', '8.8.8.8', '::1'])
    expect(await guard.resolve(new URL('https://a.example/'))).toEqual(['8.8.8.8'])
  })

  test('says the same about a name that does not exist and one in a private network', async () => {
    const url = new URL('https://intranet.example/')
    const [missing, hidden] = await Promise.all(
      [[], ['10.0.0.1']].map((addresses) => guardOf(addresses).resolve(url).catch(String)),
    )
    expect(missing).toBe(hidden)
  })

  test('resolves a name once', async () => {
    let asked = 0
    const guard = createGuard({
      privateNetworks: [],
      async resolve() {
        asked += 1
        return asked === 1 ? ['8.8.8.8'] : ['127.0.0.1']
      },
    })
    expect([await guard.resolve(new URL('https://a.example/')), asked]).toEqual([['8.8.8.8'], 1])
  })

  test('to the private networks that the operator named, and to no other', async () => {
    const named = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8']
    expect(await guardOf(['10.1.2.3', 'fd00::1', '10.2.0.1'], named).resolve(new URL('https://a.example/'))).toEqual([
      '10.1.2.3',
      'fd00::1',
    ])
    expect(() => createGuard({ privateNetworks: named }).check('https://10.2.0.1/')).toThrow()
  })

  test.each(['http://a.example/', 'http://8.8.8.8/', 'http://10.1.2.3/', 'http://[fd00::1]/'])(
    'not without TLS: %s',
    (url) => {
      expect(() => createGuard({ privateNetworks: ['10.0.0.0/8', 'fd00::/8'] }).check(url)).toThrow('use https://')
    },
  )

  test('without TLS only to this machine, when the operator named it', async () => {
    const named = createGuard({
      privateNetworks: ['127.0.0.0/8', '10.0.0.0/8'],
      resolve: async () => ['10.0.0.1', '127.0.0.1'],
    })
    expect(await named.resolve(new URL('http://127.0.0.1:9/'))).toEqual(['127.0.0.1'])
    expect(await named.resolve(new URL('http://localhost:9/'))).toEqual(['127.0.0.1'])
    const plain = createGuard({ privateNetworks: [], resolve: async () => ['127.0.0.1'] })
    expect(() => plain.check('http://127.0.0.1:9/')).toThrow()
    await expect(plain.resolve(new URL('http://localhost:9/'))).rejects.toThrow('does not lead to a public address')
  })

  test.each(['ftp://a.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'gopher://a.example', 'a.example', ''])(
    'refuses what is no web address: %s',
    (url) => {
      expect(() => createGuard({ privateNetworks: [] }).check(url)).toThrow('starts with https://')
    },
  )

  test('refuses an address with a password', () => {
    expect(() => createGuard({ privateNetworks: [] }).check('https://me:secret@a.example/')).toThrow('user name')
  })
})
