import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { createCountingListener } from '../../testing/counting-listener.ts'
import type { DriverRig } from '../../testing/driver-rig.ts'
import { createMqttProtocol } from '../driver.ts'
import { connectionOf } from './bench.ts'
import type { BrokerKind } from './brokers.ts'
import { startEquipment, type Value } from './equipment.ts'
import { startGateway } from './gateway.ts'

const TIMEOUT_MS = 500

const numberOf = (value: Value | undefined) => (typeof value === 'string' ? Number.NaN : (value ?? Number.NaN))

const topics = (name: string) => ({ stateTopic: `hp/${name}`, commandTopic: `hp/${name}/set` })

/** Starts a heat pump behind a broker, for the driver contract suite. */
export async function startRig(kind: BrokerKind, shape: 'json' | 'plain'): Promise<DriverRig> {
  const broker = await kind.start()
  const gateway = await startGateway(broker)
  const equipment = await startEquipment(broker, shape)
  const form = shape === 'json' ? { path: 'value' } : {}
  const connection = connectionOf(
    {
      flow: { ...topics('flow'), ...form },
      room: { ...topics('room'), ...form },
      outside: { stateTopic: 'hp/outside', ...form, accessType: 'READ' },
      absent: { stateTopic: 'hp/absent', ...form, accessType: 'READ' },
      command: { ...topics('command'), ...form, accessType: 'WRITE' },
      energy: { ...topics('energy'), ...form },
    },
    { url: `mqtt://127.0.0.1:${gateway.port}`, keepAliveSeconds: 1, timeoutMs: TIMEOUT_MS },
  )
  const clock = createManualClock()
  const events = createCountingListener()
  let stopTime = () => {}
  await equipment.set('outside', 3)
  const protocol = createMqttProtocol({ clock })
  return {
    driver: protocol.connect(connection, events),
    events,
    hasLink: true,
    points: ['flow', 'room'],
    readOnly: 'outside',
    missing: 'absent',
    at: async (name) => numberOf(equipment.values.get(name)),
    set: equipment.set,
    async setExact(name) {
      await equipment.setText(name, 'auto')
      return async () => equipment.values.get(name) === 'auto'
    },
    writeOnly: 'command',
    wholeNumbers: 'energy',
    targets: {
      protocol,
      connection,
      tuning: { timeoutMs: 900, keepAliveSeconds: 9, pollSeconds: 9, clientId: 'other' },
      elsewhere: { url: 'mqtt://127.0.0.1:1' },
      otherAddress: { commandTopic: 'hp/elsewhere/set' },
      spelled: ['localhost', '127.0.0.1:1883', '[::1]', '127.1', 'LOCALHOST.:1883/'].map((host) => ({
        url: `mqtt://${host}`,
      })),
      otherWays: [
        { settings: { username: 'edge', password: 'rotated' } },
        { settings: { availability: { topic: 'hp/status' } } },
        { data: { stateTopic: 'hp/elsewhere' } },
        { data: { qos: 0 } },
        { data: { retain: true } },
      ],
      otherMeanings: [{ path: 'elsewhere' }, { commandTemplate: 'SET {{value}}' }, { on: 'ON', off: 'OFF' }],
    },
    async silence() {
      gateway.silence()
      stopTime = every(systemClock, 1, () => clock.advanceNow(20))
    },
    drop: async () => gateway.drop(),
    async mute() {
      equipment.behaviour = 'is mute'
      return () => clock.advanceNow(TIMEOUT_MS)
    },
    async heal() {
      stopTime()
      gateway.heal()
    },
    links: gateway.links,
    async close() {
      stopTime()
      await equipment.stop()
      await gateway.stop()
      await broker.stop()
    },
  }
}
