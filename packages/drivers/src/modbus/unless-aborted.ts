import { Failure } from '@plantroom/contract/failure'

/** Settles like `work`, unless the signal aborts first: then it rejects. */
export function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Failure('offline', 'opening the connection was cancelled'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
