import { existsSync } from 'node:fs'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { HAPROXY } from './support/haproxy.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { type RollingStack, startRollingStack } from './support/rolling-stack.ts'

const DRAIN_S = 5
const CALLERS = 6
const HOUR_MS = 3_600_000
/** Between the requests of one caller: constant load, not as much as possible. */
const PAUSE_MS = 20

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(!isCampaign || !existsSync(MOSQUITTO) || !HAPROXY)('a rolling restart under load', () => {
  let stack: RollingStack
  beforeAll(async () => {
    stack = await startRollingStack(DRAIN_S)
  }, 120_000)
  afterAll(() => stack?.[Symbol.asyncDispose]())

  const failures: string[] = []
  const answered = { reads: 0, values: 0, overrides: 0, cancels: 0, streams: 0 }
  const reqIds: string[] = []
  let isOver = false

  /** Sends a request through the proxy and records anything but 200. */
  async function ask(what: string, path: string, body?: object): Promise<Record<string, unknown> | undefined> {
    const auth: Record<string, string> = body
      ? { 'x-api-key': stack.apiKey, 'content-type': 'application/json' }
      : { authorization: `Bearer ${stack.adminToken}` }
    try {
      const answer = await fetch(`${stack.baseUrl}${path}`, {
        headers: auth,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status === 200) return JSON.parse(text)
      failures.push(`${what}: ${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(`${what}: ${(error as Error).message} ${((error as Error).cause as Error | undefined)?.message}`)
    }
    return undefined
  }

  const command = (name: string, data: object, reqId: string = crypto.randomUUID()) =>
    ask(name, `/api/orgs/${stack.orgId}/edge-device-admin/${stack.deviceId}/cmd/${name}`, { reqId, data })

  async function call(caller: number): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      if (await ask('list', `/api/orgs/${stack.orgId}/devices`)) answered.reads += 1
      if (await command('getTechnicalConnectionValues', { id: stack.connectionId })) answered.values += 1
      if (caller === 0 && round % 5 === 0) await dispatch()
      await pause(PAUSE_MS)
    }
  }

  async function dispatch(): Promise<void> {
    const reqId = crypto.randomUUID()
    reqIds.push(reqId)
    const [from, to] = [Date.now(), Date.now() + HOUR_MS].map((time) => new Date(time).toISOString())
    const placed = await command(
      'demandResponseOverride',
      { datapointId: stack.datapointId, value: -20, from, to },
      reqId,
    )
    if (!placed) return
    answered.overrides += 1
    const { id } = placed.data as { id: string }
    if (await command('demandResponseCancel', { id })) answered.cancels += 1
  }

  /** Follows live values, and connects again when the stream ends as it should. */
  async function follow(): Promise<void> {
    const url = `${stack.baseUrl}/api/orgs/${stack.orgId}/devices/${stack.deviceId}/live`
    while (!isOver) {
      const stop = new AbortController()
      const watch = setInterval(() => isOver && stop.abort(), 50)
      let text = ''
      try {
        const headers = { authorization: `Bearer ${stack.adminToken}` }
        const answer = await fetch(url, { headers, signal: stop.signal })
        if (answer.status !== 200) failures.push(`stream: ${answer.status}`)
        for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
        if (!/\nretry: \d+\n\n$/.test(text)) failures.push(`a stream ended without a hint: ${text.slice(-100)}`)
        else answered.streams += 1
      } catch (error) {
        if (!isOver) failures.push(`stream: ${(error as Error).message}`)
      }
      clearInterval(watch)
    }
  }

  const isReady = async (port: number) => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)

  test('fails no request, answers every command once and ends streams cleanly', { timeout: 600_000 }, async () => {
    await repeat(1, async () => {
      isOver = false
      const load = [...Array.from({ length: CALLERS }, (_, caller) => call(caller)), follow(), follow()]
      await pause(2_000)
      for (const cloud of stack.clouds) {
        cloud.signal('SIGTERM')
        expect(await cloud.ended).toEqual({ code: 0, signal: null })
        await cloud.start()
        await eventually(() => isReady(cloud.ready.port))
        // HAProxy looks once a second.
        await pause(2_500)
      }
      isOver = true
      await Promise.all(load)
      console.log(`answered ${JSON.stringify(answered)}, failed ${failures.length}`)
      expect(failures).toEqual([])
      for (const [what, count] of Object.entries(answered)) expect(count, what).toBeGreaterThan(0)
      const accepted = stack.edge
        .output()
        .split('\n')
        .filter((line) => line.includes('"command accepted"'))
      const placed = accepted
        .filter((line) => line.includes('"demandResponseOverride"'))
        .map((line) => JSON.parse(line).reqId)
      expect(placed.toSorted()).toEqual(reqIds.toSorted())
    })
  })
})
