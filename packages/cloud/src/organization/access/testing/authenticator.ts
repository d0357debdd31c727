import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const UP = 0x01
const UV = 0x04
const AT = 0x40

/** What a test changes about an answer, as an attacker or a damaged authenticator would. */
interface Changes {
  userVerified?: boolean
  challenge?: string
  counter?: number
  userHandle?: string
  origin?: string
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64 = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** A software authenticator with one passkey: signs as a browser at this origin would. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let counter = 0
  let owner = ''

  function authenticatorData(flags: number, count: number, attested: Buffer = Buffer.alloc(0)): Buffer {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(count)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), counted, attested])
  }
  const clientData = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))

  return {
    id: base64(id),

    /** Answers the options of a registration. */
    create(options: Record<string, unknown>, { userVerified = true, ...changes }: Changes = {}) {
      const { challenge, user } = options as { challenge: string; user: { id: string } }
      owner = user.id
      // The CBOR of {1: 2, 3: -7, -1: 1, -2: x, -3: y}: a key for ES256.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authenticatorData(UP | AT | (userVerified ? UV : 0), counter, attested)
      // The CBOR of {fmt: "none", attStmt: {}, authData: data}.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      const client = clientData('webauthn.create', changes.challenge ?? challenge, changes.origin ?? origin)
      const response = {
        ...{ attestationObject: base64(attestation), clientDataJSON: base64(client), transports: ['internal'] },
      }
      return { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {}, response }
    },

    /** Answers the options of a sign-in. */
    get(options: Record<string, unknown>, { userVerified = true, ...changes }: Changes = {}) {
      const { challenge } = options as { challenge: string }
      counter += 1
      const data = authenticatorData(UP | (userVerified ? UV : 0), changes.counter ?? counter)
      const client = clientData('webauthn.get', changes.challenge ?? challenge, changes.origin ?? origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        ...{ authenticatorData: base64(data), clientDataJSON: base64(client), signature: base64(signature) },
        userHandle: changes.userHandle ?? owner,
      }
      return { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}
