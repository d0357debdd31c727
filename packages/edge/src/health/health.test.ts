import type { DeviceHealth } from '@plantroom/contract/health'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { LOOK_MS, REPEAT_MS, startHealth } from './health.ts'

const FREE = 1024 ** 3

function open() {
  const clock = createManualClock()
  const reported: DeviceHealth[] = []
  const facts = {
    connections: [{ id: 'con_1', name: 'Inverter', status: 1 as -1 | 0 | 1 | 2 }],
    troubles: [] as { id: string; name: string; isReleased: boolean; reason: string }[],
    freeBytes: FREE,
    dropped: 0,
    journalTrouble: undefined as string | undefined,
    connected: true,
  }
  const health = startHealth({
    connections: () => facts.connections,
    troubles: () => facts.troubles,
    freeBytes: () => facts.freeBytes,
    dropped: () => facts.dropped,
    journalTrouble: () => facts.journalTrouble,
    uplink: {
      get connected() {
        return facts.connected
      },
      publish(topic, payload, qos) {
        expect([topic, qos]).toEqual(['plantroom/dev_1/health', 0])
        reported.push(JSON.parse(payload))
      },
    },
    deviceId: 'dev_1',
    clock,
  })
  const look = () => clock.advance(LOOK_MS)
  return { clock, reported, facts, health, look }
}

const WELL = {
  version: expect.stringMatching(/^\d+\.\d+/),
  ...{ connections: [], notTaken: [], notRestored: [], clockOffsetMs: null, freeBytes: FREE },
  ...{ clockWrongSeconds: null, diskLowSeconds: null, droppedMeasurements: 0, droppedSeconds: null },
  ...{ journalTrouble: null, journalTroubleSeconds: null },
}

describe('the health of a device', () => {
  test('is reported when the link comes up, after a change, and every 5 minutes', async () => {
    const { clock, reported, facts, health, look } = open()
    health.connected()
    expect(reported).toEqual([WELL])
    await clock.advance(REPEAT_MS - LOOK_MS)
    expect(reported.length).toBe(1)
    await look()
    expect(reported.length).toBe(2)
    facts.connections = [{ id: 'con_1', name: 'Inverter', status: 0 }]
    await look()
    expect(reported[2]).toEqual({ ...WELL, connections: [{ id: 'con_1', name: 'Inverter', seconds: 0, reason: null }] })
    facts.connections = [{ id: 'con_1', name: 'Inverter', status: 1 }]
    await look()
    expect(reported[3]).toEqual(WELL)
    health.close()
    await clock.advance(REPEAT_MS)
    expect(reported.length).toBe(4)
  })

  test('says for how long, also when the link was down meanwhile', async () => {
    const { reported, facts, health, look, clock } = open()
    facts.connected = false
    facts.connections = [{ id: 'con_1', name: 'Inverter', status: 2 }]
    await look()
    await clock.advance(60_000)
    expect(reported).toEqual([])
    facts.connected = true
    health.connected()
    expect(reported).toMatchObject([{ connections: [{ seconds: 60 }] }])
  })

  test('distinguishes setpoints that are not taken from those that are not restored', async () => {
    const { reported, facts, look } = open()
    facts.troubles = [
      { id: 'dp_1', name: 'Charge power', isReleased: false, reason: 'it reads 3' },
      { id: 'dp_2', name: 'x\0\ud800'.repeat(200), isReleased: true, reason: 'no answer' },
    ]
    await look()
    expect(reported).toMatchObject([
      { notTaken: [{ id: 'dp_1', name: 'Charge power', reason: 'it reads 3' }], notRestored: [{ id: 'dp_2' }] },
    ])
    const name = reported[0]?.notRestored[0]?.name ?? ''
    expect([name.length, name.isWellFormed(), name.includes('\0')]).toEqual([255, true, false])
  })

  test('compares the clock with the time of the cloud, also when the clock is set later', async () => {
    const { clock, reported, health, look } = open()
    health.heardCloudTime(clock.now())
    await look()
    expect(reported.at(-1)).toMatchObject({ clockOffsetMs: 0, clockWrongSeconds: null })
    clock.step(-7_000)
    await look()
    expect(reported.at(-1)).toMatchObject({ clockOffsetMs: -7_000, clockWrongSeconds: 0 })
  })

  test('says that the disk is low, and what was dropped in the last quarter of an hour', async () => {
    const { clock, reported, facts, look } = open()
    await look()
    facts.freeBytes = 64 * 1024 * 1024 - 1
    await look()
    expect(reported.at(-1)).toMatchObject({ diskLowSeconds: 0, freeBytes: facts.freeBytes })
    facts.dropped = 30
    await look()
    expect(reported.at(-1)).toMatchObject({ diskLowSeconds: 5, droppedMeasurements: 30, droppedSeconds: 0 })
    await clock.advance(16 * 60_000)
    expect(reported.at(-1)).toMatchObject({ droppedMeasurements: 0, droppedSeconds: null })
  })

  test('is bounded', async () => {
    const { reported, facts, look } = open()
    facts.connections = Array.from({ length: 5_000 }, (_, index) => ({
      id: `con_${index}`,
      name: 'x',
      status: 0 as const,
    }))
    await look()
    expect(reported[0]?.connections.length).toBe(200)
  })
})
