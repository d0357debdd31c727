import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { connect, type IClientOptions } from 'mqtt'
import type { Guard } from '../../platform/outbound/index.ts'
import type { FoundBroker } from './program-store.ts'

const CONNECT_MS = 15_000
/** An announcement may hold a whole event. A packet that is longer ends the connection: it says that something changed. */
const MAX_PACKET_BYTES = 1024 * 1024

export interface BrokerListener {
  /** The broker has confirmed the subscriptions. */
  connected(): void
  /** Something was announced. */
  announced(): void
}

/**
 * Listens at the broker of a VTN until the connection ends; resolves with the reason. It connects only to addresses that the
 * guard allows, and reads no message: that there is one is enough.
 */
export async function listenAtBroker(
  { url, username, topics }: FoundBroker,
  {
    guard,
    token,
    signal,
  }: { guard: Pick<Guard, 'resolve'>; token: () => Promise<string | undefined>; signal: AbortSignal },
  { connected, announced }: BrokerListener,
): Promise<string> {
  const address = brokerAddress(url)
  const [host] = await guard.resolve(new URL(url.replace(/^mqtt/i, 'http')))
  const password = username === null ? undefined : await token()
  if (signal.aborted || host === undefined) return 'it is no longer needed'
  const options: IClientOptions = {
    ...{ ...address, host },
    // The certificate is checked against the name.
    ...(isIP(address.host) === 0 && { servername: address.host }),
    ...(username !== null && { username, ...(password !== undefined && { password }) }),
    ...{ protocolVersion: 4, clean: true, reconnectPeriod: 0, resubscribe: false, keepalive: 30 },
    connectTimeout: CONNECT_MS,
    // Some brokers take no more than 23 characters.
    clientId: `plr${randomBytes(10).toString('hex')}`,
  }
  const client = connect(options)
  const ended = Promise.withResolvers<string>()
  const end = (reason: string) => {
    ended.resolve(reason)
    client.end(true)
  }
  const stop = () => end('it is no longer needed')
  signal.addEventListener('abort', stop, { once: true })
  client.on('error', ({ message }) => end(message))
  client.on('close', () => end('the broker closed the connection'))
  let unread = 0
  client.on('packetreceive', () => {
    unread = 0
  })
  client.on('connect', () => {
    client.stream.on('data', (chunk: Buffer) => {
      unread += chunk.length
      if (unread <= MAX_PACKET_BYTES) return
      announced()
      end(`the broker sent a packet of more than ${MAX_PACKET_BYTES} bytes`)
    })
    client.subscribe([...topics], { qos: 0 }, (error, granted = []) => {
      if (error) return end(`the broker refused the topics: ${error.message}`)
      if (granted.some(({ qos }) => Number(qos) >= 0x80)) return end('the broker refused the topics')
      connected()
    })
  })
  client.on('message', () => announced())
  try {
    return await ended.promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
