import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { createAskedThread } from './asked-thread.ts'

const THIS = JSON.stringify(new URL('./asked-thread.ts', import.meta.url).href)

/** A thread that answers with what the body of the function `answer` returns. */
const threadOf = (answer: string) =>
  createAskedThread<unknown, unknown>(
    programOf(`import { answerQuestions } from ${THIS}\nanswerQuestions((question) => { ${answer} })`),
    'tests',
  )
const programOf = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)

/** The priorities of the threads of this process, from their line in /proc. */
const priorities = () =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

test('questions are answered in their order', async () => {
  const ask = threadOf('return question * 2')
  expect(await Promise.all([1, 2, 3].map(ask))).toEqual([2, 4, 6])
})

test('the thread gives way to the rest of the process', async () => {
  await threadOf('return question')(1)
  const lower = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
  expect(priorities()).toContain(lower)
  expect(Math.min(...priorities())).toBe(getPriority())
})

test('a question that cannot be answered is refused, and the thread answers the next one', async () => {
  const ask = threadOf('if (question < 0) throw new RangeError("negative"); return question')
  await expect(ask(-1)).rejects.toThrow('negative')
  expect(await ask(1)).toBe(1)
})

test('a thread that ends refuses what waits for it, and the next question gets another one', async () => {
  const ask = createAskedThread(programOf('process.exit(3)'), 'tests')
  for (const question of ['one', 'two']) {
    await expect(ask(question)).rejects.toThrow('the thread that tests ended with exit code 3')
  }
})

/** Fails at the question `broken` as a thread does that has no memory left, and answers any other with itself. */
const FAILS_ONCE = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (question) => {
    if (question === 'broken') throw new Error('out of memory')
    parentPort.postMessage({ result: question })
  })`

test('the end of a failed thread leaves the next one, and who waits for it, alone', async () => {
  const ask = createAskedThread(programOf(FAILS_ONCE), 'tests')
  await expect(ask('broken')).rejects.toThrow('out of memory')
  const questions = Array.from({ length: 20 }, (_, index) => `question ${index}`)
  expect(await Promise.all(questions.map(ask))).toEqual(questions)
})
