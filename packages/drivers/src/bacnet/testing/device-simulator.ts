import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { encodeUnconfirmed, readApdu, SERVICE, UNCONFIRMED } from '../apdu.ts'
import { DEVICE, PROPERTY } from '../names.ts'
import { readDatagram, toDevice } from '../network.ts'
import { closing, concat, encodeContext, encodeValue, objectId, opening, unsigned } from '../tags.ts'
import { type DeviceState, encodeError, type Outcome, serve } from './device-services.ts'
import { encodeProperty, presentValue, type SimulatedObject } from './objects.ts'

/** Where a request came from, and how its answer goes back. */
interface Asker {
  address: string
  port: number
}

interface Subscriber extends Asker {
  processId: number
  object: SimulatedObject
}

export interface SimulatedDevice extends DeviceState {
  readonly port: number
  /** Answers to nothing. */
  isSilent: boolean
  /** Says where it is to those who ask; otherwise it tells only its own network. */
  answersWhoIs: boolean
  /** Aborts every request but those about itself, because it has no time. */
  isBusy: boolean
  /** Aborts answers longer than this: segmentation not supported. */
  maxAnswer: number
  /** Sends answers longer than this in segments. */
  segmentAt: number
  /** Aborts what would need segments, and says nothing of subscriptions to anyone. */
  behind: { network: number; mac: Uint8Array } | undefined
  /** What a BBMD says to a registration; `undefined` for a device that is none. */
  registrationResult: number | undefined
  /** Announces nothing more until it is subscribed to again. */
  reboot(): void
  /** Announces the state of an object, as after a change. */
  announce(object: SimulatedObject): void
  /** The services of the requests since the start. */
  readonly requests: number[]
  /** The objects that were written, in order. */
  readonly written: SimulatedObject[]
  readonly subscribers: ReadonlySet<Subscriber>
  /** Every datagram, for a referee. */
  readonly datagrams: { bytes: Uint8Array; isOurs: boolean }[]
  /** Withholds the next answer until the returned function is called. */
  stall(): () => void
  stop(): Promise<void>
}

/** Starts a BACnet device on loopback. Its fields can be changed at any time. */
export async function startDevice(
  objects: ReadonlyMap<string, SimulatedObject>,
  about: Partial<SimulatedDevice> = {},
  address = '127.0.0.1',
): Promise<SimulatedDevice> {
  const socket = createSocket('udp4')
  socket.bind(about.port ?? 0, address)
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  const subscribers = new Set<Subscriber>()
  let stalled: { promise: Promise<void>; isTaken: boolean } | undefined
  let notifications = 0

  const device: SimulatedDevice = {
    ...{ instance: 1234, maxApdu: 1476, objects, readsMultiple: true, failsAsAWhole: false, offersCov: true },
    ...{ isSilent: false, answersWhoIs: true, isBusy: false, behind: undefined, registrationResult: undefined },
    ...{ maxAnswer: Number.POSITIVE_INFINITY, segmentAt: Number.POSITIVE_INFINITY },
    ...{ requests: [], written: [], subscribers, datagrams: [] },
    ...about,
    port,
    reboot: () => subscribers.clear(),
    announce(object) {
      for (const each of subscribers) if (each.object === object) notify(each)
    },
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>()
      stalled = { promise, isTaken: false }
      return resolve
    },
    async stop() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }

  const transmit = (bytes: Uint8Array, to: Asker) => {
    device.datagrams.push({ bytes, isOurs: false })
    socket.send(bytes, to.port, to.address, () => {})
  }
  const send = (apdu: Uint8Array, to: Asker) => transmit(fromDevice(device, apdu), to)

  function notify({ processId, object, ...to }: Subscriber): void {
    if (device.isSilent) return
    notifications = (notifications + 1) % 256
    const property = (name: 'present-value' | 'status-flags') =>
      concat(
        encodeContext(0, unsigned(PROPERTY[name])),
        ...[opening(2), encodeProperty(object, PROPERTY[name]) ?? [], closing(2)],
      )
    const data = concat(
      ...[
        encodeContext(0, unsigned(processId)),
        encodeContext(1, objectId({ type: DEVICE, instance: device.instance })),
      ],
      ...[encodeContext(2, objectId(object.id)), encodeContext(3, unsigned(60))],
      ...[opening(4), property('present-value'), property('status-flags'), closing(4)],
    )
    send(concat([0, 5, notifications, SERVICE.confirmedCovNotification], data), to)
  }

  async function receive(bytes: Uint8Array, from: Asker) {
    device.datagrams.push({ bytes, isOurs: true })
    if (device.isSilent) return
    if (bytes[1] === 5 && device.registrationResult !== undefined) {
      return transmit(
        Uint8Array.of(0x81, 0, 0, 6, device.registrationResult >> 8, device.registrationResult & 255),
        from,
      )
    }
    // A broadcast to all networks: the device answers as if it were in one of them.
    if (bytes[1] === 9) return send(encodeUnconfirmed(UNCONFIRMED.iAm, encodeIAm(device)), from)
    const datagram = readDatagram(bytes)
    if (datagram.kind !== 'apdu') return
    const request = readApdu(datagram.apdu)
    if (request.kind === 'unconfirmed' && request.service === UNCONFIRMED.whoIs && device.answersWhoIs) {
      return send(encodeUnconfirmed(UNCONFIRMED.iAm, encodeIAm(device)), from)
    }
    if (request.kind === 'segment-ack') return sendSegment(from, request.invokeId, request.sequence + 1)
    if (request.kind === 'error' && request.service === SERVICE.confirmedCovNotification) return
    if (request.kind !== 'request') return
    const { invokeId, service, data } = request
    device.requests.push(service)
    if (stalled && !stalled.isTaken) {
      stalled.isTaken = true
      await stalled.promise
    }
    if (device.isBusy && service !== SERVICE.readProperty) return send(Uint8Array.of(0x71, invokeId, 9), from)
    answer(serve(device, service, data), { invokeId, service }, from)
  }

  function answer(outcome: Outcome, { invokeId, service }: { invokeId: number; service: number }, to: Asker) {
    switch (outcome.kind) {
      case 'result': {
        const { data } = outcome
        if (data.length > device.maxAnswer) return send(Uint8Array.of(0x71, invokeId, 4), to)
        if (data.length <= device.segmentAt) return send(concat([0x30, invokeId, service], data), to)
        segmented.set(invokeId, { service, data })
        return sendSegment(to, invokeId, 0)
      }
      case 'written':
        device.written.push(outcome.object)
        send(Uint8Array.of(0x20, invokeId, service), to)
        return device.announce(outcome.object)
      case 'subscribe': {
        const { processId, object } = outcome
        for (const each of subscribers) if (each.processId === processId) subscribers.delete(each)
        subscribers.add({ ...to, processId, object })
        send(Uint8Array.of(0x20, invokeId, service), to)
        return device.announce(object)
      }
      case 'done':
        return send(Uint8Array.of(0x20, invokeId, service), to)
      case 'error':
        return send(concat([0x50, invokeId, service], encodeError(outcome)), to)
      case 'reject':
        return send(Uint8Array.of(0x60, invokeId, outcome.reason), to)
      case 'silence':
    }
  }

  const segmented = new Map<number, { service: number; data: Uint8Array }>()
  function sendSegment(to: Asker, invokeId: number, sequence: number): void {
    const { service, data } = segmented.get(invokeId) ?? { service: 0, data: new Uint8Array() }
    const part = data.subarray(sequence * device.segmentAt, (sequence + 1) * device.segmentAt)
    if (part.length === 0) return
    const isLast = (sequence + 1) * device.segmentAt >= data.length
    send(concat([isLast ? 0x38 : 0x3c, invokeId, sequence & 255, 1, service], part), to)
  }

  listen(socket, receive)
  return device
}

function listen(socket: Socket, receive: (bytes: Uint8Array, from: Asker) => Promise<unknown>): void {
  // A request that is not BACnet is a mistake of the test.
  socket.on('message', (bytes, { address, port }) => void receive(Uint8Array.from(bytes), { address, port }))
}

const encodeIAm = ({ instance, maxApdu }: DeviceState) =>
  concat(
    ...[
      encodeValue({ tag: 'object', value: { type: DEVICE, instance } }),
      encodeValue({ tag: 'unsigned', value: maxApdu }),
    ],
    ...[encodeValue({ tag: 'enumerated', value: 3 }), encodeValue({ tag: 'unsigned', value: 999 })],
  )

/** Wraps an answer; that of a device behind a router says where it began. */
function fromDevice({ behind }: SimulatedDevice, apdu: Uint8Array): Uint8Array {
  const plain = toDevice({}, apdu, false)
  if (!behind) return plain
  const { network, mac } = behind
  const npdu = [1, 0x08, network >> 8, network & 255, mac.length, ...mac]
  const length = 4 + npdu.length + apdu.length
  return concat([0x81, 10, length >> 8, length & 255], npdu, apdu)
}

/** Returns the value at an object, whoever wrote it. */
export function valueAt(device: SimulatedDevice, object: string): number {
  const found = device.objects.get(object)
  if (!found) throw new Error(`the device has no ${object}`)
  return presentValue(found)
}
