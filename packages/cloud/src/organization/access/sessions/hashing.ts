import { Worker } from 'node:worker_threads'

const THREAD = new URL('./hash-thread.ts', import.meta.url)

/** How passwords are hashed. */
export interface Hashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/** With a hash: whether the password is the one. */
export interface HashQuestion {
  password: string
  hash?: string
}
export type HashAnswer = { hash: string } | { isRight: boolean } | { error: string }

/** A thread that fails is replaced before it has ended, so each knows who waits for it. */
interface HashThread {
  worker: Worker
  /** In the order of the questions, which is that of the answers. */
  waiting: PromiseWithResolvers<HashAnswer>[]
}

/**
 * Hashes in a thread of its own, at a lower priority than the process that serves requests: strangers who try passwords get
 * what the others leave of a core. The thread starts when it is first needed, and does not keep the process alive.
 */
export function createHashing(program = THREAD): Hashing {
  let current: HashThread | undefined

  function start(): HashThread {
    const worker = new Worker(program)
    const thread: HashThread = { worker, waiting: [] }
    worker.unref()
    worker.on('message', (answer: HashAnswer) => thread.waiting.shift()?.resolve(answer))
    const lose = (error: Error) => {
      if (current === thread) current = undefined
      for (const one of thread.waiting.splice(0)) one.reject(error)
    }
    worker.on('error', lose)
    worker.on('exit', (code) => lose(new Error(`the thread that hashes passwords ended with exit code ${code}`)))
    return thread
  }

  async function ask(question: HashQuestion): Promise<HashAnswer> {
    current ??= start()
    const answered = Promise.withResolvers<HashAnswer>()
    current.waiting.push(answered)
    current.worker.postMessage(question)
    const answer = await answered.promise
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }

  return {
    async hash(password) {
      const answer = await ask({ password })
      return 'hash' in answer ? answer.hash : ''
    },
    async verify(hash, password) {
      const answer = await ask({ password, hash })
      return 'isRight' in answer && answer.isRight
    },
  }
}
