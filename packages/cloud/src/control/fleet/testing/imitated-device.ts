import type { Clock } from '@plantroom/base/clock'
import { COMMANDS } from '@plantroom/contract/commands'
import type { PlacedOverride } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { read } from '@plantroom/contract/read'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import { createAsk, type DeviceLink } from '../../devices/index.ts'

type Dispatch = DeviceLink['dispatch']
type Envelope = Parameters<Dispatch>[2]

/** A controller that does with overrides what the contract says, and loses replies as a test wants it to. */
export interface ImitatedDevice {
  readonly id: string
  isOnline: boolean
  /** `lost`: acts on commands, and its replies do not arrive. `deaf`: commands do not arrive. */
  mood: 'answers' | 'lost' | 'deaf'
  /** Rejects placements with this message. */
  refuses: string | undefined
  /** Nothing is commissioned on it: it rejects every placement. */
  isEmpty: boolean
  /** Rejects placements on this datapoint. */
  refusesDatapoint: string | undefined
  /** Does not know `cancelOverridesByReqId`. */
  isOld: boolean
  /** Overrides that it does not list in its state. */
  leavesOut: number
  /** What it holds. */
  readonly overrides: Map<string, PlacedOverride>
  readonly limits: Map<string, { id: string; reqId: string; placedBy: string; kw: number }>
  /** Every command that arrived. */
  readonly received: { command: string; envelope: Envelope; deadline: number }[]
  /** Lets a command arrive, with its deadline. */
  receive(command: string, envelope: Envelope, deadline: number): string
}

export function createImitatedDevice(id: string, clock: Clock): ImitatedDevice {
  let issued = 0
  /** The first answer to each placement. */
  const answers = new Map<string, string>()
  const device: ImitatedDevice = {
    id,
    isOnline: true,
    mood: 'answers',
    refuses: undefined,
    isEmpty: false,
    refusesDatapoint: undefined,
    isOld: false,
    leavesOut: 0,
    overrides: new Map(),
    limits: new Map(),
    received: [],
    receive(command, envelope, deadline) {
      device.received.push({ command, envelope, deadline })
      if (clock.now() > deadline) throw new Failure('rejected', 'the command arrived after its deadline')
      if (command === 'demandResponseOverride' || command === 'placeLimit') return place(command, envelope)
      if (command === 'getControlState') return stateOf(device)
      if (command === 'demandResponseCancel') {
        device.overrides.delete(String(envelope.data.id))
        return '{"success":true}'
      }
      if (command === 'cancelOverridesByReqId' && !device.isOld) return cancel(envelope)
      throw new Failure('rejected', `this device does not know the command ${command}; update its software`)
    },
  }

  function place(command: string, { reqId, keyId, data }: Envelope): string {
    const request = `${keyId} ${reqId}`
    const before = answers.get(request)
    if (before !== undefined) return before
    if (device.isEmpty) throw new Failure('rejected', 'the datapoint is not on this device')
    if (device.refuses !== undefined) throw new Failure('rejected', device.refuses)
    const { refusesDatapoint } = device
    if (refusesDatapoint !== undefined && refusesDatapoint === data.datapointId)
      throw new Failure('rejected', 'the datapoint is not writable')
    if ((parseTimestamp(String(data.to)) ?? 0) <= clock.now()) throw new Failure('rejected', 'to is in the past')
    issued += 1
    if (command === 'placeLimit') {
      const limit = {
        id: `lim_${id}_${issued}`,
        reqId,
        placedBy: keyId,
        kw: read(COMMANDS.placeLimit.request, data).kw,
      }
      device.limits.set(limit.id, limit)
      const reply = JSON.stringify({ id: limit.id, meterId: `meter_${id}` })
      answers.set(request, reply)
      return reply
    }
    const { datapointId, value, from, to } = read(COMMANDS.demandResponseOverride.request, data)
    const own = { id: `ovr_${id}_${issued}`, reqId, placedBy: keyId, state: 'active' } as const
    const override = { ...own, datapointId, value, from, to }
    device.overrides.set(override.id, override)
    const reply = JSON.stringify({ id: override.id })
    answers.set(request, reply)
    return reply
  }

  function cancel({ data }: Envelope): string {
    const { placedBy, reqIds } = data as { placedBy: string; reqIds: string[] }
    for (const held of [device.overrides, device.limits]) {
      for (const one of [...held.values()]) {
        if (one.placedBy === placedBy && reqIds.includes(one.reqId)) held.delete(one.id)
      }
    }
    return '{"cancelled":[]}'
  }
  return device
}

function stateOf({ overrides, leavesOut, isEmpty }: ImitatedDevice): string {
  const listed = [...overrides.values()].slice(leavesOut)
  const at = '2030-01-01T00:00:00.000Z'
  const connection = {
    connectionId: 'con',
    status: CONNECTION_STATUS.connected,
    error: null,
    timestamp: at,
    values: {},
  }
  const connections = isEmpty ? [] : [connection]
  const state = { at, clockSuspect: false, connections, holds: [], overrides: listed }
  return JSON.stringify({ ...state, ...(leavesOut > 0 && { overridesLeftOut: leavesOut }) })
}

/** The link of one cloud process to imitated devices. Its messages arrive in order and at once. */
export function linkTo(
  devices: ReadonlyMap<string, ImitatedDevice>,
  clock: Clock,
): { link: DeviceLink; back(deviceId: string): void; cut(): void } {
  const listeners: ((deviceIds: readonly string[]) => void)[] = []
  let isCut = false
  const dispatch: Dispatch = async (
    deviceId,
    command,
    envelope,
    { deadline = Number.POSITIVE_INFINITY, onSent } = {},
  ) => {
    const device = devices.get(deviceId)
    const until = Math.min(deadline, clock.now() + 10_000)
    if (!device?.isOnline || until <= clock.now()) throw new Failure('offline', 'the device is offline')
    onSent?.()
    let reply: Promise<string> | undefined
    if (device.mood !== 'deaf') {
      reply = (async () => device.receive(command, JSON.parse(JSON.stringify(envelope)), until))()
      reply.catch(() => {})
    }
    // A process that was killed learns nothing any more.
    if (isCut) return new Promise(() => {})
    if (device.mood === 'answers') return Buffer.from((await reply) ?? '')
    return new Promise((_resolve, reject) => {
      clock.after(until - clock.now(), () => reject(new Failure('offline', 'the device did not answer')))
    })
  }
  return {
    link: {
      dispatch,
      ask: createAsk(dispatch),
      presence: {
        isOnline: (deviceId) => devices.get(deviceId)?.isOnline ?? false,
        wasHeard: (deviceId) => devices.has(deviceId),
        onlineCount: 0,
        softwareOf: () => undefined,
        update: () => 'same',
        ...{ answered() {}, silence() {}, forget() {}, forgetAll() {} },
      },
      onBack: (listener) => void listeners.push(listener),
      isComplete: true,
      close() {},
    },
    back(deviceId) {
      for (const listener of listeners) listener([deviceId])
    },
    cut() {
      isCut = true
    },
  }
}
