import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { newAuditKey } from '@plantroom/base/audit-key'
import { readLocalService } from '@plantroom/base/local-service'
import { runOperatorCommand } from '@plantroom/base/operate'
import { CLOUD_SETTINGS, type Setting } from '@plantroom/contract/settings'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { onSite } from '../maintenance/requests/testing/site.ts'
import { addPerson } from '../organization/access/testing/people.ts'
import { addTenant, createKey, startTestCloud } from '../testing/cloud.ts'
import { cloudInstallation } from './installation.ts'

/** Every form in which a text may hide in bytes: plain, in an address, in hexadecimal digits, and in Base64 at any offset. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const aligned = [0, 1, 2].map((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last characters also depend on what is around the text.
    return coded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
  return [text, encodeURIComponent(text), bytes.toString('hex'), ...aligned]
}

const PEOPLE = ['jaanika.maasikas@example.ee', 'Jaanika Maasikas', '+372 5551 2345']
const CONTENT = [
  'The boiler of flat 17 leaks on the piano',
  'Organization of the Maasikas family',
  'upload-of-maasikas.fpl',
]

test('a support bundle describes an installation and contains no secret, no person and no content', async () => {
  const planted = {
    PLANTROOM_ADMIN_TOKEN: 'test-admin-token-0123456789-0123456789',
    PLANTROOM_ADMIN_TOKEN_PREVIOUS: 'previous-token-of-the-operator-9876543210',
    PLANTROOM_FACTOR_KEY: 'factor-key-that-seals-everything-0123456789',
    PLANTROOM_ACTIVITY_KEY: newAuditKey(),
    PLANTROOM_ACTIVITY_WEBHOOK: 'https://127.0.0.1:1/services/webhook-path-token',
    PLANTROOM_ACTIVITY_WEBHOOK_SECRET: 'secret-of-the-activity-webhook-0123456789',
    PLANTROOM_OIDC_CLIENT_SECRET: 'oidc client secret/with+signs',
    S3_ACCESS_KEY_ID: 'AKIAPLANTED',
    S3_SECRET_ACCESS_KEY: 's3/secret+access/key',
    MQTT_URL: 'mqtt://broker-name:broker-pass%2Fword@127.0.0.1:1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://trace-name:trace-password@127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dHJhY2Utc2VjcmV0',
    SMTP_URL: 'smtp://mail.person%40example.ee:mail-password@127.0.0.1:1?from=from.person@example.ee',
  }
  const cloud = await startTestCloud({ adminToken: planted.PLANTROOM_ADMIN_TOKEN })
  onTestFinished(() => cloud.stop())
  const { folder, databaseUrl = '' } = cloud.config
  const database = databaseUrl.replace('@localhost', ':database-password@localhost')
  const secretSettings = { ...planted, DATABASE_URL: database, PLANTROOM_LISTEN_URL: database }
  const declared = Object.entries<Setting>(CLOUD_SETTINGS).flatMap(([name, { secret }]) => (secret ? [name] : []))
  expect(Object.keys(secretSettings).toSorted()).toEqual(declared.toSorted())

  // People, contents and keys in the database, and all of it in the logs.
  const tenant = await addTenant(cloud, CONTENT[1] ?? '')
  const person = await addPerson(cloud, tenant.orgId, PEOPLE[0] ?? '', { role: 'admin' })
  const { apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
  const made = await onSite(cloud, tenant).post('/tickets', { title: CONTENT[0], description: CONTENT[0] })
  const files = { 'setup-token': 'setup-token-of-the-first-start', 'files-secret': 'ab'.repeat(32) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`)
  const secrets = [
    ...Object.values(planted).filter((value) => !URL.canParse(value)),
    ...['webhook-path-token', 'broker-name', 'broker-pass/word', 'mail-password', 'database-password', 'from.person'],
    ...['trace-password', 'dHJhY2Utc2VjcmV0', readLocalService(folder)?.token ?? 'no token'],
    ...['mail.person', apiKey, tenant.deviceSecret, ...Object.values(files), person.headers.cookie ?? ''].filter(
      (text) => text !== '',
    ),
  ]
  const everything = [...secrets, ...PEOPLE, ...CONTENT]
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const lines = everything.flatMap((text) => [
    JSON.stringify({ level: 40, time: 1, name: 'cloud', msg: 'planted', text, person: { name: text }, list: [text] }),
    JSON.stringify({
      level: 40,
      time: 1,
      msg: 'planted',
      error: `violates "x" Key (a)=(${text})`,
      err: { message: text },
    }),
    `Error: ${text}`,
  ])
  writeFileSync(join(folder, 'logs/cloud.log'), `${lines.join('\n')}\n`)

  const file = join(temporaryFolder(), 'bundle.tar.gz')
  const env = {
    ...{
      ...secretSettings,
      PLANTROOM_CONFIG: 'none',
      PLANTROOM_DATA: folder,
      PLANTROOM_PORT: String(cloud.ready.port),
    },
    ...{ PLANTROOM_PUBLIC_URL: cloud.ready.baseUrl, S3_BUCKET: 'files', S3_ENDPOINT: 'http://127.0.0.1:1' },
    ...{ PLANTROOM_OIDC_ISSUER: 'http://127.0.0.1:1', PLANTROOM_OIDC_CLIENT_ID: 'plantroom' },
  }
  const printed: string[] = []
  const terminal = { out: (text: string) => void printed.push(text), err: (text: string) => void printed.push(text) }
  const code = await runOperatorCommand(['support', 'bundle', file], cloudInstallation(env), terminal)
  expect([code, printed.join('')]).toEqual([0, expect.stringMatching(/^wrote /)])

  const bytes = readFileSync(file)
  const texts = [gunzipSync(bytes).toString('latin1'), gunzipSync(bytes).toString(), bytes.toString('latin1')]
  const found = everything.filter((text) => formsOf(text).some((form) => texts.some((one) => one.includes(form))))
  expect(found).toEqual([])
  const [, text = ''] = texts
  expect(text).not.toMatch(/maasikas|piano/i)
  expect(made.status).toBe(201)
  for (const useful of ['"organizations": 1', '"people": 1', '"schema": "00', 'plantroom_devices_online', 'planted']) {
    expect(text).toContain(useful)
  }
  expect(text).toMatch(/"name": "broker",\s+"level": "problem"/)
})
