import { hash, verify } from '@node-rs/argon2'
import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { createPasswords, type PasswordCaller } from './passwords.ts'

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

const STRANGER: PasswordCaller = { isKnown: false, group: '198.51.100.7' }
const KNOWN: PasswordCaller = { isKnown: true, group: 'mari@example.com' }
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Password checks that run until the test ends them, in the order in which their turn came. */
function start() {
  const passwords = createPasswords({ hash: async (text) => text, verify: async () => true })
  const running: (() => void)[] = []
  const turns: string[] = []
  return {
    turns,
    refused: () => passwords.refused,
    check(caller: PasswordCaller): Promise<unknown> {
      const work = () => {
        turns.push(caller.group)
        return new Promise<void>((resolve) => void running.push(resolve))
      }
      return passwords.inTurn(caller, work).catch((error: unknown) => error)
    },
    async endAll() {
      for (const end of running) {
        end()
        await settle()
      }
    },
  }
}

describe('a password', () => {
  test('is hashed with argon2id and a random salt', async () => {
    const passwords = createPasswords()
    const made = await passwords.hashFor('mari', 'correct horse battery staple')
    expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hashFor('mari', 'correct horse battery staple')).not.toBe(made)
    await passwords.inTurn(STRANGER, async ({ verify }) => {
      expect(await verify(made, 'correct horse battery staple')).toBe(true)
      expect(await verify(made, 'correct horse battery stapl')).toBe(false)
    })
  })

  test('matches in every Unicode form', async () => {
    const passwords = createPasswords()
    const made = await passwords.hashFor('mari', 'p\u00e4ikesepaiste')
    expect(await passwords.inTurn(STRANGER, ({ verify }) => verify(made, 'pa\u0308ikesepaiste'))).toBe(true)
  })

  test('costs the same to verify for known and unknown users', async () => {
    const hashing = counting()
    const passwords = createPasswords(hashing)
    const known = await passwords.hashFor('mari', 'correct horse battery staple')
    await passwords.inTurn(STRANGER, async ({ verify }) => {
      expect(await verify(known, 'wrong')).toBe(false)
      expect(await verify(null, 'wrong')).toBe(false)
    })
    const [one, other] = hashing.verified
    expect(hashing.verified).toHaveLength(2)
    const cost = (text: string | undefined) => text?.split('$').slice(1, 4)
    expect(cost(other)).toEqual(cost(one))
  })

  test('frees its place when hashing fails', async () => {
    let isBroken = true
    const passwords = createPasswords({
      hash: async (password) => {
        if (isBroken) throw new Error('out of memory')
        return password
      },
      verify: async () => true,
    })
    for (let times = 0; times < 5; times += 1) {
      await expect(passwords.hashFor('mari', 'x')).rejects.toThrow('out of memory')
    }
    isBroken = false
    expect(await passwords.hashFor('mari', 'x')).toBe('x')
  })

  test('can be checked again after the first hash of the service failed', async () => {
    let isBroken = true
    const passwords = createPasswords({
      hash: async (password) => {
        if (isBroken) throw new Error('out of memory')
        return password
      },
      verify: async (passwordHash, password) => passwordHash === password,
    })
    const check = () => passwords.inTurn(STRANGER, ({ verify }) => verify('right', 'right'))
    await expect(check()).rejects.toThrow('out of memory')
    isBroken = false
    expect(await check()).toBe(true)
  })
})

describe('password checks', () => {
  test('of one network wait for each other; another network is next', async () => {
    const { check, turns, endAll } = start()
    for (let times = 0; times < 5; times += 1) void check(STRANGER)
    void check({ isKnown: false, group: '203.0.113.9' })
    await endAll()
    expect(turns.slice(0, 3)).toEqual([STRANGER.group, STRANGER.group, '203.0.113.9'])
    expect(turns).toHaveLength(6)
  })

  test('of known people have a place that strangers never take', async () => {
    const { check, turns, endAll } = start()
    for (let network = 0; network < 300; network += 1) void check({ isKnown: false, group: `network ${network}` })
    void check(KNOWN)
    expect(turns).toEqual(['network 0', KNOWN.group])
    await endAll()
  })

  test('beyond twenty that wait are refused with what to do, and counted', async () => {
    const { check, refused, endAll } = start()
    for (let times = 0; times < 21; times += 1) void check(STRANGER)
    const failure = await check(STRANGER)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({
      kind: 'quota',
      retryAfterS: 5,
      message: 'too many sign-ins from your network are waiting: try again in 5 seconds',
    })
    expect(refused()).toBe(1)
    await endAll()
  })

  test('beyond two hundred networks are refused because of all', async () => {
    const { check, endAll } = start()
    for (let network = 0; network < 201; network += 1) void check({ isKnown: false, group: `network ${network}` })
    expect(await check({ isKnown: false, group: 'another' })).toMatchObject({ kind: 'unavailable', retryAfterS: 5 })
    await endAll()
  })
})
