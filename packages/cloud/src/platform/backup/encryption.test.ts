import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { encryptTo, type Keys, type Recipients } from './encryption.ts'
import { openBackup } from './reader.ts'
import { FIXTURE } from './testing/fixture.ts'
import { verifyBackup } from './verify.ts'

const PASSPHRASE = { passphrase: 'six random words are good enough' }
let identity = ''
let recipient = ''

beforeAll(async () => {
  identity = await generateIdentity()
  recipient = await identityToRecipient(identity)
})

/** Encrypts the fixture in pieces of odd sizes, out of one buffer that is used again. */
async function encrypted(to: Recipients): Promise<string> {
  const chunks: Buffer[] = []
  const { write, finish } = await encryptTo(to, async (bytes) => void chunks.push(Buffer.from(bytes)))
  const plain = readFileSync(FIXTURE.path)
  const buffer = Buffer.alloc(100_003)
  for (let from = 0; from < plain.length; from += buffer.length) {
    const count = plain.copy(buffer, 0, from)
    await write(buffer.subarray(0, count))
    buffer.fill(0)
  }
  await finish()
  return saved(Buffer.concat(chunks))
}

function saved(bytes: Uint8Array | string): string {
  const path = join(temporaryFolder(), 'encrypted.backup')
  writeFileSync(path, bytes)
  return path
}

async function verified(path: string, keys?: Keys) {
  const reader = await openBackup(path, keys)
  try {
    return await verifyBackup(path, reader)
  } finally {
    reader.close()
  }
}

describe('an encrypted backup', () => {
  test('is opened by the identity that it was encrypted to, also of several, and by no other', async () => {
    const other = await generateIdentity()
    const path = await encrypted({ recipients: [recipient, await identityToRecipient(other)] })
    const plain = await verified(FIXTURE.path)
    expect(await verified(path, { identities: [await generateIdentity(), identity] })).toEqual(plain)
    expect(await verified(path, { identities: [other] })).toEqual(plain)
    expect(readFileSync(path).includes(FIXTURE.adminToken)).toBe(false)
    const stranger = { identities: [await generateIdentity()] }
    await expect(verified(path, stranger)).rejects.toThrow(`${path} cannot be decrypted: none of the identities`)
    await expect(verified(path, { identities: ['age1x'] })).rejects.toThrow('is not an AGE-SECRET-KEY-1…')
    await expect(verified(path)).rejects.toThrow('is encrypted: give --identity-file FILE or --passphrase-file FILE')
  })

  // The derivation of a key is slow on purpose.
  test.runIf(isCampaign)(
    'is opened by its passphrase, and says that another one is wrong',
    { timeout: 120_000 },
    async () => {
      const path = await encrypted(PASSPHRASE)
      expect(await verified(path, PASSPHRASE)).toEqual(await verified(FIXTURE.path))
      await expect(verified(path, { passphrase: 'seven random words' })).rejects.toThrow('the passphrase is wrong')
      await expect(encryptTo({ passphrase: 'too short' }, async () => {})).rejects.toThrow('use a longer one')
    },
  )

  test('that was cut or changed is never taken for a complete one', async () => {
    const bytes = readFileSync(await encrypted({ recipients: [recipient] }))
    const keys = { identities: [identity] }
    for (const size of [30, 200, 400, bytes.length >> 1, bytes.length - 65_552, bytes.length - 1]) {
      const cut = saved(bytes.subarray(0, size))
      await expect(verified(cut, keys), `${size} bytes`).rejects.toThrow(/damaged|incomplete/)
    }
    for (const at of [40, 300, bytes.length >> 1, bytes.length - 5]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(verified(saved(changed), keys), `byte ${at}`).rejects.toThrow(/damaged|cannot be decrypted/)
    }
    const last = Buffer.from(bytes)
    last[bytes.length - 1] = (last[bytes.length - 1] ?? 0) ^ 1
    // The pieces of age have 64 KiB.
    const intact = statSync(FIXTURE.path).size & ~0xffff
    await expect(verified(saved(last), keys)).rejects.toThrow(`what follows byte ${intact} cannot be decrypted`)
  })

  test('is expected where a key is given, and armor is refused', async () => {
    const keys = { identities: [identity] }
    await expect(verified(FIXTURE.path, keys)).rejects.toThrow('is not encrypted: check where it comes from')
    await expect(verified(saved('-----BEGIN AGE ENCRYPTED FILE-----\n'), keys)).rejects.toThrow('age -d first')
    await expect(encryptTo({ recipients: ['age1nonsense'] }, async () => {})).rejects.toThrow('not a public key of age')
  })

  test('fails with the reason when it cannot be written', async () => {
    const full = async () => Promise.reject(new Error('no space left'))
    const { write, finish } = await encryptTo({ recipients: [recipient] }, full)
    const writing = async () => {
      for (let count = 0; count < 10; count += 1) await write(Buffer.alloc(1_000_000))
      await finish()
    }
    await expect(writing()).rejects.toThrow('no space left')
  })

  test('that fails between two writes ends the next one, not the process', async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    onTestFinished(() => void process.off('unhandledRejection', listener))
    const full = async () => Promise.reject(new Error('no space left'))
    const { write } = await encryptTo({ recipients: [recipient] }, full)
    await setImmediate()
    await expect(write(Buffer.alloc(1))).rejects.toThrow('no space left')
    expect(unhandled).toEqual([])
  })
})

const hasAge = spawnSync('age', ['--version']).status === 0

test.skipIf(!hasAge)('the program age reads what we encrypt, and we read what it encrypts', async () => {
  const path = await encrypted({ recipients: [recipient] })
  const key = saved(`# a comment\n${identity}\n`)
  const plain = readFileSync(FIXTURE.path)
  expect(execFileSync('age', ['-d', '-i', key, path], { maxBuffer: 1e9 }).equals(plain)).toBe(true)
  const theirs = saved(execFileSync('age', ['-r', recipient, FIXTURE.path], { maxBuffer: 1e9 }))
  expect(await verified(theirs, { identities: [identity] })).toEqual(await verified(FIXTURE.path))
})
