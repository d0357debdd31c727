import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { createHashing } from './hashing.ts'

/** The priorities of the threads of this process, from their line in /proc. */
const priorities = () =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

test('passwords are hashed and checked in the order in which they were asked for', async () => {
  const hashing = createHashing()
  const [one, two] = await Promise.all([hashing.hash('one'), hashing.hash('two')])
  const answers = [hashing.verify(one, 'one'), hashing.verify(one, 'two'), hashing.verify(two, 'two')]
  expect(await Promise.all(answers)).toEqual([true, false, true])
})

test('the thread that hashes gives way to the rest of the process', async () => {
  await createHashing().hash('one')
  const lower = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
  expect(priorities()).toContain(lower)
  expect(Math.min(...priorities())).toBe(getPriority())
})

test('what is no hash is refused, and the thread goes on', async () => {
  const hashing = createHashing()
  await expect(hashing.verify('no hash', 'one')).rejects.toThrow()
  expect(await hashing.verify(await hashing.hash('one'), 'one')).toBe(true)
})

test('a thread that ends refuses what waits for it, and the next password gets another one', async () => {
  const hashing = createHashing(new URL('data:text/javascript,process.exit(3)'))
  for (const password of ['one', 'two']) {
    await expect(hashing.hash(password)).rejects.toThrow('ended with exit code 3')
  }
})

/** Fails at the password `broken`, and answers any other with itself. */
const FAILS_ONCE = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ password }) => {
    if (password === 'broken') throw new Error('out of memory')
    parentPort.postMessage({ hash: password })
  })`

test('the end of a failed thread leaves the next one, and who waits for it, alone', async () => {
  const hashing = createHashing(new URL(`data:text/javascript,${encodeURIComponent(FAILS_ONCE)}`))
  await expect(hashing.hash('broken')).rejects.toThrow('out of memory')
  const passwords = Array.from({ length: 20 }, (_, index) => `password ${index}`)
  expect(await Promise.all(passwords.map(hashing.hash))).toEqual(passwords)
})
