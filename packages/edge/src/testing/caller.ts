import { randomUUID } from 'node:crypto'
import type { Caller } from '../overrides/once.ts'

/** A caller who still waits for the reply. */
export function aCaller(about: Partial<Caller> = {}): Caller {
  return { keyId: 'key_1', name: 'Market', reqId: randomUUID(), inTime: () => true, leftMs: () => 0, ...about }
}
