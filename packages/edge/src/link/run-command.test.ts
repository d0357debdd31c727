import { createLog } from '@plantroom/base/log'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import type { MessageHandler } from '../commands/command.ts'
import { createCloudTime } from './cloud-time.ts'
import { runCommand } from './run-command.ts'

const NOW = Date.UTC(2030, 0, 1)

const handlers: Readonly<Record<string, MessageHandler>> = {
  echo: (data) => JSON.stringify(data),
  later: async (data) => JSON.stringify(data),
  refuse: () => {
    throw new Failure('rejected', 'datapoint dp_1 is not on this device')
  },
  break: () => {
    throw new TypeError('undefined is not a function')
  },
  breakLater: () => Promise.reject('a text'),
  large: ({ bytes }) => 'x'.repeat(Number(bytes)),
}

async function run(command: string, envelope: unknown) {
  const logged: Record<string, unknown>[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  const payload = Buffer.from(typeof envelope === 'string' ? envelope : JSON.stringify(envelope))
  const cloudTime = createCloudTime(createManualClock(NOW))
  const reply = await runCommand(command, payload, { handlers, cloudTime, log })
  return { status: reply.status, text: reply.payload.toString(), logged }
}

const envelope = (data: Record<string, unknown> = {}, deadline: unknown = NOW + 10_000) => ({
  reqId: '7d9f3c1e-8a55-4b0e-9a43-0d8d2cf0a111',
  deadline,
  data,
})

describe('a command', () => {
  test.each(['echo', 'later'])('is answered with the result of its handler: %s', async (command) => {
    const { status, text } = await run(command, envelope({ setpoint: 21.5, name: 'Küche' }))
    expect(status).toBe('ok')
    expect(JSON.parse(text)).toEqual({ setpoint: 21.5, name: 'Küche' })
  })

  test('that the device rejects is answered with the reason alone', async () => {
    const { status, text, logged } = await run('refuse', envelope())
    expect({ status, text }).toEqual({ status: 'rejected', text: 'datapoint dp_1 is not on this device' })
    expect(logged).toEqual([])
  })

  test('whose handler throws is answered, and the cause is logged', async () => {
    const { status, text, logged } = await run('break', envelope())
    expect(status).toBe('rejected')
    expect(text).toBe('the device could not carry out break: undefined is not a function')
    expect(logged).toMatchObject([{ command: 'break', err: { type: 'TypeError' }, msg: 'command failed' }])
  })

  test('whose handler throws text is answered with that text', async () => {
    const { text } = await run('breakLater', envelope())
    expect(text).toBe('the device could not carry out breakLater: a text')
  })

  test.each(['fly', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'that is unknown is rejected: %j',
    async (command) => {
      const { status, text } = await run(command, envelope())
      expect(status).toBe('rejected')
      expect(text).toBe(`this device does not know the command ${command}; update its software`)
    },
  )

  test.each(['', '{', 'null', '[]', '"text"', '\u0000'])(
    'that cannot be parsed is answered too: %j',
    async (payload) => {
      expect((await run('echo', payload)).status).toBe('rejected')
    },
  )
})

describe('the handler of a command', () => {
  test('gets the key id, the reqId and whether the caller still waits', async () => {
    const clock = createManualClock(NOW)
    const seen: unknown[] = []
    const spying: Readonly<Record<string, MessageHandler>> = {
      act: (_data, { keyId, reqId, inTime }) => {
        seen.push(keyId, reqId, inTime())
        clock.advanceNow(10_000)
        seen.push(inTime())
        clock.advanceNow(1)
        seen.push(inTime())
        return '{}'
      },
    }
    const payload = Buffer.from(JSON.stringify({ ...envelope(), keyId: 'key_7' }))
    const deps = { handlers: spying, cloudTime: createCloudTime(clock), log: createLog('edge', 'silent') }
    expect((await runCommand('act', payload, deps)).status).toBe('ok')
    expect(seen).toEqual(['key_7', '7d9f3c1e-8a55-4b0e-9a43-0d8d2cf0a111', true, true, false])
  })

  test.each([
    [{ callerName: 'Market' }, 'Market'],
    // A cloud of before does not say it.
    [{}, ''],
    [{ callerName: 7 }, ''],
    [{ callerName: 'x'.repeat(300) }, 'x'.repeat(200)],
  ])('gets the name of the caller: %j', async (about, expected) => {
    const seen: unknown[] = []
    const spying: Readonly<Record<string, MessageHandler>> = {
      act(_data, { name }) {
        seen.push(name)
        return '{}'
      },
    }
    const payload = Buffer.from(JSON.stringify({ ...envelope(), ...about }))
    const deps = {
      handlers: spying,
      cloudTime: createCloudTime(createManualClock(NOW)),
      log: createLog('edge', 'silent'),
    }
    await runCommand('act', payload, deps)
    expect(seen).toEqual([expected])
  })
})

describe('the deadline of a command', () => {
  test('may be exactly now', async () => {
    expect((await run('echo', envelope({}, NOW))).status).toBe('ok')
  })

  test('that has passed keeps the command from running', async () => {
    let hasRun = false
    const spying: Readonly<Record<string, MessageHandler>> = {
      act: () => {
        hasRun = true
        return '{}'
      },
    }
    const reply = await runCommand('act', Buffer.from(JSON.stringify(envelope({}, NOW - 1))), {
      handlers: spying,
      cloudTime: createCloudTime(createManualClock(NOW)),
      log: createLog('edge', 'silent'),
    })
    expect(reply.status).toBe('rejected')
    expect(reply.payload.toString()).toBe('the command arrived after its deadline; nothing was done')
    expect(hasRun).toBe(false)
  })

  test('that may have passed, as far as the controller knows, keeps the command from running', async () => {
    const clock = createManualClock(NOW)
    const cloudTime = createCloudTime(clock)
    const asked = cloudTime.ask()
    await clock.advance(300)
    cloudTime.answered(asked, NOW)
    const runUntil = async (deadline: number) =>
      (
        await runCommand('echo', Buffer.from(JSON.stringify(envelope({}, deadline))), {
          handlers,
          cloudTime,
          log: createLog('edge', 'silent'),
        })
      ).status
    expect([await runUntil(NOW + 299), await runUntil(NOW + 300)]).toEqual(['rejected', 'ok'])
  })

  test.each([undefined, null, 'soon', {}])('that is missing or invalid (%j) counts as past', async (deadline) => {
    const { deadline: _none, ...without } = envelope()
    expect((await run('echo', deadline === undefined ? without : envelope({}, deadline))).status).toBe('rejected')
  })

  test("is in the cloud's time, even if the controller's clock is an hour off", async () => {
    const clock = createManualClock(NOW + 3_600_000)
    const cloudTime = createCloudTime(clock)
    cloudTime.answered(cloudTime.ask(), NOW)
    const payload = Buffer.from(JSON.stringify(envelope()))
    const reply = await runCommand('echo', payload, { handlers, cloudTime, log: createLog('edge', 'silent') })
    expect(reply.status).toBe('ok')
  })
})

describe('a reply', () => {
  test('may be as large as a message without its header', async () => {
    expect((await run('large', envelope({ bytes: MAX_MESSAGE_BYTES - 1024 }))).status).toBe('ok')
  })

  test('that is larger is replaced by an error with the remedy', async () => {
    const { status, text } = await run('large', envelope({ bytes: MAX_MESSAGE_BYTES - 1023 }))
    expect(status).toBe('rejected')
    expect(text).toContain(`the reply has ${MAX_MESSAGE_BYTES - 1023} bytes, more than a message may`)
    expect(text).toContain('ask for less, or spread the datapoints over more connections')
  })
})
