import { Worker } from 'node:worker_threads'

/** A thread that produces one result and ends. */
export interface HelperThread<Answer> {
  /** Rejects when the thread fails or ends without a result. */
  readonly answer: Promise<Answer>
  /** Terminates the thread; resolves when it is gone. */
  stop(): Promise<unknown>
}

export function startHelper<Answer>(program: URL, data: object): HelperThread<Answer> {
  const worker = new Worker(program, { workerData: data })
  const answer = new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    // Only the first settlement counts, so this has no effect after a result.
    worker.once('exit', (code) => reject(new Error(`A thread ended with exit code ${code} and without a result`)))
  })
  return { answer, stop: () => worker.terminate() }
}
