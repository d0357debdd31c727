import type { Raw, Reading, Writable } from '../driver.ts'
import type { Message } from './message-cache.ts'

/** A command whose value the equipment has yet to show in its state. */
export interface Echo {
  value: Writable
  /** The number of the last state message before the command; 0 if there was none. */
  after: number
  /** True if the state already had this value and no other command was pending: equipment need not repeat it. */
  wasThere: boolean
  /** The monotonic time at which to stop waiting. */
  until: number
}

/** The longest wait for the state that equipment publishes after a command. */
export const MAX_ECHO_MS = 2_000

/** Returns true if the state shows the command's value. A state from before the command does not count. */
export function isEchoed(echo: Echo, message: Message | undefined, reading: Reading): boolean {
  const isNew = (message?.number ?? 0) > echo.after
  return (isNew || echo.wasThere) && isShown(echo.value, reading)
}

export function expectEcho(
  value: Writable,
  message: Message | undefined,
  reading: Reading,
  { pending, until }: { pending: boolean; until: number },
): Echo {
  const wasThere = !pending && isShown(value, reading)
  return { value, after: message?.number ?? 0, wasThere, until }
}

function isShown(value: Writable, reading: Reading): boolean {
  if (typeof value === 'object') return reading.image === value.image
  return 'raw' in reading && isSame(reading.raw, value)
}

// Much equipment computes with float32.
const NOISE = 1e-6

function isSame(a: Raw, b: Raw): boolean {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= NOISE * Math.max(Math.abs(x), Math.abs(y))
}
