import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Backoff, createBackoff } from '@plantroom/base/backoff'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { DeviceStatus } from '@plantroom/contract/presence'
import { OWN_SOFTWARE } from '@plantroom/contract/software'
import { deviceFilters, topics } from '@plantroom/contract/topics'
import {
  connectPacket,
  createPacketReader,
  DISCONNECT,
  PACKET,
  PINGREQ,
  pubackPacket,
  publishPacket,
  readPublish,
  subscribePacket,
} from './mqtt-packets.ts'

const KEEP_ALIVE_S = 20
const PING_AFTER_MS = 15_000
const DEAD_AFTER_MS = 30_000
/** Between a connection's beginning and its subscriptions. */
const CONNECT_LIMIT_MS = 20_000
const LAST_PACKET_ID = 65_535

/** Receives what happens on a link. */
export interface LinkListener {
  /** Connected, subscribed and announced. */
  online(): void
  message(topic: string, payload: Buffer): void
  /** `refused`: the broker did not accept the login or a subscription. */
  lost(why: 'closed' | 'refused'): void
}

/**
 * The connection of one imitated controller, without a timer of its own: the fleet calls `begin` when `dueAt` has passed,
 * and `look` about once a second. Presence is that of a real controller: a retained status, and a last will.
 */
export interface DeviceLink {
  readonly isOnline: boolean
  /** When the next attempt is due, by the monotonic clock; infinite while there is a connection. */
  readonly dueAt: number
  /** The status that it announces. */
  status(): string
  begin(): void
  /** Pings, and gives up a connection that is dead. */
  look(): void
  /** Does nothing while the link is down. */
  publish(topic: string, payload: string, qos: 0 | 1): void
  /** Announces that the controller goes offline, and disconnects. Resolves when the broker has it or the link is down. */
  close(): Promise<void>
}

interface Life {
  socket: Socket
  /** Distinguishes the wills of two connections. */
  link: string
  isOnline: boolean
  begunAt: number
  sentAt: number
  heardAt: number
}

interface LinkState {
  readonly broker: URL
  readonly id: string
  readonly secret: string
  readonly clock: Clock
  readonly listener: LinkListener
  readonly backoff: Backoff
  life: Life | undefined
  dueAt: number
  lastPacketId: number
  closing: { packetId: number; done(): void } | undefined
}

export function createDeviceLink(options: {
  broker: URL
  id: string
  secret: string
  clock: Clock
  listener: LinkListener
}): DeviceLink {
  const state: LinkState = {
    ...options,
    backoff: createBackoff(options.clock),
    life: undefined,
    dueAt: 0,
    lastPacketId: 0,
    closing: undefined,
  }
  return {
    get isOnline() {
      return state.life?.isOnline ?? false
    },
    get dueAt() {
      return state.dueAt
    },
    status: () => (state.life ? statusOf(state.life, true) : ''),
    begin: () => begin(state),
    look: () => look(state),
    publish(topic, payload, qos) {
      if (state.life?.isOnline) publish(state, state.life, topic, payload, qos === 1 ? { id: nextId(state) } : {})
    },
    close: () => close(state),
  }
}

function begin(state: LinkState): void {
  const { broker, clock } = state
  const isTls = broker.protocol === 'mqtts:'
  const host = broker.hostname.replace(/^\[|\]$/g, '')
  const port = Number(broker.port || (isTls ? 8883 : 1883))
  const socket = isTls ? connectTls({ host, port }) : connect({ host, port })
  const now = clock.monotonic()
  const life: Life = { socket, link: newId('link'), isOnline: false, begunAt: now, sentAt: now, heardAt: now }
  state.life = life
  state.dueAt = Number.POSITIVE_INFINITY
  const reader = createPacketReader()
  let refused = false
  socket.setNoDelay(true)
  socket.once(isTls ? 'secureConnect' : 'connect', () => send(state, life, loginPacket(state, life)))
  socket.on('data', (chunk: Buffer) => {
    life.heardAt = clock.monotonic()
    try {
      reader.read(chunk, (type, flags, body) => {
        if (isRefused(type, body)) refused = true
        take(state, life, { type, flags, body })
      })
    } catch {
      socket.destroy()
    }
  })
  socket.on('error', () => {})
  socket.once('close', () => ended(state, life, refused))
}

/** True for an answer of the broker that refuses the login or a subscription. */
function isRefused(type: number, body: Buffer): boolean {
  return (type === PACKET.connack && body[1] !== 0) || (type === PACKET.suback && body.subarray(2).includes(0x80))
}

function loginPacket({ id, secret }: LinkState, life: Life): Buffer {
  const will = { topic: topics.status(id), payload: statusOf(life, false) }
  return connectPacket({ clientId: id, username: id, password: secret, keepAliveS: KEEP_ALIVE_S, will })
}

function take(state: LinkState, life: Life, packet: { type: number; flags: number; body: Buffer }): void {
  const { id, listener, backoff } = state
  const { type, flags, body } = packet
  if (type === PACKET.publish) {
    const { topic, payload, id: packetId } = readPublish(flags, body)
    if (packetId !== undefined) send(state, life, pubackPacket(packetId))
    if (topic === topics.hello()) announce(state)
    else listener.message(topic, payload)
  } else if (type === PACKET.connack) {
    if (isRefused(type, body)) life.socket.destroy()
    else send(state, life, subscribePacket(nextId(state), deviceFilters(id)))
  } else if (type === PACKET.suback) {
    // A subscription that is refused leaves a controller that hears nothing.
    if (isRefused(type, body)) return void life.socket.destroy()
    life.isOnline = true
    backoff.connected()
    announce(state)
    listener.online()
  } else if (type === PACKET.puback && state.closing?.packetId === body.readUInt16BE(0)) {
    state.closing.done()
  }
}

/** Repeats the status of a controller that is online, as every controller does when a cloud process says hello. */
function announce(state: LinkState): void {
  const { life } = state
  if (!life) return
  publish(state, life, topics.status(state.id), statusOf(life, true), { id: nextId(state), retain: true })
}

function ended(state: LinkState, life: Life, refused: boolean): void {
  if (state.life !== life) return
  state.life = undefined
  if (state.closing) {
    state.closing.done()
    return
  }
  state.dueAt = state.clock.monotonic() + state.backoff.next()
  state.listener.lost(refused ? 'refused' : 'closed')
}

function look(state: LinkState): void {
  const { life, clock } = state
  if (!life) return
  const now = clock.monotonic()
  const isLate = !life.isOnline && now - life.begunAt > CONNECT_LIMIT_MS
  if (isLate || (life.isOnline && now - life.heardAt > DEAD_AFTER_MS)) life.socket.destroy()
  else if (life.isOnline && now - Math.min(life.sentAt, life.heardAt) > PING_AFTER_MS) send(state, life, PINGREQ)
}

async function close(state: LinkState): Promise<void> {
  state.dueAt = Number.POSITIVE_INFINITY
  const { life } = state
  if (!life) return
  if (!life.isOnline) return void life.socket.destroy()
  const { promise, resolve } = Promise.withResolvers<void>()
  const packetId = nextId(state)
  state.closing = { packetId, done: resolve }
  publish(state, life, topics.status(state.id), statusOf(life, false), { id: packetId, retain: true })
  await promise
  life.isOnline = false
  life.socket.end(DISCONNECT)
}

function publish(
  state: LinkState,
  life: Life,
  topic: string,
  payload: string,
  options: { id?: number; retain?: boolean },
): void {
  send(state, life, publishPacket(topic, payload, options))
}

function send({ clock }: LinkState, life: Life, bytes: Buffer): void {
  life.sentAt = clock.monotonic()
  if (life.socket.writable) life.socket.write(bytes)
}

function nextId(state: LinkState): number {
  state.lastPacketId = state.lastPacketId === LAST_PACKET_ID ? 1 : state.lastPacketId + 1
  return state.lastPacketId
}

const statusOf = ({ link }: Life, online: boolean) =>
  JSON.stringify({ online, link, software: OWN_SOFTWARE } satisfies DeviceStatus)
