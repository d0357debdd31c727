import { Failure } from '@plantroom/contract/failure'
import { damaged } from './format.ts'
import type { Write } from './writer.ts'

/** What an encrypted backup begins with: the format of age, version 1. */
const AGE = 'age-encryption.org/v1\n'
const ARMORED = '-----BEGIN AGE ENCRYPTED FILE-----'
/** A stolen backup can be tried offline, for as long as one likes. */
const MIN_PASSPHRASE = 12

/** To whom a backup is encrypted. */
export type Recipients = { recipients: readonly string[] } | { passphrase: string }
/** What opens an encrypted backup. */
export type Keys = { identities: readonly string[] } | { passphrase: string }

/** Says from the beginning of a file whether it is encrypted. */
export function isEncrypted(path: string, head: Buffer): boolean {
  const text = head.toString('latin1')
  if (text.startsWith(ARMORED)) {
    throw new Failure('unavailable', `${path} is armored: decrypt it with age -d first`)
  }
  return text.startsWith(AGE)
}

/**
 * Encrypts what is written, with a fixed amount of memory. `finish` writes the end, without which the file counts as cut.
 * Loaded only when used, because the library takes 100 ms.
 */
export async function encryptTo(to: Recipients, write: Write): Promise<{ write: Write; finish(): Promise<void> }> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  if ('passphrase' in to) {
    if (to.passphrase.length < MIN_PASSPHRASE) {
      throw new Failure('invalid', `the passphrase has less than ${MIN_PASSPHRASE} characters: use a longer one`)
    }
    encrypter.setPassphrase(to.passphrase)
  } else {
    for (const recipient of to.recipients) addRecipient(encrypter, recipient)
  }
  const plain = new TransformStream<Uint8Array, Uint8Array>()
  const input = plain.writable.getWriter()
  input.closed.catch(() => {})
  const encrypted = await encrypter.encrypt(plain.readable)
  const writing = (async () => {
    for await (const chunk of encrypted) await write(chunk)
  })()
  writing.catch(() => {})
  // What failed is the write; the stream only says that it was closed.
  const orReason = (given: Promise<void>) => given.catch((error) => writing.then(() => Promise.reject(error)))
  return {
    // Copied, because the caller uses its buffer again.
    write: (bytes) => orReason(input.write(Uint8Array.from(bytes))),
    async finish() {
      await orReason(input.close())
      await writing
    },
  }
}

function addRecipient(encrypter: { addRecipient(recipient: string): void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new Failure('invalid', `${recipient} is not a public key of age: it begins with age1`)
  }
}

/** A backup that is decrypted while it is read. */
export interface Decrypted {
  chunks: AsyncIterator<Uint8Array>
  /** The number of its bytes; 0 when the file was cut where no backup can end. */
  size: number
}

/** Decrypts a file of `size` bytes. Throws when the keys do not open it. */
export async function decrypt(
  path: string,
  { source, size, keys }: { source: AsyncIterable<Uint8Array>; size: number; keys: Keys },
): Promise<Decrypted> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  if ('passphrase' in keys) decrypter.addPassphrase(keys.passphrase)
  else for (const identity of keys.identities) addIdentity(decrypter, identity)
  const opened = await decrypter.decrypt(ReadableStream.from(source)).catch((error: Error) => {
    if (/no identity matched/.test(error.message)) throw notOpened(path, keys)
    throw damaged(path, `its header cannot be read: ${error.message}`)
  })
  return { chunks: explained(path, opened), size: sizeOf(opened, size) }
}

function addIdentity(decrypter: { addIdentity(identity: string): void }, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch {
    // Never quoted: it may be a secret with a typing mistake.
    throw new Failure('invalid', 'the identity file has a line that is not an AGE-SECRET-KEY-1…: correct it')
  }
}

function notOpened(path: string, keys: Keys): Failure {
  const what =
    'passphrase' in keys
      ? 'the passphrase is wrong, or the backup is encrypted to a public key'
      : 'none of the identities belongs to it'
  return new Failure('unavailable', `${path} cannot be decrypted: ${what}`)
}

function sizeOf(opened: { size(encrypted: number): number }, size: number): number {
  try {
    return opened.size(size)
  } catch {
    return 0
  }
}

async function* explained(path: string, opened: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of opened) {
      bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw damaged(path, `what follows byte ${bytes} cannot be decrypted: it was changed or cut off`)
  }
}
