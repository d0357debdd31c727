import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '@plantroom/base/diagnosis'
import { lockFolder } from '@plantroom/base/folder-lock'
import { runOperatorCommand } from '@plantroom/base/operate'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../platform/broker/testing/certificate.ts'
import { startOpenBroker } from '../platform/broker/testing/open-broker.ts'
import { startPgBouncer, withoutPgBouncer } from '../platform/db/testing/pgbouncer.ts'
import { startS3 } from '../platform/files/testing/s3-server.ts'
import { startMailServer } from '../platform/mail/testing/mail-server.ts'
import { startTestCloud } from '../testing/cloud.ts'
import { createPlainDatabase, createTestDatabase } from '../testing/database.ts'
import { cloudInstallation } from './installation.ts'

/** Runs a command of the operator with an environment, and returns what it printed. */
async function operate(args: readonly string[], env: Record<string, string>) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runOperatorCommand(args, cloudInstallation({ PLANTROOM_CONFIG: 'none', ...env }), {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out: out.join(''), err: err.join('') }
}

async function doctor(env: Record<string, string>) {
  const { code, out } = await operate(['doctor', '--json'], env)
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Result[] }
  const of = (name: string) => checks.filter((check) => check.name === name)
  return { code, ok, checks, of, problems: checks.filter(({ level }) => level === 'problem').map(({ name }) => name) }
}

async function change(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

describe('plantroom doctor', () => {
  test('finds everything well beside a running cloud with a broker, a bucket and a mail server', async () => {
    const folder = temporaryFolder()
    const databaseUrl = await createTestDatabase()
    await change(databaseUrl, 'UPDATE automatic_export_look SET looked_at = now()')
    const cloud = await startTestCloud({ databaseUrl })
    onTestFinished(() => cloud.stop())
    const s3 = await startS3(folder)
    onTestFinished(() => s3.close())
    const mail = await startMailServer()
    const { baseUrl, port } = cloud.ready
    const { code, of, checks, problems } = await doctor({
      ...{ PLANTROOM_DATA: cloud.config.folder, DATABASE_URL: databaseUrl, PLANTROOM_PORT: String(port) },
      ...{ PLANTROOM_PUBLIC_URL: baseUrl, MQTT_URL: (await startOpenBroker()).url, SMTP_URL: mail.url },
      ...{ S3_BUCKET: 'files', S3_ENDPOINT: s3.settings.endpoint ?? '' },
      ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    })
    expect([code, problems]).toEqual([0, []])
    const well = ['http port', 'database', 'clock', 'changes', 'worker', 'broker', 's3', 'smtp', 'public address']
    for (const name of well) expect([name, of(name)[0]?.level]).toEqual([name, 'ok'])
    expect(of('http port')[0]?.text).toContain('is served by Plantroom')
    expect(of('database').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^PostgreSQL \d+.* answers$/),
      expect.stringMatching(/^schema \d{4}-/),
    ])
    expect(checks.every(({ text }) => text !== '')).toBe(true)
    expect(mail.delivered).toEqual([])
  })

  test('knows its own service from others at its address, and when it has other settings now', async () => {
    const databaseUrl = await createTestDatabase()
    const cloud = await startTestCloud({ databaseUrl })
    onTestFinished(() => cloud.stop())
    const { port } = cloud.ready
    const env = { DATABASE_URL: databaseUrl, PLANTROOM_MQTT_PORT: '0' }
    const there = { ...env, PLANTROOM_DATA: cloud.config.folder }
    expect((await doctor({ ...there, PLANTROOM_PORT: String(port) })).of('service')[0]).toMatchObject({ level: 'ok' })
    const changed = await doctor({ ...there, PLANTROOM_PORT: '1' })
    expect(changed.of('service')[0]).toMatchObject({ level: 'warning', text: expect.stringContaining('still runs at') })
    // Of another installation: no process has run with this folder.
    const elsewhere = { ...env, PLANTROOM_DATA: temporaryFolder(), PLANTROOM_PORT: String(port) }
    expect((await doctor(elsewhere)).of('http port')[0]).toMatchObject({
      level: 'problem',
      text: expect.stringContaining('another Plantroom answers'),
    })
  })

  test('ends with what to do', async () => {
    const { out } = await operate(['doctor'], { PLANTROOM_PORT: 'x' })
    expect(out.trimEnd().split('\n').slice(-2)).toEqual([
      'What to do:',
      '1. settings: change it; plantroom config check shows all settings',
    ])
  })

  test('names every peer that cannot be used, with a remedy, and shows no password', async () => {
    const mail = await startMailServer({
      ...{ authOptional: false, allowInsecureAuth: true },
      onAuth: (_auth, _session, done) => done(new Error('bad login')),
    })
    const s3 = await startS3(temporaryFolder())
    onTestFinished(() => s3.close())
    const { code, of, problems, checks } = await doctor({
      ...{ PLANTROOM_DATA: temporaryFolder(), DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
      ...{ PLANTROOM_PORT: String(mail.port), PLANTROOM_PUBLIC_URL: 'http://127.0.0.1:1' },
      ...{ MQTT_URL: 'mqtt://u:hunter2@127.0.0.1:1', SMTP_URL: mail.url.replace('//', '//u:hunter2@') },
      ...{ S3_BUCKET: 'other', S3_ENDPOINT: s3.settings.endpoint ?? '' },
      ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'hunter2' },
    })
    expect(code).toBe(1)
    expect(problems).toEqual(['http port', 'database', 'broker', 's3', 'smtp'])
    expect(checks.filter(({ level, remedy }) => level === 'problem' && !remedy)).toEqual([])
    expect(of('public address')[0]?.level).toBe('warning')
    expect(of('worker')[0]?.level).toBe('skipped')
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  })

  test('says that no worker runs, and that a newer version wrote the database', async () => {
    const databaseUrl = await createTestDatabase()
    const env = {
      PLANTROOM_DATA: temporaryFolder(),
      DATABASE_URL: databaseUrl,
      PLANTROOM_PORT: '0',
      PLANTROOM_MQTT_PORT: '0',
    }
    expect((await doctor(env)).of('worker')[0]).toMatchObject({ level: 'warning', text: 'no worker has run yet' })
    await change(databaseUrl, "UPDATE automatic_export_look SET looked_at = now() - interval '6 minutes'")
    await change(databaseUrl, "INSERT INTO kysely_migration VALUES ('9999-future', '')")
    const { of, problems } = await doctor(env)
    expect(problems).toEqual(['database', 'worker'])
    expect(of('worker')[0]?.text).toBe('no worker has run for 6 minutes')
    expect(of('database')[1]).toMatchObject({ text: expect.stringContaining('9999-future') })
  })

  test('says that jobs wait although a worker runs', async () => {
    const databaseUrl = await createTestDatabase()
    await change(
      databaseUrl,
      `INSERT INTO organization (id, name) VALUES ('org_1', 'x');
       INSERT INTO site (id, organization_id, name) VALUES ('site_1', 'org_1', 'x');
       INSERT INTO job (id, organization_id, site_id, name, max_attempts, filename, due_at)
         VALUES ('job_1', 'org_1', 'site_1', 'import', 1, 'x.fpl', now() - interval '10 minutes');
       UPDATE automatic_export_look SET looked_at = now()`,
    )
    const env = {
      PLANTROOM_DATA: temporaryFolder(),
      DATABASE_URL: databaseUrl,
      PLANTROOM_PORT: '0',
      PLANTROOM_MQTT_PORT: '0',
    }
    expect((await doctor(env)).of('worker')[0]).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(/^1 job has waited/),
    })
  })

  test('says that a process has the data folder which is not this cloud', async () => {
    const folder = temporaryFolder()
    const env = { PLANTROOM_DATA: folder, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' }
    const release = lockFolder(folder)
    expect((await doctor(env)).of('data folder')[1]).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('another process'),
    })
    release?.()
    const { of } = await doctor(env)
    expect(of('data folder')).toHaveLength(1)
    expect(of('database')[0]?.level).toBe('skipped')
    // The doctor gave the lock back.
    expect(lockFolder(folder)?.()).toBeUndefined()
  })

  test('accepts an empty database', async () => {
    const env = { PLANTROOM_DATA: temporaryFolder(), DATABASE_URL: await createPlainDatabase() }
    const { of, problems } = await doctor({ ...env, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' })
    expect(problems).toEqual([])
    expect(of('database')[1]?.text).toContain('the first start creates the tables')
  })

  test.skipIf(withoutPgBouncer)('notices a pooler that does not announce changes', async () => {
    const databaseUrl = await createTestDatabase()
    const DATABASE_URL = await startPgBouncer(databaseUrl, 'transaction')
    const env = { PLANTROOM_DATA: temporaryFolder(), PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0', DATABASE_URL }
    const { of } = await doctor(env)
    expect(of('changes')[0]).toMatchObject({
      level: 'problem',
      remedy: expect.stringContaining('PLANTROOM_LISTEN_URL'),
    })
    expect((await doctor({ ...env, PLANTROOM_LISTEN_URL: databaseUrl })).of('changes')[0]?.level).toBe('ok')
  })

  test('looks at the certificate and the file of its key', async () => {
    const folder = temporaryFolder()
    const { cert, key } = makeCertificate()
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o644 })
    const { of } = await doctor({
      ...{ PLANTROOM_DATA: folder, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' },
      ...{ PLANTROOM_TLS_CERT: join(folder, 'cert.pem'), PLANTROOM_TLS_KEY: join(folder, 'key.pem') },
    })
    expect(of('tls').map(({ text }) => text)).toEqual([
      expect.stringContaining('expires in'),
      'the certificate is self-signed',
      expect.stringContaining('everyone on this machine can read'),
    ])
  })

  test('with mistakes in the settings lists these', async () => {
    const { code, checks } = await doctor({ PLANTROOM_PORT: 'x', SMTP_URL: 'hunter2' })
    expect(code).toBe(1)
    expect(checks.map(({ name, level }) => `${level} ${name}`)).toEqual([
      'ok versions',
      'problem settings',
      'problem settings',
    ])
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  })
})

describe('plantroom config', () => {
  test('shows what is set and from where, masks secrets, and lists every mistake', async () => {
    const file = join(temporaryFolder(), 'plantroom.yaml')
    writeFileSync(
      file,
      'cloud:\n  port: 99\n  smtp: {url: "smtp://me:hunter2@mail.example?from=me@x.ee"}\n  prot: 1\n',
      { mode: 0o600 },
    )
    const token = 'hunter2'.repeat(5)
    const { code, out } = await operate(['config', 'check', file], {
      PLANTROOM_ADMIN_TOKEN: token,
      PLANTROOM_MQTT_PORT: 'x',
    })
    expect(code).toBe(1)
    expect(out.replaceAll(file, 'FILE').split('\n')).toEqual([
      'file: FILE',
      'PLANTROOM_PORT         99  [FILE line 2]',
      'PLANTROOM_MQTT_PORT    x  [the environment]',
      'PLANTROOM_ADMIN_TOKEN  ***  [the environment]',
      'SMTP_URL               smtp://***@mail.example?***  [FILE line 3]',
      'mistake: FILE line 4, cloud.prot: unknown key; did you mean cloud.port?',
      'mistake: PLANTROOM_MQTT_PORT: x is not a whole number from 0 to 65535',
      '2 mistakes',
      '',
    ])
    const shown = await operate(['config', 'show', '--json'], {
      DATABASE_URL: 'postgres://a:hunter2@h/db?password=hunter2',
    })
    expect(shown.code).toBe(0)
    expect(JSON.parse(shown.out)).toMatchObject({
      ...{ file: null, problems: [], warnings: [] },
      settings: expect.arrayContaining([
        { name: 'PLANTROOM_PORT', place: 'cloud.port', value: null, default: '8080', origin: null },
        expect.objectContaining({ name: 'DATABASE_URL', value: 'postgres://***@h/db?***', origin: 'the environment' }),
      ]),
    })
  })

  test.each([
    [['config']],
    [['config', 'chek']],
    [['config', 'check', 'a', 'b']],
    [['doctor', 'x']],
    [['doctor', '--jsn']],
    [['support']],
    [['support', 'bundle']],
  ])('%j is wrong usage', async (args) => {
    const { code, out, err } = await operate(args, {})
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^plantroom \w+: .*; see plantroom \w+ --help\n$/)
  })
})
