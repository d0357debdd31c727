import { hash, verify } from '@node-rs/argon2'
import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

/** Verifies and records the hashes. */
function counting() {
  const verified: string[] = []
  return {
    verified,
    hash: (password: string) => hash(password),
    verify(passwordHash: string, password: string) {
      verified.push(passwordHash)
      return verify(passwordHash, password)
    },
  }
}

/** Hashes only when the test says so. */
function paused() {
  const waiting: (() => void)[] = []
  let isOpen = true
  return {
    waiting,
    pause() {
      isOpen = false
    },
    hash: (password: string) =>
      isOpen ? Promise.resolve(password) : new Promise<string>((resolve) => void waiting.push(() => resolve(password))),
    verify: async () => true,
  }
}

describe('a password', () => {
  test('is hashed with argon2id and a random salt', async () => {
    const passwords = createPasswords()
    const made = await passwords.hash('correct horse battery staple')
    expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hash('correct horse battery staple')).not.toBe(made)
    expect(await passwords.verify(made, 'correct horse battery staple')).toBe(true)
    expect(await passwords.verify(made, 'correct horse battery stapl')).toBe(false)
  })

  test('matches in every Unicode form', async () => {
    const passwords = createPasswords()
    const made = await passwords.hash('p\u00e4ikesepaiste')
    expect(await passwords.verify(made, 'pa\u0308ikesepaiste')).toBe(true)
  })

  test('costs the same to verify for known and unknown users', async () => {
    const hashing = counting()
    const passwords = createPasswords(hashing)
    const known = await passwords.hash('correct horse battery staple')
    expect(await passwords.verify(known, 'wrong')).toBe(false)
    expect(await passwords.verify(null, 'wrong')).toBe(false)
    const [one, other] = hashing.verified
    expect(hashing.verified).toHaveLength(2)
    const cost = (text: string | undefined) => text?.split('$').slice(1, 4)
    expect(cost(other)).toEqual(cost(one))
  })

  test('is hashed two at a time; others are queued, and refused when the queue is full', async () => {
    const hashing = paused()
    const passwords = createPasswords(hashing)
    hashing.pause()
    const all = Array.from({ length: 102 }, (_, index) => passwords.hash(String(index)))
    expect(hashing.waiting).toHaveLength(2)
    const refused = await passwords.hash('one too many').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Failure)
    expect((refused as Failure).kind).toBe('unavailable')
    let done = 0
    for (const each of all) {
      void each.then(() => {
        done += 1
      })
    }
    while (done < 102) {
      expect(hashing.waiting.length).toBeLessThanOrEqual(2)
      for (const finish of hashing.waiting.splice(0)) finish()
      await new Promise(setImmediate)
    }
    expect(await Promise.all(all)).toEqual(Array.from({ length: 102 }, (_, index) => String(index)))
  })

  test('frees its slot when hashing fails', async () => {
    let isBroken = false
    const passwords = createPasswords({
      hash: async (password) => {
        if (isBroken) throw new Error('out of memory')
        return password
      },
      verify: async () => true,
    })
    isBroken = true
    for (let times = 0; times < 5; times += 1) await expect(passwords.hash('x')).rejects.toThrow('out of memory')
    isBroken = false
    expect(await passwords.hash('x')).toBe('x')
  })
})
