import type { Raw, Reading } from '../driver.ts'
import type { Message } from './board.ts'

/** A command that was sent, for as long as the equipment may take to show it in its state. */
export interface Echo {
  raw: Raw
  /** The last message of the state before the command; 0 where there was none. */
  after: number
  /** The state was at this value already, and no other command was on its way: equipment need not say it again. */
  wasThere: boolean
  /** By the monotonic clock. */
  until: number
}

/** Equipment tells its state some time after a command. It is waited for no longer than this. */
export const LONGEST_ECHO_MS = 2_000

/** Does the state show what the command asked for? One from before the command does not, where it could still be answered. */
export function isEchoed(echo: Echo, message: Message | undefined, reading: Reading): boolean {
  const isNew = (message?.number ?? 0) > echo.after
  return (isNew || echo.wasThere) && 'raw' in reading && isSame(reading.raw, echo.raw)
}

export function expectEcho(
  raw: Raw,
  message: Message | undefined,
  reading: Reading,
  { pending, until }: { pending: boolean; until: number },
): Echo {
  const wasThere = !pending && 'raw' in reading && isSame(reading.raw, raw)
  return { raw, after: message?.number ?? 0, wasThere, until }
}

// Many devices compute with float32.
const NOISE = 1e-6

function isSame(a: Raw, b: Raw): boolean {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= NOISE * Math.max(Math.abs(x), Math.abs(y))
}
