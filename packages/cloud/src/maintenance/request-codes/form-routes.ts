import { createHash } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { FORM_PHOTO_BYTES } from '@plantroom/contract/request-fields'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/index.ts'
import { addRoute, callerNetwork } from '../../platform/routes/index.ts'
import { createPace } from '../../platform/work/index.ts'
import { createChangeStore, type NewAttachment, readImageHeader } from '../requests/index.ts'
import { createCodeStore, type FormSubject } from './code-store.ts'

/** Requests in an hour: more than happens around one code, and too few to bury what else happens. */
const PER_CODE = 20
const PER_NETWORK = 5
const HOUR_MS = 3_600_000
const TITLE_LENGTH = 100
/** A picture of more is not shown, and a phone does not send it. */
const MAX_SIDE = 16_384
const TYPES = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' } as const

interface FormRouteDeps {
  db: Db
  files: Pick<FileStore, 'openBlobBatch'>
  activity: ActivityLog
  clock: Clock
}

/** Takes requests of people who have no account, only the address of a form. They learn nothing that is not on its page. */
export function formRoutes(app: FastifyInstance, deps: FormRouteDeps): void {
  const { db, activity, clock } = deps
  const pace = createPace(clock, HOUR_MS)

  addRoute(app, API.getRequestForm, async ({ params }) => {
    const { site, label, unit } = await find(db, params.token)
    return { site, label, unit }
  })

  addRoute(
    app,
    API.sendRequestForm,
    async (request) => {
      const { description, name = null, email = null } = request.body
      const subject = await find(db, request.params.token)
      const photo = request.body.photo === undefined ? undefined : readPhoto(request.body.photo)
      const wait = pace.take([{ key: `${subject.codeId} ${networkOf(request)}`, most: PER_NETWORK }])
      if (wait) throw tooMany(wait.retryAfterMs)
      await count(db, subject, clock)
      const attachments = photo ? [await store(deps.files, subject.siteId, photo)] : []
      const reporter = name || email ? { name: name || null, email, phone: null } : null
      const { organizationId, siteId, unit } = subject
      const added = { title: titleOf(subject, description), description, reporter, unit, attachments }
      const number = await activity.change(request, async (tx, note) => {
        const done = { at: new Date(clock.now()), by: request.actor }
        const number = await createChangeStore(tx).add(siteId, added, done)
        const about = { kind: 'request', id: String(number), name: null } as const
        const details = { requestCode: subject.codeId, files: attachments.length }
        note({ organizationId, siteId, action: 'request-created', subject: about, details })
        return number
      })
      return { number }
    },
    { bodyLimit: 2 * FORM_PHOTO_BYTES },
  )
}

async function find(db: Db, token: string): Promise<FormSubject> {
  const found = await createCodeStore(db).find(token)
  if (found) return found
  throw new Failure('notFound', 'this code is not in use any more: contact the people who run the building')
}

/** Stored at once: refused requests count, too, in all processes. */
async function count(db: Db, { codeId }: FormSubject, clock: Clock): Promise<void> {
  const wait = await createCodeStore(db).count(codeId, PER_CODE, new Date(clock.now()))
  if (wait) throw tooMany(wait.retryAfterMs)
}

function tooMany(retryAfterMs: number): Failure {
  const minutes = Math.max(1, Math.ceil(retryAfterMs / 60_000))
  return quotaReached(
    `too many requests were sent with this code: try again in ${minutes} minutes, or contact the people who run the building`,
    minutes * 60,
  )
}

const networkOf = (request: FastifyRequest) => callerNetwork(request.ip, request.socket.remoteAddress)

/** The first line, after what the code is on. */
function titleOf({ label }: FormSubject, description: string): string {
  const [line = ''] = description.trim().split(/[\r\n]/, 1)
  const characters = [...`${label}: ${line.trim()}`]
  return characters.length <= TITLE_LENGTH ? characters.join('') : `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`
}

interface Photo {
  bytes: Buffer
  type: keyof typeof TYPES
}

function readPhoto(text: string): Photo {
  const bytes = Buffer.from(text, 'base64')
  const found = readImageHeader(bytes)
  if (!found || found === 'more' || !(found.type in TYPES)) {
    throw new Failure('invalid', 'photo: send a JPEG, PNG or WebP picture in base64', 'photo')
  }
  const { type, width, height } = found
  if (Math.max(width, height) > MAX_SIDE) {
    throw new Failure('invalid', `photo: a picture may have at most ${MAX_SIDE} pixels on a side`, 'photo')
  }
  return { bytes, type: type as keyof typeof TYPES }
}

async function store(files: FormRouteDeps['files'], siteId: string, { bytes, type }: Photo): Promise<NewAttachment> {
  const batch = files.openBlobBatch(siteId)
  try {
    const writer = batch.begin()
    writer.write(bytes)
    const sha256 = createHash('sha256').update(bytes).digest()
    await writer.finish(sha256)
    await batch.flush()
    return { name: `photo.${TYPES[type]}`, contentType: type, size: bytes.length, sha256 }
  } catch (error) {
    batch.discard()
    throw error
  }
}
