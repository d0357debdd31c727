import { hash, verify } from '@node-rs/argon2'
import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

/** Verifies for real, and counts. */
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

/** Hashes only when it is told to. */
function held() {
  const waiting: (() => void)[] = []
  let isOpen = true
  return {
    waiting,
    hold() {
      isOpen = false
    },
    hash: (password: string) =>
      isOpen ? Promise.resolve(password) : new Promise<string>((resolve) => void waiting.push(() => resolve(password))),
    verify: async () => true,
  }
}

describe('a password', () => {
  test('is argon2id, another each time, and only it is right', async () => {
    const passwords = await createPasswords()
    const made = await passwords.hash('correct horse battery staple')
    expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hash('correct horse battery staple')).not.toBe(made)
    expect(await passwords.verify(made, 'correct horse battery staple')).toBe(true)
    expect(await passwords.verify(made, 'correct horse battery stapl')).toBe(false)
  })

  test('is right however a keyboard spells its letters', async () => {
    const passwords = await createPasswords()
    const made = await passwords.hash('p\u00e4ikesepaiste')
    expect(await passwords.verify(made, 'pa\u0308ikesepaiste')).toBe(true)
  })

  test('is looked at once for somebody and once for nobody, at the same cost', async () => {
    const hashing = counting()
    const passwords = await createPasswords(hashing)
    const somebodys = await passwords.hash('correct horse battery staple')
    expect(await passwords.verify(somebodys, 'wrong')).toBe(false)
    expect(await passwords.verify(null, 'wrong')).toBe(false)
    const [one, other] = hashing.verified
    expect(hashing.verified).toHaveLength(2)
    const cost = (text: string | undefined) => text?.split('$').slice(1, 4)
    expect(cost(other)).toEqual(cost(one))
  })

  test('is hashed with at most one other at a time; when too many wait, one is refused, and the rest get their turn', async () => {
    const hashing = held()
    const passwords = await createPasswords(hashing)
    hashing.hold()
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

  test('that cannot be hashed gives its place back', async () => {
    let isBroken = false
    const passwords = await createPasswords({
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
