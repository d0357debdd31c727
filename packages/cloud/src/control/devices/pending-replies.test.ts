import { createManualClock } from '@plantroom/testkit/manual-clock'
import { retainedBytes } from '@plantroom/testkit/retained'
import { describe, expect, test } from 'vitest'
import { createPendingReplies } from './pending-replies.ts'

const TIMEOUT_MS = 10_000
const SAFE = 'the command may have reached it; you can safely send it again with the same reqId'

function start() {
  const clock = createManualClock()
  const pending = createPendingReplies(clock)
  /** Sends a command and records its outcome. */
  function ask(deviceId: string, correlationId: string, timeoutMs = TIMEOUT_MS) {
    const asked = { outcome: 'waiting' as unknown }
    pending.expect(deviceId, correlationId, timeoutMs).then(
      (payload) => {
        asked.outcome = payload.toString()
      },
      ({ kind, message }) => {
        asked.outcome = [kind, message]
      },
    )
    return asked
  }
  const settle = () => clock.advance(0)
  return { clock, pending, ask, settle }
}

describe('a pending command', () => {
  test('resolves with the reply of its device', async () => {
    const { clock, pending, ask, settle } = start()
    const [first, second] = [ask('dev', '1'), ask('dev', '2')]
    pending.settle('dev', '2', 'ok', Buffer.from('to the second'))
    await settle()
    expect([first.outcome, second.outcome]).toEqual(['waiting', 'to the second'])
    pending.settle('dev', '1', 'ok', Buffer.from('to the first'))
    await settle()
    expect(first.outcome).toBe('to the first')
    expect(clock.waiting()).toEqual([])
  })

  test('rejects with the message of the device', async () => {
    const { clock, pending, ask, settle } = start()
    const asked = ask('dev', '1')
    pending.settle('dev', '1', 'rejected', Buffer.from('datapoint x ist unbekannt: größer'))
    await settle()
    expect(asked.outcome).toEqual(['rejected', 'datapoint x ist unbekannt: größer'])
    expect(clock.waiting()).toEqual([])
  })

  test('rejects after its timeout, and not before', async () => {
    const { clock, ask } = start()
    const asked = ask('dev', '1')
    await clock.advance(TIMEOUT_MS - 1)
    expect(asked.outcome).toBe('waiting')
    await clock.advance(1)
    expect(asked.outcome).toEqual(['offline', `the device did not answer within 10.0 s; ${SAFE}`])
  })

  test('rejects when its device disconnects; commands to other devices stay pending', async () => {
    const { clock, pending, ask, settle } = start()
    const [ours, alsoOurs, other] = [ask('dev', '1'), ask('dev', '2'), ask('other', '3')]
    pending.abandon('dev')
    await settle()
    const ended = ['offline', `the device went offline before it answered; ${SAFE}`]
    expect([ours.outcome, alsoOurs.outcome, other.outcome]).toEqual([ended, ended, 'waiting'])
    expect(clock.waiting()).toEqual([TIMEOUT_MS])
  })

  test('settles once: later replies are ignored', async () => {
    const { clock, pending, ask, settle } = start()
    const asked = ask('dev', '1')
    pending.settle('dev', '1', 'ok', Buffer.from('the first'))
    pending.settle('dev', '1', 'ok', Buffer.from('the second'))
    pending.settle('dev', '1', 'rejected', Buffer.from('the third'))
    pending.abandon('dev')
    await settle()
    await clock.advance(TIMEOUT_MS)
    expect(asked.outcome).toBe('the first')
  })
})

describe('an unexpected reply', () => {
  test('is ignored when another device sends it', async () => {
    const { pending, ask, settle } = start()
    const asked = ask('dev', '1')
    pending.settle('other', '1', 'ok', Buffer.from('forged'))
    pending.settle('other', '1', 'rejected', Buffer.from('forged'))
    await settle()
    expect(asked.outcome).toBe('waiting')
    pending.settle('dev', '1', 'ok', Buffer.from('genuine'))
    await settle()
    expect(asked.outcome).toBe('genuine')
  })

  test('is ignored when there was no command or it is too late', async () => {
    const { clock, pending, ask, settle } = start()
    pending.settle('dev', 'none', 'ok', Buffer.from('unasked'))
    pending.settle('dev', 'none', 'rejected', Buffer.from('unasked'))
    pending.abandon('dev')
    const asked = ask('dev', '1')
    await clock.advance(TIMEOUT_MS)
    pending.settle('dev', '1', 'ok', Buffer.from('too late'))
    await settle()
    expect(asked.outcome).toEqual(['offline', expect.stringContaining('did not answer')])
  })
})

describe('settled commands', () => {
  test('use no memory, however they ended', async () => {
    const { clock, pending } = start()
    const payload = Buffer.from('reply')
    let ended = 0
    const askMany = async (round: number) => {
      const asked = Array.from({ length: 1_000 }, (_, index) => {
        const id = `${round}-${index}`
        const deviceId = `device-${id}-${'x'.repeat(100)}`
        const reply = pending.expect(deviceId, id, TIMEOUT_MS).catch(() => {})
        if (index % 3 === 0) pending.settle(deviceId, id, 'ok', payload)
        if (index % 3 === 1) pending.abandon(deviceId)
        return reply
      })
      await clock.advance(TIMEOUT_MS)
      ended += (await Promise.all(asked)).length
    }
    await askMany(0)
    const retained = await retainedBytes(async () => {
      for (let round = 1; round <= 30; round += 1) await askMany(round)
    })
    expect(ended).toBe(31_000)
    expect(clock.waiting()).toEqual([])
    // Each command that stayed in memory would take several hundred bytes.
    expect(retained).toBeLessThan(2_000_000)
  })
})
