import { ApiError } from '@plantroom/client/http'
import { type Mark, withMark } from '@plantroom/client/transfer-speed'
import { AnotherFile, type UploadProgress } from '@plantroom/client/upload'

/** A file and the name under which it is uploaded. */
export interface UploadedFile {
  readonly file: File
  readonly name: string
}

/** Files that are uploaded one after another, for one job. */
export interface UploadTask {
  readonly files: readonly UploadedFile[]
}

/** The state of an upload. It belongs to a site and continues while other pages are open. */
export type Upload<Task extends UploadTask = UploadTask> =
  | {
      state: 'sending'
      name: string
      size: number
      /** Which of the files it is, from 1 on, and how many there are. */
      position: number
      count: number
      stage: 'comparing' | 'sending' | 'completing'
      /** Bytes that the service has confirmed. */
      loaded: number
      marks: readonly Mark[]
      /** While the connection is lost: when the next attempt begins. */
      retryAt?: number
    }
  | { state: 'paused'; name: string; size: number; loaded: number; task: Task }
  | { state: 'starting'; name: string }
  | { state: 'failed'; name: string; size: number; task: Task; error: Error }
  /** An unfinished upload of this name and size is of another file. */
  | { state: 'another'; name: string; task: Task }
  | { state: 'started'; name: string; jobId: string }

export interface UploadDeps<Task extends UploadTask, Sent> {
  /** Uploads a file. Aborting the signal leaves what was stored, to be continued. */
  send(site: string, file: UploadedFile, options: SendOptions): Promise<Sent>
  /** Removes what is stored of an unfinished upload. */
  discard(site: string, name: string): Promise<void>
  /** Returns the id of the job that reads the files. `sent` is in their order. */
  startJob(site: string, task: Task, sent: readonly Sent[]): Promise<string>
  now(): number
}

export interface SendOptions {
  signal: AbortSignal
  onProgress(progress: UploadProgress): void
}

/** Keeps one upload per site outside of the pages, so that leaving the page does not cancel it. */
export function createUploads<Task extends UploadTask, Sent>(deps: UploadDeps<Task, Sent>) {
  const uploads = new Map<string, Upload<Task>>()
  const running = new Map<string, { stop: AbortController; end: 'paused' | 'cancelled' | undefined }>()
  /** Files that have arrived, while the others are under way or the job is not started. */
  const arrived = new Map<string, Map<File, Sent>>()
  const listeners = new Set<() => void>()

  function set(site: string, upload: Upload<Task> | undefined): void {
    if (upload) uploads.set(site, upload)
    else uploads.delete(site)
    if (!upload || upload.state === 'started') arrived.delete(site)
    for (const listener of listeners) listener()
  }

  function tell(site: string, progress: UploadProgress): void {
    const before = uploads.get(site)
    if (before?.state !== 'sending') return
    const { stage, done } = progress
    const now = deps.now()
    if (stage === 'waiting') {
      set(site, { ...before, loaded: done, marks: [], retryAt: now + progress.retryMs })
      return
    }
    const marks = stage === 'sending' ? withMark(before.marks, { at: now, bytes: done }) : before.marks
    const { retryAt: _, ...rest } = before
    set(site, { ...rest, stage, loaded: done, marks })
  }

  function stop(site: string, end: 'paused' | 'cancelled'): void {
    const run = running.get(site)
    if (!run) return
    run.end = end
    run.stop.abort()
  }

  async function sendAll(site: string, { files }: Task, signal: AbortSignal): Promise<Sent[]> {
    const known = arrived.get(site) ?? new Map<File, Sent>()
    arrived.set(site, known)
    const sent: Sent[] = []
    for (const [index, each] of files.entries()) {
      const { file, name } = each
      if (!known.has(file)) {
        const place = { position: index + 1, count: files.length }
        set(site, { state: 'sending', name, size: file.size, ...place, stage: 'sending', loaded: 0, marks: [] })
        known.set(file, await deps.send(site, each, { signal, onProgress: (progress) => tell(site, progress) }))
        signal.throwIfAborted()
      }
      sent.push(known.get(file) as Sent)
    }
    return sent
  }

  /** Returns what an upload that did not succeed becomes. */
  function ended(site: string, task: Task, error: unknown): Upload<Task> | undefined {
    const end = running.get(site)?.end
    const before = uploads.get(site)
    const last = task.files.at(-1)
    const { name, size, loaded } =
      before?.state === 'sending' ? before : { name: last?.name ?? '', size: last?.file.size ?? 0, loaded: 0 }
    if (end === 'cancelled') return undefined
    if (end === 'paused') return { state: 'paused', name, size, loaded, task }
    if (error instanceof AnotherFile) return { state: 'another', name, task }
    // What has arrived is gone, so the next attempt sends it again.
    if (error instanceof ApiError && error.status === 404) arrived.delete(site)
    return { state: 'failed', name, size, task, error: error as Error }
  }

  return {
    of: (site: string) => uploads.get(site),
    /** Reports whether closing the tab would interrupt an upload. */
    isSending: () => [...uploads.values()].some(({ state }) => state === 'sending' || state === 'starting'),

    /** Uploads the files, or what is left of them, and starts their job. Resolves when it is done or stopped; never rejects. */
    async start(site: string, task: Task): Promise<void> {
      if (running.has(site)) return
      const run = { stop: new AbortController(), end: undefined }
      running.set(site, run)
      try {
        const sent = await sendAll(site, task, run.stop.signal)
        const name = task.files[0]?.name ?? ''
        set(site, { state: 'starting', name })
        const jobId = await deps.startJob(site, task, sent)
        set(site, { state: 'started', name, jobId })
      } catch (error) {
        const before = uploads.get(site)
        const next = ended(site, task, error)
        // What cannot be removed now expires.
        if (!next && before) await deps.discard(site, before.name).catch(() => {})
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
      await this.start(site, upload.task)
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
