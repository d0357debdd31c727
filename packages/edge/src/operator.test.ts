import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Result } from '@plantroom/base/diagnosis'
import { runOperatorCommand } from '@plantroom/base/operate'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { edgeInstallation } from './operator.ts'
import { openJournal } from './store/journal.ts'
import { startBroker, type TestBroker } from './testing/broker.ts'

const SECRET = 'secret-of-the-device'

async function operate(args: readonly string[], env: Record<string, string>) {
  const out: string[] = []
  const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void out.push(text) }
  const settings = { PLANTROOM_CONFIG: 'none', PLANTROOM_DEVICE_ID: 'dev_1', PLANTROOM_DEVICE_SECRET: SECRET, ...env }
  const code = await runOperatorCommand(args, edgeInstallation(settings), terminal)
  return { code, out: out.join('') }
}

async function doctor(env: Record<string, string>) {
  const { code, out } = await operate(['doctor', '--json'], env)
  const { checks } = JSON.parse(out) as { checks: Result[] }
  return { code, of: (name: string) => checks.filter((check) => check.name === name), checks }
}

/** Answers as a cloud whose clock is `offsetMs` ahead. */
function answerTime(broker: TestBroker, offsetMs: number): void {
  void eventually(() => {
    const asked = broker.heard.map(({ topic }) => /ask-time\/(.+)$/.exec(topic)?.[1]).find((id) => id !== undefined)
    if (asked === undefined) throw new Error('not asked yet')
    broker.send(topics.time('dev_1', asked), String(Date.now() + offsetMs))
  })
}

test('the doctor of a controller signs in, compares the clock with the cloud, and announces nothing', async () => {
  const broker = await startBroker({ secret: SECRET })
  answerTime(broker, 60_000)
  const { code, of } = await doctor({ MQTT_URL: broker.url, PLANTROOM_DATA: temporaryFolder() })
  expect(of('broker')).toMatchObject([
    { level: 'ok', text: 'the broker accepts the login and the subscriptions' },
    { level: 'problem', text: expect.stringMatching(/^(59|60)\.\d s behind the clock of the cloud$/) },
  ])
  expect(code).toBe(1)
  expect(broker.heard.filter(({ topic }) => !topic.includes('/ask-time/'))).toEqual([])
})

test('a refused login names the settings, and shows no secret', async () => {
  const broker = await startBroker({ secret: 'another' })
  const { code, of, checks } = await doctor({ MQTT_URL: broker.url, PLANTROOM_DATA: temporaryFolder() })
  expect(code).toBe(1)
  expect(of('broker')).toMatchObject([{ level: 'problem', remedy: expect.stringContaining('PLANTROOM_DEVICE_SECRET') }])
  expect(JSON.stringify(checks)).not.toContain(SECRET)
})

test('beside a running controller the doctor does not sign in, which would end its link', async () => {
  const broker = await startBroker({ secret: SECRET })
  const folder = temporaryFolder()
  const journal = openJournal(join(folder, 'edge'))
  const { code, of } = await doctor({ MQTT_URL: broker.url, PLANTROOM_DATA: folder })
  expect(of('journal')).toMatchObject([{ level: 'ok', text: expect.stringContaining('a controller process runs') }])
  expect(of('broker')).toMatchObject([{ level: 'ok', text: expect.stringContaining('the login is not tried') }])
  expect([code, broker.heard]).toEqual([0, []])

  journal.close()
  writeFileSync(join(folder, 'edge/journal.db'), 'damaged'.repeat(1000))
  expect((await doctor({ MQTT_URL: broker.url, PLANTROOM_DATA: folder })).of('journal')).toMatchObject([
    { level: 'problem', text: expect.stringContaining('cannot be opened') },
  ])
  writeFileSync(join(folder, 'edge/journal.damaged-2030-01-01T00-00-00.000Z.db'), '')
  expect((await doctor({ MQTT_URL: broker.url, PLANTROOM_DATA: folder })).of('journal')).toMatchObject([
    { level: 'problem' },
    { level: 'warning', text: expect.stringContaining('journal.damaged-2030') },
  ])
})

test('a support bundle of a controller has sizes and masked settings', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'edge'))
  const file = join(folder, 'bundle.tar.gz')
  const env = { MQTT_URL: 'mqtt://name:password-of-broker@127.0.0.1:1', PLANTROOM_DATA: folder }
  expect((await operate(['support', 'bundle', file], env)).code).toBe(0)
  const text = gunzipSync(readFileSync(file)).toString()
  expect(text).toContain('"journal.db": null')
  expect(text).toContain('mqtt://***@127.0.0.1:1')
  expect(text).not.toMatch(/password-of-broker|secret-of-the-device/)
})
