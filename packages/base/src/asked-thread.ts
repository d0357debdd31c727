import { parentPort, Worker } from 'node:worker_threads'
import { giveWay } from './give-way.ts'

type Answer<Result> = { result: Result } | { error: string }

/** A thread that fails is replaced before it has ended, so each knows who waits for it. */
interface Thread<Result> {
  worker: Worker
  /** In the order of the questions, which is that of the answers. */
  waiting: PromiseWithResolvers<Answer<Result>>[]
}

/**
 * Returns a function that asks `program` in a thread of its own, one question after the other. The thread has a lower priority
 * than the process that serves requests: expensive work gets what the rest leaves of a core. It starts with the first question,
 * does not keep the process alive, and is replaced when it fails. `work` names what it does in errors.
 */
export function createAskedThread<Question, Result>(
  program: URL,
  work: string,
): (question: Question) => Promise<Result> {
  let current: Thread<Result> | undefined

  function start(): Thread<Result> {
    const worker = new Worker(program)
    const thread: Thread<Result> = { worker, waiting: [] }
    worker.unref()
    worker.on('message', (answer: Answer<Result>) => thread.waiting.shift()?.resolve(answer))
    const lose = (error: Error) => {
      if (current === thread) current = undefined
      for (const one of thread.waiting.splice(0)) one.reject(error)
    }
    worker.on('error', lose)
    worker.on('exit', (code) => lose(new Error(`the thread that ${work} ended with exit code ${code}`)))
    return thread
  }

  return async (question) => {
    current ??= start()
    const answered = Promise.withResolvers<Answer<Result>>()
    current.waiting.push(answered)
    current.worker.postMessage(question)
    const answer = await answered.promise
    if ('error' in answer) throw new Error(answer.error)
    return answer.result
  }
}

/** What the program of such a thread does: answers each question, or says why it cannot. */
export function answerQuestions<Question, Result>(answer: (question: Question) => Result): void {
  if (process.platform === 'linux') giveWay()
  const tryToAnswer = (question: Question): Answer<Result> => {
    try {
      return { result: answer(question) }
    } catch (error) {
      return { error: String(error) }
    }
  }
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(tryToAnswer(question)))
}
