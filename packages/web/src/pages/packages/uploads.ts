import { type SendFile, type Sending, UploadCancelled } from '../../parts/send-file.ts'

/** The state of an upload. It belongs to a site and continues while other pages are open. */
export type Upload =
  | { state: 'sending'; name: string; size: number; loaded: number; marks: readonly Mark[] }
  | { state: 'starting'; name: string }
  | { state: 'failed'; name: string; file: File; error: Error }
  | { state: 'checking'; name: string; jobId: string }

interface UploadDeps {
  addressFor(site: string, name: string): Promise<string>
  sendFile: SendFile
  /** Returns the id of the job that checks the file. */
  startCheck(site: string, name: string): Promise<string>
  now(): number
}

/** Keeps one upload per site outside of the pages, so that leaving the page does not cancel it. */
export function createUploads(deps: UploadDeps) {
  const uploads = new Map<string, Upload>()
  const running = new Map<string, { sending?: Sending; cancelled: boolean }>()
  const listeners = new Set<() => void>()

  function set(site: string, upload: Upload | undefined): void {
    if (upload) uploads.set(site, upload)
    else uploads.delete(site)
    for (const listener of listeners) listener()
  }

  function progressOf(site: string, loaded: number): void {
    const now = uploads.get(site)
    if (now?.state !== 'sending') return
    set(site, { ...now, loaded, marks: withMark(now.marks, { at: deps.now(), bytes: loaded }) })
  }

  return {
    of: (site: string) => uploads.get(site),
    /** Reports whether closing the tab would lose an upload. */
    isSending: () => [...uploads.values()].some(({ state }) => state === 'sending' || state === 'starting'),

    /** Uploads the file and starts its check. Resolves when it is done, failed or cancelled; never rejects. */
    async start(site: string, file: File, name: string): Promise<void> {
      if (running.has(site)) return
      const run: { sending?: Sending; cancelled: boolean } = { cancelled: false }
      running.set(site, run)
      set(site, { state: 'sending', name, size: file.size, loaded: 0, marks: [] })
      try {
        const url = await deps.addressFor(site, name)
        if (run.cancelled) throw new UploadCancelled()
        run.sending = deps.sendFile(url, file, (loaded) => progressOf(site, loaded))
        await run.sending.done
        set(site, { state: 'starting', name })
        const jobId = await deps.startCheck(site, name)
        set(site, { state: 'checking', name, jobId })
      } catch (error) {
        const isCancelled = run.cancelled || error instanceof UploadCancelled
        set(site, isCancelled ? undefined : { state: 'failed', name, file, error: error as Error })
      } finally {
        running.delete(site)
      }
    },

    cancel(site: string): void {
      const run = running.get(site)
      if (!run) return
      run.cancelled = true
      run.sending?.cancel()
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

/** The bytes sent at a moment. */
export interface Mark {
  at: number
  bytes: number
}

const WINDOW_MS = 5000

/** Adds a mark and drops those too old for the current speed. */
export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  const recent = marks.filter(({ at }) => mark.at - at <= WINDOW_MS)
  return [...recent, mark]
}

/** Returns bytes per second; `undefined` while there is too little data. */
export function speedOf(marks: readonly Mark[]): number | undefined {
  const first = marks[0]
  const last = marks.at(-1)
  if (!first || !last || last.at <= first.at) return undefined
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
}
