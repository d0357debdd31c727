import { type Clock, every } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { encodeUnconfirmed, UNCONFIRMED } from './apdu.ts'
import { type Peer, registration, toEveryNetwork } from './network.ts'
import { encodeWhoIs } from './services.ts'
import type { UdpPort } from './udp-port.ts'

interface Bbmd {
  address: string
  port: number
  ttlSeconds: number
}

/** Our registration at a BBMD, which passes our broadcasts on to its networks, and their answers to us. */
export interface ForeignDevice {
  /** Returns where a device is, by its instance. Rejects with `offline` when it does not answer. */
  find(instance: number): Promise<Peer>
  /** Ends renewals: the BBMD forgets us. */
  close(): void
}

interface Deps {
  clock: Clock
  timeoutMs: number
  signal: AbortSignal
}

const ATTEMPTS = 3

/** Registers at a BBMD, and again before the registration ends. Rejects with `offline` when the BBMD does not accept it. */
export async function registerForeignDevice(port: UdpPort, bbmd: Bbmd, deps: Deps): Promise<ForeignDevice> {
  const name = `the BBMD ${bbmd.address}:${bbmd.port}`
  const register = () => port.send(registration(bbmd.ttlSeconds), bbmd)

  const code = await ask<number>(deps, register, (take) =>
    port.listen({
      iAm() {},
      result(result, from) {
        if (from.address === bbmd.address && from.port === bbmd.port) take(result)
      },
    }),
  )
  if (code === undefined) throw new Failure('offline', `${name} did not answer our registration`)
  if (code !== 0) throw new Failure('offline', `${name} refused our registration: it accepts no foreign device now`)
  const stop = every(deps.clock, (bbmd.ttlSeconds * 1000) / 3, register)

  return {
    close: stop,
    async find(instance) {
      const whoIs = toEveryNetwork(encodeUnconfirmed(UNCONFIRMED.whoIs, encodeWhoIs(instance)))
      const peer = await ask<Peer>(
        deps,
        () => port.send(whoIs, bbmd),
        (take) =>
          port.listen({
            result() {},
            iAm(found, from) {
              if (found === instance) take(from)
            },
          }),
      )
      if (!peer) throw new Failure('offline', `no device ${instance} answered in the networks of ${name}`)
      return peer
    },
  }
}

/** Sends up to three times, until `listen` has taken an answer. Returns `undefined` when none came. */
function ask<Result>(
  { clock, timeoutMs, signal }: Deps,
  send: () => void,
  listen: (take: (result: Result) => void) => () => void,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const end = () => {
      cancel()
      stopListening()
      signal.removeEventListener('abort', abort)
    }
    const abort = () => {
      end()
      reject(new Failure('offline', 'the connection was closed'))
    }
    const stopListening = listen((result) => {
      end()
      resolve(result)
    })
    const attempt = (left: number) => {
      if (left === 0) {
        end()
        return resolve(undefined)
      }
      cancel = clock.after(timeoutMs, () => attempt(left - 1))
      send()
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else attempt(ATTEMPTS)
  })
}
