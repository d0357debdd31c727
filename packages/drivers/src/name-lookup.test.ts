import type { LookupAddress } from 'node:dns'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createNameLookup, LOOKUP_MS } from './name-lookup.ts'

const at = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })

/** A lookup whose questions the test answers. */
function setUp() {
  const clock = createManualClock()
  const questions: { name: string; answer(...addresses: string[]): void; fail(): void }[] = []
  const lookup = createNameLookup({
    clock,
    resolve: (name) =>
      new Promise((resolve, reject) => {
        questions.push({
          name,
          answer: (...addresses) => resolve(addresses.map(at)),
          fail: () => reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })),
        })
      }),
  })
  const find = (name: string, options = {}) =>
    new Promise((resolve, reject) => {
      lookup(name, { all: true, ...options }, (error, found, family) => {
        if (error) reject(error)
        else resolve(Array.isArray(found) ? found : { address: found, family })
      })
    })
  /** Makes the first address of a name known. */
  async function know(name: string, address: string): Promise<void> {
    const finding = find(name)
    questions.pop()?.answer(address)
    await finding
  }
  return { clock, questions, find, know }
}

describe('the lookup of a name', () => {
  test('waits for its first addresses, and is one question for all who ask meanwhile', async () => {
    const { clock, questions, find } = setUp()
    const both = [find('pump.test'), find('Pump.Test')]
    await clock.advance(60 * LOOKUP_MS)
    expect(questions.map(({ name }) => name)).toEqual(['pump.test'])
    questions[0]?.answer('10.0.0.1', '::1')
    expect(await Promise.all(both)).toEqual([
      [at('10.0.0.1'), at('::1')],
      [at('10.0.0.1'), at('::1')],
    ])
  })

  test('finds the addresses that a name has now', async () => {
    const { questions, find, know } = setUp()
    await know('pump.test', '10.0.0.1')
    const finding = find('pump.test')
    questions[0]?.answer('10.0.0.2')
    expect(await finding).toEqual([at('10.0.0.2')])
  })

  test('uses the last known address if there is no answer in time, and the late answer next time', async () => {
    const { clock, questions, find, know } = setUp()
    await know('pump.test', '10.0.0.1')
    const finding = find('pump.test')
    await clock.advance(LOOKUP_MS)
    expect(await finding).toEqual([at('10.0.0.1')])
    // The same question is still open, so that nobody waits for it again.
    expect(await find('pump.test')).toEqual([at('10.0.0.1')])
    expect(questions).toHaveLength(1)
    questions[0]?.answer('10.0.0.2')
    await clock.advance(0)
    const next = find('pump.test')
    await clock.advance(LOOKUP_MS)
    expect(await next).toEqual([at('10.0.0.2')])
  })

  test('uses the last known address if the name cannot be found', async () => {
    const { questions, find, know } = setUp()
    await know('pump.test', '10.0.0.1')
    const finding = find('pump.test')
    questions[0]?.fail()
    expect(await finding).toEqual([at('10.0.0.1')])
  })

  test('fails if the name was never found, and asks again next time', async () => {
    const { questions, find } = setUp()
    const finding = find('pump.test')
    questions[0]?.fail()
    await expect(finding).rejects.toMatchObject({ code: 'ENOTFOUND' })
    const next = find('pump.test')
    questions[1]?.answer('10.0.0.1')
    expect(await next).toEqual([at('10.0.0.1')])
  })

  test('is not delayed by another name that hangs', async () => {
    const { questions, find } = setUp()
    for (let index = 0; index < 8; index += 1) void find(`hanging-${index}.test`)
    const finding = find('pump.test')
    questions.at(-1)?.answer('10.0.0.1')
    expect(await finding).toEqual([at('10.0.0.1')])
  })

  test.each([
    [{ all: false }, { address: '10.0.0.1', family: 4 }],
    [
      { all: false, family: 6 },
      { address: '::1', family: 6 },
    ],
    [{ family: 'IPv6' }, [at('::1')]],
    [{ family: 0 }, [at('10.0.0.1'), at('::1')]],
  ])('with %j gives %j', async (options, expected) => {
    const { questions, find } = setUp()
    const finding = find('pump.test', options)
    questions[0]?.answer('10.0.0.1', '::1')
    expect(await finding).toEqual(expected)
  })

  test('fails if the name has no address of the family', async () => {
    const { questions, find } = setUp()
    const finding = find('pump.test', { family: 6 })
    questions[0]?.answer('10.0.0.1')
    await expect(finding).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})
