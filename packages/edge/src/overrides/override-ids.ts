import { hash, randomBytes } from 'node:crypto'
import { newId } from '@plantroom/base/ids'

const MAC_LENGTH = 16

/**
 * Ids that the device recognises without storing them: each carries a check that only this device can compute. So
 * cancelling an override that ended long ago succeeds, and a mistyped id does not look like a release.
 */
export interface OverrideIds {
  issue(): string
  /** Reports whether this device issued the id. Those of earlier versions, which name their caller, count too. */
  issued(id: string): boolean
}

export const newIdKey = () => randomBytes(32).toString('base64url')

/** `others`: the ids of a controller that this one replaces. */
export function createOverrideIds(key: string, others: Pick<ReadonlySet<string>, 'has'> = new Set()): OverrideIds {
  // The key on both sides and a truncated digest: a known id cannot be extended into another valid one.
  const mac = (body: string) => hash('sha256', `${key} ${body} ${key}`).slice(0, MAC_LENGTH)
  return {
    issue() {
      const body = newId('ovr')
      return `${body}${mac(body)}`
    },
    issued(id) {
      const body = id.slice(0, -MAC_LENGTH)
      return others.has(id) || (body.startsWith('ovr_') && mac(body) === id.slice(-MAC_LENGTH))
    },
  }
}
