import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { cleanLines, findLogs } from './log-lines.ts'
import { scrubText, secretRemover } from './scrub.ts'
import { bundleEntries, writeBundle } from './write-bundle.ts'

const PARTS = {
  ...{
    version: '1.2.3',
    settings: {},
    doctor: [],
    counts: {},
    metrics: 'a 1\n',
    logs: [],
    secrets: [],
    now: 1_700_000_000_000,
  },
}

test('a bundle is an archive that tar opens, and only its owner may read it', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'bundle.tar.gz')
  await writeBundle(file, { ...PARTS, logs: [{ name: 'cloud.log', lines: ['õ'.repeat(600)] }] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
  expect(names).toEqual(
    ['README.txt', 'versions.json', 'settings.json', 'doctor.json', 'counts.json', 'metrics.txt', 'logs/cloud.log'].map(
      (name) => `plantroom-support/${name}`,
    ),
  )
  expect(execFileSync('tar', ['-xzOf', file, 'plantroom-support/logs/cloud.log'], { encoding: 'utf8' })).toBe(
    `${'õ'.repeat(600)}\n`,
  )
  await expect(writeBundle(join(folder, 'no/such'), PARTS)).rejects.toThrow('cannot be written (ENOENT)')
})

test('known secrets are removed in every form', () => {
  const remove = secretRemover(['pass/w"örd', 'postgres://jane%40x:hunter%2F2@h/db?sslpassword=topsecret', 'tiny'])
  const forms = [
    'pass/w"örd',
    encodeURIComponent('pass/w"örd'),
    'pass/w\\"örd',
    Buffer.from('pass/w"örd').toString('base64'),
  ]
  for (const form of [...forms, 'hunter%2F2', 'hunter/2', 'topsecret', 'jane@x']) {
    expect(remove(`a ${form} b`)).not.toContain(form.replace(/=+$/, ''))
  }
  expect(remove('tiny')).toBe('tiny')
})

test('messages lose quotes, addresses and values', () => {
  const text = 'duplicate key value violates "person_email" Key (name)=(Mari Maasikas) from 192.0.2.44 and 127.0.0.1'
  expect(scrubText(text)).toBe('duplicate key value violates [text] Key (name)[text] from [address] and 127.0.0.1')
})

test('log lines keep what happened, and not to whom', async () => {
  const lines = [
    {
      level: 40,
      time: 1,
      name: 'cloud',
      msg: 'refused a@b.ee',
      url: 'http://x/setup#t0ken',
      text: 'Leaking roof',
      n: 1,
    },
    {
      level: 30,
      msg: 'ok',
      err: { message: 'Mari ECONNRESET', code: 'E1', stack: 's', name: 'Mari' },
      list: ['Mari'],
      f: true,
    },
    { level: 50, msg: 'Leaking roof', err: { message: 'Leaking roof' }, kind: 'Mari Maasikas', state: 'running' },
    { level: 50, msg: 'lost', error: 'connect ECONNREFUSED of EMMA', people: { Mari: 3, 'a@b.ee': 4 } },
  ].map((line) => JSON.stringify(line))
  const text = [...lines, 'Error: Leaking roof', '    at x (/home/mari/x.ts)', '"just text"'].join('\n')
  expect(cleanLines(text)).toEqual([
    '{"level":40,"time":1,"name":"cloud","n":1,"msg":"refused [address]"}',
    '{"level":30,"err":{"message":"ECONNRESET","code":"E1"},"f":true,"msg":"ok"}',
    '{"level":50,"state":"running"}',
    '{"level":50,"error":"ECONNREFUSED","msg":"lost"}',
    '(3 lines that are no log events are left out)',
  ])
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'logs/cloud.log'), `${lines[0]}\n`.repeat(5_000))
  writeFileSync(join(folder, 'logs/notes of Mari.log'), 'x')
  const [found, ...others] = await findLogs(folder, [])
  expect([found?.name, found?.lines.length, others]).toEqual(['cloud.log', 500, []])
})

test('names of homes are left out everywhere', () => {
  const entries = bundleEntries({ ...PARTS, settings: { file: '/home/mari/plantroom.yaml' } })
  expect(entries.map(({ content }) => content).join()).not.toContain('mari')
})
