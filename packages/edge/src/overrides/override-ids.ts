import { hash, randomBytes } from 'node:crypto'
import { newId } from '@plantroom/base/ids'

const MAC_LENGTH = 16
const OWNER_LENGTH = 12
const BODY_LENGTH = newId('ovr').length

/**
 * Ids that the device recognises without storing them: each carries a check that only this device can compute, and one
 * for the caller it was issued to. So cancelling an override that ended long ago succeeds for its caller alone, and a
 * mistyped id does not look like a release.
 */
export interface OverrideIds {
  issue(caller: string): string
  issued(id: string): boolean
  /** Reports whether this device issued the id to the caller. Ids of earlier versions name no caller: they fit all. */
  issuedTo(id: string, caller: string): boolean
}

export const newIdKey = () => randomBytes(32).toString('base64url')

/** `others`: the ids of a controller that this one replaces, with their callers. */
export function createOverrideIds(key: string, others: ReadonlyMap<string, string> = new Map()): OverrideIds {
  // The key on both sides and a truncated digest: a known id cannot be extended into another valid one.
  const mac = (body: string) => hash('sha256', `${key} ${body} ${key}`).slice(0, MAC_LENGTH)
  const ownerOf = (body: string, caller: string) => mac(`${body} ${caller}`).slice(0, OWNER_LENGTH)
  const issued = (id: string) => {
    const body = id.slice(0, -MAC_LENGTH)
    return others.has(id) || (body.startsWith('ovr_') && mac(body) === id.slice(-MAC_LENGTH))
  }
  return {
    issue(caller) {
      const body = newId('ovr')
      const owned = `${body}${ownerOf(body, caller)}`
      return `${owned}${mac(owned)}`
    },
    issued,
    issuedTo(id, caller) {
      if (others.has(id)) return others.get(id) === caller
      if (!issued(id)) return false
      const owner = id.slice(BODY_LENGTH, -MAC_LENGTH)
      return owner === '' || owner === ownerOf(id.slice(0, BODY_LENGTH), caller)
    },
  }
}
