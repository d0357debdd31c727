import { ATTACHED_FILE_BYTES, ATTACHED_FILES } from '@plantroom/contract/request-fields'
import { type SendFile, type Sending, UploadCancelled } from '../../parts/send-file.ts'
import { bytes } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { files as texts } from '../../texts/request-parts.ts'

/** A file that someone chose for a request or a comment. */
export interface ChosenFile {
  readonly id: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Bytes sent so far. */
  readonly loaded: number
  readonly uploadId?: string
  readonly error?: Error
}

interface FileUploadDeps {
  /** Returns an address for one file. */
  offer(size: number): Promise<{ uploadId: string; url: string }>
  sendFile: SendFile
}

const AT_ONCE = 3

export type FileUploads = ReturnType<typeof createFileUploads>

/** Uploads chosen files, a few at a time. Each can be cancelled or repeated by itself. */
export function createFileUploads({ offer, sendFile }: FileUploadDeps) {
  let chosen: readonly ChosenFile[] = []
  let lastId = 0
  const underWay = new Map<number, Sending | undefined>()
  const listeners = new Set<() => void>()

  function set(next: readonly ChosenFile[]): void {
    chosen = next
    for (const listener of listeners) listener()
  }
  const update = (id: number, changes: Partial<ChosenFile>) =>
    set(chosen.map((one) => (one.id === id ? { ...one, ...changes } : one)))
  const isWanted = (id: number) => chosen.some((one) => one.id === id)

  function startWaiting(): void {
    for (const { id, file } of chosen.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - underWay.size)) {
      void upload(id, file)
    }
  }

  async function upload(id: number, file: File): Promise<void> {
    underWay.set(id, undefined)
    update(id, { state: 'sending', loaded: 0 })
    try {
      const { uploadId, url } = await offer(file.size)
      if (!isWanted(id)) throw new UploadCancelled()
      const sending = sendFile(url, file, (loaded) => update(id, { loaded }))
      underWay.set(id, sending)
      await sending.done
      update(id, { state: 'done', loaded: file.size, uploadId })
    } catch (error) {
      update(id, { state: 'failed', error: error as Error })
    } finally {
      underWay.delete(id)
      startWaiting()
    }
  }

  return {
    list: () => chosen,

    /** Adds files and uploads them. Returns why some were left out. */
    add(files: readonly File[]): string[] {
      const { taken, problems } = chooseFiles(files, chosen.length)
      set([
        ...chosen,
        ...taken.map((file) => {
          lastId += 1
          return { id: lastId, file, state: 'waiting' as const, loaded: 0 }
        }),
      ])
      startWaiting()
      return problems
    },

    /** Removes a file, cancelling its upload. The service removes what it already has. */
    remove(id: number): void {
      set(chosen.filter((one) => one.id !== id))
      underWay.get(id)?.cancel()
      startWaiting()
    },

    retry(id: number): void {
      set(chosen.map((one) => (one.id === id ? { id, file: one.file, state: 'waiting', loaded: 0 } : one)))
      startWaiting()
    },

    clear(): void {
      set([])
      for (const sending of underWay.values()) sending?.cancel()
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Checks number and sizes before any upload. */
export function chooseFiles(files: readonly File[], already: number): { taken: File[]; problems: string[] } {
  const fitting = files.filter(({ size }) => size <= ATTACHED_FILE_BYTES)
  const taken = fitting.slice(0, Math.max(0, ATTACHED_FILES - already))
  const firstLeftOut = fitting[taken.length]
  return {
    taken,
    problems: [
      ...files
        .filter(({ size }) => size > ATTACHED_FILE_BYTES)
        .map(({ name, size }) => format(texts.tooLarge, { name, size: bytes(size) })),
      ...(firstLeftOut ? [format(texts.tooMany, { name: firstLeftOut.name })] : []),
    ],
  }
}

/** What a body says about uploaded files, and whether something is left to do before it can be sent. */
export function attachmentsOf(chosen: readonly ChosenFile[]) {
  return {
    attachments: chosen.flatMap(({ file, uploadId }) =>
      uploadId === undefined ? [] : [{ uploadId, name: file.name || 'file', contentType: file.type || null }],
    ),
    isSending: chosen.some(({ state }) => state === 'waiting' || state === 'sending'),
    hasFailed: chosen.some(({ state }) => state === 'failed'),
  }
}
