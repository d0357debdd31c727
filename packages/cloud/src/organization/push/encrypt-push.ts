import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const RECORD_BYTES = 4096
const KEY_BYTES = 65
/** Marks the last record. */
const LAST = 2

/** The keys of a browser. */
export interface BrowserKeys {
  /** An uncompressed point of P-256. */
  p256dh: Buffer
  auth: Buffer
}

/** What differs for each message. */
interface Fresh {
  salt: Buffer
  privateKey: Buffer
}

/** Encrypts a message that only the browser can read: RFC 8291, as one record of `aes128gcm` (RFC 8188). */
export function encryptPush(text: string, { p256dh, auth }: BrowserKeys, fresh: Fresh = makeFresh()): Buffer {
  const own = createECDH('prime256v1')
  own.setPrivateKey(fresh.privateKey)
  const ownKey = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownKey])
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(p256dh), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, fresh.salt, `Content-Encoding: ${name}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const record = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(LAST)), cipher.final()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(ownKey.length, 4)
  return Buffer.concat([fresh.salt, head, ownKey, record, cipher.getAuthTag()])
}

function makeFresh(): Fresh {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { salt: randomBytes(16), privateKey: pair.getPrivateKey() }
}

/** Returns the keys in the texts of a browser; `undefined` when they are none, for example a point beside the curve. */
export function readBrowserKeys(given: { p256dh: string; auth: string }): BrowserKeys | undefined {
  const [p256dh, auth] = [Buffer.from(given.p256dh, 'base64url'), Buffer.from(given.auth, 'base64url')]
  if (p256dh.length !== KEY_BYTES || auth.length !== 16) return undefined
  try {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    pair.computeSecret(p256dh)
    return { p256dh, auth }
  } catch {
    return undefined
  }
}
