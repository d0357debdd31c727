import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { partCount, type UploadPart, type UploadPurpose } from '@plantroom/contract/uploads'
import type { ActingParty, ActivityLog, Happened } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { allNumbers, bytesIn, type FileStore, packageKey } from '../../platform/files/index.ts'
import {
  addUpload,
  completeUpload,
  findUnfinished,
  findUpload,
  listSums,
  listUnfinished,
  type RecordedUpload,
  recordSums,
  removeUpload,
} from './part-upload-store.ts'
import { storedBytes, type UploadRecorder } from './stored-uploads.ts'
import { storedNameOf } from './upload-names.ts'
import { forgetUpload } from './upload-store.ts'

const ADDRESS_EXPIRES_S = 3600

export interface PartUploadDeps {
  db: Db
  files: Pick<FileStore, 'parts' | 'listPackages'>
  activity: Pick<ActivityLog, 'change'>
  clock: Clock
  maxBytes: number
  recordName: UploadRecorder
}

type Caller = { readonly actor: ActingParty }
type OfSite = Pick<RecordedUpload, 'organizationId' | 'siteId'>
type NewUpload = OfSite & Pick<RecordedUpload, 'filename' | 'size' | 'purpose'>
type Named = Pick<RecordedUpload, 'siteId' | 'purpose' | 'storedName'>
type OfUpload = OfSite & Pick<RecordedUpload, 'id'>

/** An upload with what its parts contain, for those that are stored. */
export interface UploadState {
  upload: RecordedUpload
  parts: UploadPart[]
}

/** Uploads of packages and of exports in parts. They belong to a site: whoever may import there can continue them. */
export function createPartUploads(deps: PartUploadDeps) {
  const { db, files, activity, clock } = deps
  const now = () => new Date(clock.now())

  async function existing(site: OfUpload, options?: { lock: true; tx: Db }): Promise<RecordedUpload> {
    const found = await findUpload(options?.tx ?? db, site, { lock: options !== undefined })
    if (!found)
      throw new Failure('notFound', 'this upload does not exist: it was cancelled or has expired; start it again')
    return found
  }

  async function stateOf(upload: RecordedUpload): Promise<UploadState> {
    if (upload.completedAt) return { upload, parts: [] }
    const [sums, stored] = await Promise.all([listSums(db, upload.id), files.parts.stored(upload)])
    const parts = [...sums].map(([number, sha256]) => ({ number, sha256 })).filter(({ number }) => stored.has(number))
    return { upload, parts }
  }

  const recordName = ({ organizationId, siteId, storedName }: OfSite & Pick<RecordedUpload, 'storedName'>) =>
    deps.recordName({ organizationId, siteId, filename: storedName })

  /** Forgets the name of an upload that is no more. That of a package may be in use. */
  const forgetName = async (tx: Db, { purpose, siteId, storedName }: Named) => {
    if (purpose === 'conversion') await forgetUpload(tx, { siteId, filename: storedName })
  }

  async function begin(caller: Caller, site: NewUpload) {
    const { organizationId, siteId, size } = site
    const id = newId('upload')
    const named = { ...site, storedName: storedNameOf({ ...site, id }) }
    const key = packageKey(organizationId, siteId, named.storedName)
    const stored = await storedBytes(files, organizationId)
    await recordName(named)
    const storeId = await files.parts.begin(key, size).catch(async (error) => {
      await forgetName(db, named)
      throw error
    })
    const undo = async () => {
      await files.parts.abort({ key, storeId })
      await forgetName(db, named)
    }
    const recorded = await activity
      .change(caller, async (tx, note) => {
        const added = await addUpload(tx, { id, ...site, storeId, startedAt: now() }, { stored, max: deps.maxBytes })
        if (added) note(about(added, 'upload-started'))
        return added
      })
      .catch(async (error) => {
        await undo()
        throw error
      })
    // Someone else has just started one of this name.
    if (!recorded) await undo()
    return recorded
  }

  async function remove(caller: Caller, site: OfUpload): Promise<void> {
    const removed = await activity.change(caller, async (tx, note) => {
      const upload = await existing(site, { lock: true, tx })
      if (upload.completedAt) throw new Failure('conflict', 'this upload is complete: it cannot be cancelled any more')
      await removeUpload(tx, upload.id)
      await forgetName(tx, upload)
      note(about(upload, 'upload-cancelled'))
      return upload
    })
    // What a failure leaves behind here, the sweep finds.
    await files.parts.abort(removed)
  }

  return {
    /** Continues the unfinished upload of this name and size, or starts one. Removes one of another size. */
    async start(caller: Caller, site: NewUpload): Promise<UploadState> {
      for (;;) {
        const found = await findUnfinished(db, site.siteId, site.filename)
        if (found?.size === site.size) {
          await recordName(found)
          return stateOf(found)
        }
        if (found) await remove(caller, found).catch(ignoreMissing)
        const begun = await begin(caller, site)
        if (begun) return { upload: begun, parts: [] }
      }
    },

    get: async (site: OfUpload) => stateOf(await existing(site)),

    async list({ siteId }: OfSite, purpose?: UploadPurpose): Promise<{ upload: RecordedUpload; bytes: number }[]> {
      const uploads = await listUnfinished(db, siteId, purpose)
      return Promise.all(
        uploads.map(async (upload) => ({ upload, bytes: bytesIn(upload.size, await files.parts.stored(upload)) })),
      )
    },

    /** Returns addresses for parts. Throws `conflict` when the upload is of another file. */
    async offer(site: OfUpload, parts: readonly UploadPart[]): Promise<{ number: number; url: string }[]> {
      const upload = await existing(site)
      const count = partCount(upload.size)
      const beyond = parts.find(({ number }) => number > count)
      if (beyond) throw new Failure('invalid', `the upload has ${count} parts, not ${beyond.number}`, 'parts')
      const known = await db.transaction().execute((tx) => recordSums(tx, upload.id, parts, now()))
      if (!known) throw new Failure('conflict', 'this upload has just ended: it takes no more parts')
      const other = parts.find(({ number, sha256 }) => known.get(number) !== sha256)
      if (other) throw anotherFile(upload, other.number)
      return Promise.all(
        parts.map(async (part) => ({
          number: part.number,
          url: await files.parts.url(upload, part, { expiresInS: ADDRESS_EXPIRES_S }),
        })),
      )
    },

    /** Makes the file available. Throws `conflict` while parts are missing. */
    async complete(caller: Caller, site: OfUpload): Promise<RecordedUpload> {
      await recordName(await existing(site))
      return activity.change(caller, async (tx, note) => {
        const upload = await existing(site, { lock: true, tx })
        if (upload.completedAt) return upload
        const sums = await listSums(tx, upload.id)
        await requireAll(upload, sums)
        await files.parts.finish(upload, [...sums.values()])
        await completeUpload(tx, upload.id, now())
        note(about(upload, 'upload-completed'))
        return upload
      })
    },

    remove,
  }

  async function requireAll(upload: RecordedUpload, sums: ReadonlyMap<number, string>): Promise<void> {
    const stored = await files.parts.stored(upload)
    // A store that has nothing left may have finished it for a process that could not say so: `finish` finds out.
    if (stored.size === 0 && sums.size === partCount(upload.size)) return
    const missing = allNumbers(upload.size).filter((number) => !stored.has(number) || !sums.has(number))
    if (missing.length === 0) return
    const more = missing.length > 1 ? ` and ${missing.length - 1} more` : ''
    throw new Failure('conflict', `part ${missing[0]}${more} of the upload is missing: send what is missing first`)
  }
}

export type PartUploads = ReturnType<typeof createPartUploads>

const anotherFile = ({ filename }: RecordedUpload, number: number) =>
  new Failure(
    'conflict',
    `part ${number} differs: the unfinished upload of ${filename} is of another file; cancel it, then start again`,
  )

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Failure) || error.kind !== 'notFound') throw error
}

function about({ organizationId, siteId, id, filename, size }: RecordedUpload, action: Happened['action']): Happened {
  return { organizationId, siteId, action, subject: { kind: 'upload', id, name: filename }, details: { size } }
}
