import type { Clock } from '@plantroom/base/clock'
import type { CommandEnvelope } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type {
  ConfirmedHistory,
  FleetSimulation,
  FleetStatus,
  ImitatedDevice,
} from '@plantroom/contract/fleet-simulation'
import { PING, parseCloudTopic, type ReplyStatus, topics } from '@plantroom/contract/topics'
import { answer, createMemory, type Memory } from './answers.ts'
import { knownSystem } from './controlled-system.ts'
import { createDeviceLink, type DeviceLink } from './device-link.ts'
import {
  batchOf,
  confirm,
  createOutbox,
  type Outbox,
  type Rhythm,
  reconnected,
  takeDue,
  valueAt,
  waiting,
} from './outbox.ts'

/** Counters that all controllers of a fleet add to. */
export type Counters = Omit<FleetStatus, 'devices' | 'connected' | 'commissioned' | 'waitingValues'>

/** One imitated controller. Like its link it has no timer: the fleet calls it. */
export interface Controller {
  readonly link: DeviceLink
  readonly isCommissioned: boolean
  /** Sends what is due. */
  send(): void
  waitingValues(): number
  confirmed(): ConfirmedHistory | undefined
}

interface ControllerState {
  readonly index: number
  readonly device: ImitatedDevice
  readonly rhythm: Rhythm
  readonly backlog: number
  readonly clock: Clock
  readonly counters: Counters
  readonly memory: Memory
  link: DeviceLink
  outbox: Outbox | undefined
  /** What to add to our time to have the cloud's. */
  cloudAheadMs: number
}

export function createController(
  device: ImitatedDevice,
  index: number,
  fleet: { settings: FleetSimulation; broker: URL; clock: Clock; counters: Counters; random: () => number },
): Controller {
  const { settings, broker, clock, counters, random } = fleet
  const { intervalMs, batch, aligned, backlog, datapoints } = settings
  const listener = {
    online: () => onOnline(state),
    message: (topic: string, payload: Buffer) => onMessage(state, topic, payload),
    lost(why: 'closed' | 'refused') {
      counters.lost += 1
      if (why === 'refused') counters.refused += 1
    },
  }
  const state: ControllerState = {
    index,
    device,
    rhythm: { intervalMs, batch, delayMs: aligned ? 0 : Math.floor(random() * intervalMs) },
    backlog,
    clock,
    counters,
    memory: createMemory(device.system && knownSystem(device.system, datapoints)),
    link: createDeviceLink({ broker, id: device.id, secret: device.secret, clock, listener }),
    outbox: undefined,
    cloudAheadMs: 0,
  }
  if (state.memory.system) startOutbox(state)
  return {
    link: state.link,
    get isCommissioned() {
      return state.memory.system !== undefined
    },
    send: () => send(state),
    waitingValues: () => (state.outbox ? waiting(state.outbox, state.rhythm, clock.now()) * pointIds(state).length : 0),
    confirmed() {
      const { outbox } = state
      if (!outbox || outbox.nextAt === outbox.firstAt) return undefined
      return { id: device.id, from: outbox.firstAt, to: outbox.nextAt - intervalMs }
    },
  }
}

const pointIds = ({ memory }: ControllerState) => memory.system?.datapointIds ?? []

function startOutbox(state: ControllerState): void {
  state.outbox ??= createOutbox(state.clock.now(), state.rhythm, state.backlog)
}

function onOnline(state: ControllerState): void {
  const { device, link, outbox, clock } = state
  link.publish(topics.askTime(device.id, String(Math.floor(clock.monotonic()))), '', 0)
  if (outbox) reconnected(outbox)
  send(state)
}

function send(state: ControllerState): void {
  const { outbox, rhythm, clock, link, counters, device, index } = state
  if (!outbox || !link.isOnline) return
  const due = takeDue(outbox, rhythm, { now: clock.now(), monotonic: clock.monotonic() })
  if (!due) return
  if (due.again) counters.resent += 1
  else counters.sent += 1
  const batch = batchOf({ index, ids: pointIds(state) }, { ...due, intervalMs: rhythm.intervalMs })
  link.publish(topics.measurements(device.id), JSON.stringify(batch), 1)
}

function onMessage(state: ControllerState, topic: string, payload: Buffer): void {
  const message = parseCloudTopic(topic)
  if (message?.kind === 'command') {
    onCommand(state, message, payload)
    return
  }
  if (message?.kind === 'time') {
    const time = Number.parseInt(payload.toString(), 10)
    if (Number.isFinite(time)) state.cloudAheadMs = time - state.clock.now()
    return
  }
  if (message?.kind !== 'confirm' || message.what !== 'measurements' || !state.outbox) return
  const intervals = confirm(state.outbox, state.rhythm, message.upTo)
  if (intervals === 0) return
  state.counters.confirmed += 1
  state.counters.confirmedValues += intervals * pointIds(state).length
  // Those that are due already, of a backlog, follow at once.
  send(state)
}

function onCommand(
  state: ControllerState,
  { command, cloudId, correlationId }: { command: string; cloudId: string; correlationId: string },
  payload: Buffer,
): void {
  const { device, link, counters } = state
  if (command === PING) {
    link.publish(topics.reply(device.id, cloudId, correlationId, 'ok'), link.status(), 0)
    return
  }
  counters.commands += 1
  if (device.silent && command !== 'commission' && command !== 'checkCommissioning') return
  const { status, text } = replyTo(state, command, payload)
  link.publish(topics.reply(device.id, cloudId, correlationId, status), text, 0)
}

function replyTo(state: ControllerState, command: string, payload: Buffer): { status: ReplyStatus; text: string } {
  const { memory, clock, counters, index } = state
  const now = clock.now() + state.cloudAheadMs
  const before = { ...memory.counts }
  try {
    const envelope = JSON.parse(payload.toString()) as CommandEnvelope
    const liveValue = (place: number) => valueAt(index, place, now)
    const text = JSON.stringify(answer(command, { memory, envelope, now, liveValue }))
    if (command === 'commission' && memory.system) startOutbox(state)
    for (const name of ['overrides', 'repeated', 'cancelled'] as const) {
      counters[name] += memory.counts[name] - before[name]
    }
    return { status: 'ok', text }
  } catch (error) {
    const reason = error instanceof Failure ? error.message : `the device could not carry out ${command}`
    return { status: 'rejected', text: reason }
  }
}
