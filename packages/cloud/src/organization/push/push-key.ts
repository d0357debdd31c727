import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

const HOUR_S = 3600

/** Identifies the service to push services (RFC 8292), so that nobody else can send to the browsers that it notifies. */
export interface PushKey {
  /** The uncompressed point, in base64url. */
  publicKey: string
  /** The header `authorization` of a message to an address. `contact` is for the operator of the push service. */
  authorization(endpoint: URL, now: number, contact: string | undefined): string
}

/**
 * Derived from the key that seals secrets, so that all processes and a restored backup have the same one: with another,
 * every browser would have to subscribe again.
 */
export function derivePushKey(sealKey: string): PushKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', sealKey, '', 'plantroom push', 32)))
  const point = pair.getPublicKey()
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
      // Node leaves out zeros in front.
      d: Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
        .subarray(-32)
        .toString('base64url'),
    },
  })
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorization({ origin }, now, contact) {
      const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
      const claims = { aud: origin, exp: Math.floor(now / 1000) + 12 * HOUR_S, ...(contact && { sub: contact }) }
      const text = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
      return `vapid t=${text}.${signature}, k=${publicKey}`
    },
  }
}
