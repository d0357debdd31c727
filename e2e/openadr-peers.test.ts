import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openVtn } from '@plantroom/openadr/vtn'
import { freePort } from '@plantroom/testkit/free-port'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { startVtnDouble } from '@plantroom/testkit/vtn-double'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { bodies, reports } from './support/openadr/bodies.ts'
import { sendWithFetch } from './support/openadr/send-with-fetch.ts'

/**
 * The descriptions of the OpenADR Alliance, served by Prism, judge what we send and what our double of a VTN takes. The project
 * does not contain them: name their folder in this variable.
 */
const FOLDER = process.env.PLANTROOM_TEST_OPENADR
const START_MS = 300_000
const VERSIONS = [
  { version: '3.0', file: 'openadr-3.0.1.yaml' },
  { version: '3.1', file: 'openadr-3.1.1.yaml' },
] as const

const isThere = FOLDER !== undefined && VERSIONS.every(({ file }) => existsSync(join(FOLDER, file)))

if (isCampaign && !isThere)
  console.log(
    'skipped: Prism, because PLANTROOM_TEST_OPENADR names no folder with openadr-3.0.1.yaml and openadr-3.1.1.yaml',
  )

/** Prism does not check this token: it only wants one. */
const TOKEN = { authorization: 'Bearer a-token', 'content-type': 'application/json' }

describe.runIf(isCampaign && isThere)('OpenADR at Prism', () => {
  const running: ChildProcess[] = []
  const addresses = new Map<string, string>()
  beforeAll(async () => {
    for (const { version, file } of VERSIONS) {
      const port = await freePort()
      const args = [
        '--yes',
        '@stoplight/prism-cli',
        'mock',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        join(FOLDER ?? '', file),
      ]
      // A group of its own: npx does not pass signals on.
      const child = spawn('npx', args, { stdio: 'ignore', detached: true })
      running.push(child)
      addresses.set(version, `http://127.0.0.1:${port}`)
      await eventually(() => fetch(`http://127.0.0.1:${port}/programs`, { headers: TOKEN }), START_MS)
    }
  }, 2 * START_MS)
  afterAll(() => {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid)
  })

  describe.each(VERSIONS)('$version', ({ version }) => {
    const address = () => addresses.get(version) ?? ''

    test('takes everything that we send, and we read everything that it answers', async () => {
      // The description names an address of its own for tokens. This stays on this machine.
      const tokenUrl = `${address()}/auth/token`
      const vtn = openVtn(
        { baseUrl: address(), version, tokenUrl, clientId: 'ven_client_99', clientSecret: 'secret' },
        { send: sendWithFetch, now: () => Date.now() },
      )
      expect((await vtn.programs()).unreadable).toEqual([])
      expect((await vtn.events('object-999')).unreadable).toEqual([])
      const ven = await vtn.ensureVen('plantroom')
      await vtn.ensureResource(ven.id, 'battery')
      for (const body of reports(version)) await vtn.sendReport(body)
      const callbackUrl = 'https://plantroom.example/hooks/1'
      await vtn.subscribe({ clientName: 'plantroom', programId: 'object-999', callbackUrl, bearerToken: 'secret' })
      expect((await vtn.notifiers()).hasWebhook).toBe(true)
      await vtn.eventTopics('object-999', 'object-999')
    })

    test('takes and refuses what our double takes and refuses', async () => {
      const double = await startVtnDouble({ version })
      try {
        double.addEvent({ id: 'object-999', programID: 'object-999', intervals: [] })
        const token = await tokenOf(double.tokenUrl)
        for (const { path, body, isRight } of bodies(version)) {
          const ask = async (base: string, headers: Record<string, string>) => {
            const answer = await fetch(`${base}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
            return answer.status < 400
          }
          const [theirs, ours] = [
            await ask(address(), TOKEN),
            await ask(double.baseUrl, { ...TOKEN, authorization: `Bearer ${token}` }),
          ]
          expect({ body, theirs, ours }).toEqual({ body, theirs: isRight, ours: isRight })
        }
      } finally {
        await double.close()
      }
    })
  })
})

async function tokenOf(url: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'ven-client', client_secret: 'ven-secret' }
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}
