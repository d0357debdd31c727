import type { Raw, Reading, Writable } from '../driver.ts'
import type { Message } from './board.ts'

/** A command that was sent, for as long as the equipment may take to show it in its state. */
export interface Echo {
  value: Writable
  /** The last message of the state before the command; 0 where there was none. */
  after: number
  /** The state had this value already, and no other command was on its way: equipment need not repeat it. */
  wasThere: boolean
  /** By the monotonic clock. */
  until: number
}

/** The longest wait for the state that equipment publishes after a command. */
export const LONGEST_ECHO_MS = 2_000

/** True when the state shows what the command asked for. A state from before the command does not count. */
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

// Many devices compute with float32.
const NOISE = 1e-6

function isSame(a: Raw, b: Raw): boolean {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= NOISE * Math.max(Math.abs(x), Math.abs(y))
}
