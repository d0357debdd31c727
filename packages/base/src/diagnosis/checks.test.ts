import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  checkCertificate,
  checkDisk,
  checkFolder,
  checkOffset,
  checkPort,
  hasProblem,
  ok,
  printResults,
  runChecks,
  warning,
} from './index.ts'

describe('checks', () => {
  test('run together, and each ends in time with a remedy', async () => {
    const clock = createManualClock()
    let wasStopped = false
    const results = runChecks(
      [
        { name: 'good', run: async () => [ok('well'), warning('hm', 'look')], remedy: '' },
        {
          name: 'silent',
          run: (signal) => {
            signal.addEventListener('abort', () => {
              wasStopped = true
            })
            return new Promise(() => {})
          },
          remedy: 'wake it',
        },
        {
          name: 'broken',
          run: () => Promise.reject(new Error('no\nway', { cause: new Error('why') })),
          remedy: 'mend it',
        },
        {
          name: 'late',
          run: () => new Promise((_, reject) => clock.after(20_000, () => reject(new Error('x')))),
          remedy: '',
        },
      ],
      { clock },
    )
    await clock.advance(30_000)
    expect(await results).toEqual([
      { name: 'good', level: 'ok', text: 'well' },
      { name: 'good', level: 'warning', text: 'hm', remedy: 'look' },
      { name: 'silent', level: 'problem', text: 'no answer within 10 s', remedy: 'wake it' },
      { name: 'broken', level: 'problem', text: 'no way: why', remedy: 'mend it' },
      { name: 'late', level: 'problem', text: 'no answer within 10 s', remedy: '' },
    ])
    expect(wasStopped).toBe(true)
    expect(hasProblem(await results)).toBe(true)
    expect(printResults((await results).slice(0, 2))).toBe(
      'ok       good  well\nWARNING  good  hm\n               look\n0 problems, 1 warning, 1 check passed, 0 skipped',
    )
  })

  test('of several problems with one remedy name it once', () => {
    const problems = ['one', 'two'].map(
      (text) => ({ name: 'settings', level: 'problem', text, remedy: 'mend' }) as const,
    )
    const other = { name: 'disk', level: 'problem', text: 'full', remedy: 'free space' } as const
    expect(printResults([...problems, other]).split('What to do:')[1]).toBe('\n1. settings: mend\n2. disk: free space')
  })

  test('of a data folder write, flush and clean up', async () => {
    const folder = temporaryFolder()
    expect(await checkFolder(folder)).toEqual([ok(`${folder} can be written and flushed`)])
    expect(readdirSync(folder)).toEqual([])
    chmodSync(folder, 0o755)
    expect(await checkFolder(folder)).toMatchObject([
      { level: 'ok' },
      { level: 'warning', remedy: `chmod o= ${folder}` },
    ])
    expect(await checkFolder(join(folder, 'new/one'))).toMatchObject([{ level: 'ok' }])
    writeFileSync(join(folder, 'file'), '')
    expect(await checkFolder(join(folder, 'file'))).toMatchObject([
      { level: 'problem', text: expect.stringContaining('not a folder') },
    ])
    // Also root may not write here.
    expect(await checkFolder('/proc/1/plantroom')).toMatchObject([{ level: 'problem' }])
    expect(await checkFolder('/proc')).toMatchObject([{ level: 'problem' }, { level: 'warning' }])
  })

  test('of a disk compare what is free', async () => {
    const folder = join(temporaryFolder(), 'not/yet')
    expect(await checkDisk(folder, { enough: 1, little: 1 })).toMatchObject({ level: 'ok' })
    expect(await checkDisk(folder, { enough: 1e18, little: 1 })).toMatchObject({ level: 'warning' })
    expect(await checkDisk(folder, { enough: 1e18, little: 1e18 })).toMatchObject({ level: 'problem' })
  })

  test.each([
    [1_999, 'ok'],
    [-2_001, 'warning'],
    [-31_000, 'problem'],
  ])('of a clock that is %s ms off say %s', (offset, level) => {
    expect(checkOffset(offset, 'theirs')).toMatchObject({ level })
  })

  test('of a port say whether it is free, ours or taken', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const check = (host: string, isOurs: boolean) =>
      checkPort({ host, port, setting: 'PLANTROOM_PORT', listener: async () => (isOurs ? 'ours' : 'another program') })
    expect(await check('127.0.0.1', true)).toMatchObject({ level: 'ok', text: expect.stringContaining('by Plantroom') })
    expect(await check('127.0.0.1', false)).toMatchObject({
      ...{ level: 'problem', remedy: expect.stringContaining('set PLANTROOM_PORT') },
      text: expect.stringContaining('another program answers'),
    })
    expect(await check('127.0.0.2', false)).toMatchObject({ level: 'ok', text: expect.stringContaining('is free') })
    // An address of nobody, reserved for documentation.
    expect(await check('192.0.2.1', false)).toMatchObject({
      level: 'problem',
      text: expect.stringContaining('EADDRNOTAVAIL'),
    })
  }, 20_000)
})

describe('the check of a certificate', () => {
  const folder = () => {
    const path = temporaryFolder()
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: path, stdio: 'pipe' })
    const file = (name: string) => readFileSync(join(path, name))
    const key = (name: string) => openssl('genpkey', '-algorithm', 'ed25519', '-out', name)
    key('root.key')
    openssl('req', '-x509', '-key', 'root.key', '-out', 'root.pem', '-days', '400', '-subj', '/CN=Our authority')
    key('leaf.key')
    openssl('req', '-new', '-key', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=plantroom')
    writeFileSync(join(path, 'names'), 'subjectAltName=DNS:plantroom.example,IP:192.0.2.7')
    openssl(
      'x509',
      '-req',
      '-in',
      'leaf.csr',
      '-CA',
      'root.pem',
      '-CAkey',
      'root.key',
      '-days',
      '90',
      '-extfile',
      'names',
      '-out',
      'leaf.pem',
    )
    return { leaf: file('leaf.pem'), key: file('leaf.key'), root: file('root.pem'), rootKey: file('root.key') }
  }

  test('looks at dates, names, chain and key', () => {
    const { leaf, key, root, rootKey } = folder()
    const now = Date.now()
    const day = 86_400_000
    const check = (changes: Partial<Parameters<typeof checkCertificate>[0]>) =>
      checkCertificate({ cert: Buffer.concat([leaf, root]), key, hostname: 'plantroom.example', now, ...changes }).map(
        ({ level, text }) => `${level}: ${text}`,
      )
    expect(check({})).toEqual([expect.stringMatching(/^ok: the certificate is valid until/)])
    expect(check({ hostname: '192.0.2.7' })).toHaveLength(1)
    expect(check({ hostname: 'other.example' })).toContainEqual(
      expect.stringMatching(/^problem: .*not for other.example/),
    )
    expect(check({ now: now + 80 * day })).toContainEqual(expect.stringMatching(/^warning: .*expires in [89] days/))
    expect(check({ now: now + 91 * day })).toContainEqual(expect.stringMatching(/^problem: .*has expired/))
    expect(check({ now: now - day })).toContainEqual(expect.stringMatching(/^problem: .*not valid before/))
    expect(check({ key: rootKey })).toContainEqual('problem: the key does not belong to the certificate')
    expect(check({ cert: leaf })).toContainEqual(expect.stringMatching(/^warning: the chain does not lead/))
    expect(check({ cert: Buffer.concat([root, leaf]), key: rootKey })).toContainEqual(
      'problem: the chain is in the wrong order or has a gap',
    )
    expect(check({ cert: root, key: rootKey })).toContainEqual('warning: the certificate is self-signed')
    expect(check({ cert: Buffer.from('nothing') })).toEqual(['problem: PLANTROOM_TLS_CERT has no certificate'])
  })
})
