import { type Clock, every } from '@plantroom/base/clock'

/** Controllers look for changes every 5 s. */
const PACE_MS = 1_000
/** Read together, so as many as take a tenth of a second. Those beyond it are left out: controllers repeat them within minutes. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

interface Receiver {
  receive(deviceId: string, payload: Buffer): void
}

/**
 * Passes at most one message of each device on in a second: the newest, because each says everything. Reading them takes time
 * that all organizations share, and a controller could send nothing else. Passes on what waits when it is closed.
 */
export function newestMessages(clock: Clock, receiver: Receiver): Receiver & { close(): void } {
  /** Devices whose message was passed on in this second, with a newer one that waits. */
  let passed = new Map<string, Buffer | undefined>()
  let waitingBytes = 0

  const passOn = () => {
    const before = passed
    passed = new Map()
    waitingBytes = 0
    for (const [deviceId, payload] of before) if (payload) receive(deviceId, payload)
  }
  const stop = every(clock, PACE_MS, passOn)

  function receive(deviceId: string, payload: Buffer): void {
    if (!passed.has(deviceId)) {
      passed.set(deviceId, undefined)
      receiver.receive(deviceId, payload)
      return
    }
    const bytes = waitingBytes - (passed.get(deviceId)?.length ?? 0) + payload.length
    if (bytes > MAX_WAITING_BYTES) return
    waitingBytes = bytes
    passed.set(deviceId, payload)
  }
  return {
    receive,
    close() {
      stop()
      passOn()
    },
  }
}
