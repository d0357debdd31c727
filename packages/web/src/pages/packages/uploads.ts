import { type Mark, withMark } from '@plantroom/client/transfer-speed'
import { AnotherFile, type UploadProgress } from '@plantroom/client/upload'

/** The state of an upload. It belongs to a site and continues while other pages are open. */
export type Upload =
  | {
      state: 'sending'
      name: string
      size: number
      stage: 'comparing' | 'sending' | 'completing'
      /** Bytes that the service has confirmed. */
      loaded: number
      marks: readonly Mark[]
      /** While the connection is lost: when the next attempt begins. */
      retryAt?: number
    }
  | { state: 'paused'; name: string; size: number; loaded: number; file: File }
  | { state: 'starting'; name: string }
  | { state: 'failed'; name: string; file: File; error: Error }
  /** An unfinished upload of this name and size is of another file. */
  | { state: 'another'; name: string; file: File }
  | { state: 'checking'; name: string; jobId: string }

interface UploadDeps {
  /** Uploads the file. Aborting the signal leaves what was stored, to be continued. */
  send(site: string, file: File, name: string, options: SendOptions): Promise<void>
  /** Removes what is stored of an unfinished upload. */
  discard(site: string, name: string): Promise<void>
  /** Returns the id of the job that checks the file. */
  startCheck(site: string, name: string): Promise<string>
  now(): number
}

export interface SendOptions {
  signal: AbortSignal
  onProgress(progress: UploadProgress): void
}

/** Keeps one upload per site outside of the pages, so that leaving the page does not cancel it. */
export function createUploads(deps: UploadDeps) {
  const uploads = new Map<string, Upload>()
  const running = new Map<string, { stop: AbortController; end: 'paused' | 'cancelled' | undefined; file: File }>()
  const listeners = new Set<() => void>()

  function set(site: string, upload: Upload | undefined): void {
    if (upload) uploads.set(site, upload)
    else uploads.delete(site)
    for (const listener of listeners) listener()
  }

  function tell(site: string, progress: UploadProgress): void {
    const before = uploads.get(site)
    if (before?.state !== 'sending') return
    const { name, size } = before
    const { stage, done } = progress
    const now = deps.now()
    if (stage === 'waiting') {
      set(site, { ...before, loaded: done, marks: [], retryAt: now + progress.retryMs })
      return
    }
    const marks = stage === 'sending' ? withMark(before.marks, { at: now, bytes: done }) : before.marks
    set(site, { state: 'sending', name, size, stage, loaded: done, marks })
  }

  function stop(site: string, end: 'paused' | 'cancelled'): void {
    const run = running.get(site)
    if (!run) return
    run.end = end
    run.stop.abort()
  }

  /** Returns what an upload that did not succeed becomes. */
  function ended(site: string, file: File, name: string, error: unknown): Upload | undefined {
    const end = running.get(site)?.end
    const before = uploads.get(site)
    const loaded = before?.state === 'sending' ? before.loaded : 0
    if (end === 'cancelled') return undefined
    if (end === 'paused') return { state: 'paused', name, size: file.size, loaded, file }
    if (error instanceof AnotherFile) return { state: 'another', name, file }
    return { state: 'failed', name, file, error: error as Error }
  }

  return {
    of: (site: string) => uploads.get(site),
    /** Reports whether closing the tab would interrupt an upload. */
    isSending: () => [...uploads.values()].some(({ state }) => state === 'sending' || state === 'starting'),

    /** Uploads the file, or what is left of it, and starts its check. Resolves when it is done or stopped; never rejects. */
    async start(site: string, file: File, name: string): Promise<void> {
      if (running.has(site)) return
      const run = { stop: new AbortController(), end: undefined, file }
      running.set(site, run)
      set(site, { state: 'sending', name, size: file.size, stage: 'sending', loaded: 0, marks: [] })
      try {
        await deps.send(site, file, name, { signal: run.stop.signal, onProgress: (progress) => tell(site, progress) })
        set(site, { state: 'starting', name })
        const jobId = await deps.startCheck(site, name)
        set(site, { state: 'checking', name, jobId })
      } catch (error) {
        const next = ended(site, file, name, error)
        // What cannot be removed now expires.
        if (!next) await deps.discard(site, name).catch(() => {})
        set(site, next)
      } finally {
        running.delete(site)
      }
    },

    pause: (site: string) => stop(site, 'paused'),

    /** Stops the upload and removes what is stored of it. */
    async cancel(site: string): Promise<void> {
      if (running.has(site)) return stop(site, 'cancelled')
      const upload = uploads.get(site)
      if (!upload) return
      set(site, undefined)
      if (upload.state === 'paused') await deps.discard(site, upload.name).catch(() => {})
    },

    /** Removes the unfinished upload of another file and sends this one instead. */
    async replace(site: string): Promise<void> {
      const upload = uploads.get(site)
      if (upload?.state !== 'another') return
      await deps.discard(site, upload.name).catch(() => {})
      await this.start(site, upload.file, upload.name)
    },

    /** Forgets an upload that has ended. */
    dismiss(site: string): void {
      if (!running.has(site)) set(site, undefined)
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
