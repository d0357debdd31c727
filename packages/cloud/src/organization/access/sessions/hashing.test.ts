import { expect, test } from 'vitest'
import { createHashing } from './hashing.ts'

test('passwords are hashed and checked in the order in which they were asked for', async () => {
  const hashing = createHashing()
  const [one, two] = await Promise.all([hashing.hash('one'), hashing.hash('two')])
  const answers = [hashing.verify(one, 'one'), hashing.verify(one, 'two'), hashing.verify(two, 'two')]
  expect(await Promise.all(answers)).toEqual([true, false, true])
})

test('what is no hash is refused', async () => {
  const hashing = createHashing()
  await expect(hashing.verify('no hash', 'one')).rejects.toThrow()
  expect(await hashing.verify(await hashing.hash('one'), 'one')).toBe(true)
})
