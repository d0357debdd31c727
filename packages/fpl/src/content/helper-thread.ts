import { Worker } from 'node:worker_threads'

/** A thread that gives one answer and ends. */
export interface HelperThread<Answer> {
  /** Rejects when the thread fails, or ends without an answer. */
  readonly answer: Promise<Answer>
  /** Ends it wherever it is; resolves when it is gone. */
  stop(): Promise<unknown>
}

export function startHelper<Answer>(program: URL, data: object): HelperThread<Answer> {
  const worker = new Worker(program, { workerData: data })
  const answer = new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    // Of the three the first one counts: after an answer this says nothing.
    worker.once('exit', (code) => reject(new Error(`A thread ended with ${code} and without an answer`)))
  })
  return { answer, stop: () => worker.terminate() }
}
