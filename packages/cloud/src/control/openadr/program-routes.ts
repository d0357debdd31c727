import { randomBytes } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { MAX_CHECKS_PER_HOUR, MAX_OPENADR_PROGRAMS, type OpenadrProgram } from '@plantroom/contract/openadr'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/outbound/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { Seal } from '../../platform/seal/index.ts'
import { cancelDispatches } from '../fleet/index.ts'
import { CHECKS } from './check-store.ts'
import { askForCheck } from './checks.ts'
import { createCleanupStore } from './cleanup-store.ts'
import { createEventStore } from './event-store.ts'
import { findMapped, missingIn, sitesOf } from './mapped-store.ts'
import {
  createProgramStore,
  ownerOf,
  type ProgramSettings,
  type ProgramView,
  SETTINGS,
  type StoredProgram,
} from './program-store.ts'
import { checkSettings } from './read-program.ts'

export interface ProgramRouteDeps {
  db: Db
  activity: ActivityLog
  seal: Seal
  guard: Pick<Guard, 'check'>
  /** Looks for tasks of controllers now: something was released. */
  wakeTasks(): void
  clock: Clock
}

/** A place becomes free when an administrator removes a program, at any time. */
const TRY_AGAIN_S = 60
const TOKEN_BYTES = 24

/** Lists, adds, changes, checks and removes programs. */
export function programRoutes(app: FastifyInstance, deps: ProgramRouteDeps): void {
  const { db, activity, seal, guard, wakeTasks, clock } = deps
  const now = () => new Date(clock.now())

  addRoute(app, API.listOpenadrPrograms, async (request) => ({
    programs: await createProgramStore(db).list(viewOf(request), now()),
  }))

  addRoute(app, API.getOpenadrProgram, async (request) => requireProgram(db, request, now()))

  addRoute(app, API.addOpenadrProgram, async (request) => {
    const organizationId = request.params.orgId
    const { name, clientSecret, active = true } = request.body
    const settings = settingsOf(request.body)
    checkSettings(settings, guard)
    const id = newId('adr')
    return activity.change(request, async (tx, note) => {
      const store = createProgramStore(tx)
      const count = await store.countOf(organizationId)
      if (count === undefined) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
      if (count >= MAX_OPENADR_PROGRAMS) {
        throw quotaReached(
          `the organization has ${MAX_OPENADR_PROGRAMS} OpenADR programs, the most it may have: remove one first`,
          TRY_AGAIN_S,
        )
      }
      const siteIds = await requireMapped(tx, organizationId, settings)
      const secret = seal.seal(clientSecret, id)
      const notifyToken = randomBytes(TOKEN_BYTES).toString('base64url')
      await store.add({ ...{ id, organizationId, name, active, settings, secret, notifyToken, siteIds } })
      note({
        organizationId,
        action: 'openadr-program-added',
        subject: subjectOf(id, name),
        details: detailsOf(settings),
      })
      return requireProgram(tx, request, now(), id)
    })
  })

  addRoute(app, API.changeOpenadrProgram, async (request) => {
    const { orgId: organizationId, programId } = request.params
    const { clientSecret } = request.body
    const changed = await activity.change(request, async (tx, note) => {
      const store = createProgramStore(tx)
      const before = await store.lock(organizationId, programId)
      if (!before) throw unknownProgram(programId)
      const settings: ProgramSettings = { ...before.settings, ...givenSettings(request.body) }
      const { name = before.name, active = before.active } = request.body
      checkSettings(settings, guard)
      requireSecret(before.settings, settings, clientSecret)
      const siteIds = await requireMapped(tx, organizationId, settings)
      const secret = clientSecret === undefined ? undefined : seal.seal(clientSecret, programId)
      const isOtherVtn = isElsewhere(before.settings, settings) || settings.venName !== before.settings.venName
      const leavesVtn = OF_VTN.some((field) => before.settings[field] !== settings[field])
      const isPaused = before.active && !active
      if (leavesVtn || isPaused) await createCleanupStore(tx).add(before, { alsoResources: leavesVtn }, now())
      await store.change(
        programId,
        { ...{ name, active, settings, siteIds, isOtherVtn, leavesVtn, isPaused }, ...(secret && { secret }) },
        now(),
      )
      const isMoved = settings.vtnUrl !== before.settings.vtnUrl
      if (!active || isMoved) await releaseAll(tx, before, now())
      if (isMoved) await createEventStore(tx).forgetAll(programId, now())
      note({
        ...{ organizationId, action: 'openadr-program-changed', subject: subjectOf(programId, name) },
        details: { changed: Object.keys(request.body) },
      })
      return requireProgram(tx, request, now())
    })
    wakeTasks()
    return changed
  })

  addRoute(app, API.removeOpenadrProgram, async (request) => {
    const { orgId: organizationId, programId } = request.params
    await activity.change(request, async (tx, note) => {
      const store = createProgramStore(tx)
      const program = await store.lock(organizationId, programId)
      if (!program) throw unknownProgram(programId)
      await releaseAll(tx, program, now())
      await createCleanupStore(tx).add(program, { alsoResources: true }, now())
      await store.remove(programId)
      note({ organizationId, action: 'openadr-program-removed', subject: subjectOf(programId, program.name) })
    })
    wakeTasks()
  })

  addRoute(app, API.checkOpenadrProgram, async (request) => {
    const { orgId: organizationId, programId } = request.params
    const checkId = await activity.change(request, async (tx, note) => {
      const store = createProgramStore(tx)
      const program = await store.lock(organizationId, programId)
      if (!program) throw unknownProgram(programId)
      const waitMs = await store.countCheck(programId, now())
      if (waitMs > 0) {
        throw quotaReached(
          `a program takes ${MAX_CHECKS_PER_HOUR} checks an hour: try again in ${Math.ceil(waitMs / 60_000)} minutes`,
          Math.ceil(waitMs / 1000),
        )
      }
      note({ organizationId, action: 'openadr-program-checked', subject: subjectOf(programId, program.name) })
      return askForCheck(tx, program, clock)
    })
    return CHECKS.wait(db, checkId, clock)
  })
}

/** Releases everything that a program placed, in a transaction in which it is locked. */
async function releaseAll(tx: Db, program: StoredProgram, now: Date): Promise<void> {
  const store = createProgramStore(tx)
  await cancelDispatches(tx, await store.openDispatches(program.id, now), ownerOf(program), now)
  await store.endPlacements(program.id, now)
}

/** The programs that the caller sees. */
export const viewOf = ({ params, siteIds }: FastifyRequest): ProgramView => ({
  organizationId: (params as { orgId: string }).orgId,
  siteIds,
})

async function requireProgram(db: Db, request: FastifyRequest, now: Date, given?: string): Promise<OpenadrProgram> {
  const id = given ?? (request.params as { programId: string }).programId
  const program = await createProgramStore(db).find(viewOf(request), id, now)
  if (!program) throw unknownProgram(id)
  return program
}

/** Returns the sites of the mapping. Throws `invalid` with the field for what is not there, or of another organization. */
async function requireMapped(tx: Db, organizationId: string, { mapping }: ProgramSettings): Promise<string[]> {
  const mapped = await findMapped(tx, organizationId, mapping)
  const [missing] = missingIn(mapping, mapped)
  if (!missing) return sitesOf(mapped)
  const what = {
    writable: `there is no writable datapoint ${shown(missing.id)}: check the id`,
    measured: `there is no datapoint ${shown(missing.id)}: check the id`,
    meters: `no controller of the site ${shown(missing.id)} has a power limit: check the id, or add powerLimit to its commissioning file`,
  }[missing.as]
  throw new Failure('invalid', `${missing.path}: ${what}`, missing.path)
}

const settingsOf = (body: Partial<ProgramSettings>): ProgramSettings =>
  ({
    ...{ ownProfile: null, tokenUrl: null, scope: null, audience: null, programNames: [], pollSeconds: 60 },
    ...givenSettings(body),
  }) as ProgramSettings

/** The settings among the fields of a body. */
const givenSettings = (body: Partial<ProgramSettings>): Partial<ProgramSettings> =>
  Object.fromEntries(SETTINGS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))

/** The secret would go to another server, or to another client. */
function requireSecret(before: ProgramSettings, after: ProgramSettings, secret: string | undefined): void {
  if (secret !== undefined || !isElsewhere(before, after)) return
  throw new Failure(
    'invalid',
    'send clientSecret together with another vtnUrl, tokenUrl or clientId: the stored one is for the old ones only',
    'clientSecret',
  )
}
const isElsewhere = (before: ProgramSettings, after: ProgramSettings) =>
  (['vtnUrl', 'tokenUrl', 'clientId'] as const).some((name) => before[name] !== after[name])

/** What we made at a VTN belongs to these. */
const OF_VTN = ['vtnUrl', 'clientId', 'venName'] as const

const subjectOf = (id: string, name: string) => ({ kind: 'openadr-program', id, name }) as const
const detailsOf = ({ vtnUrl, version, profile }: ProgramSettings) => ({ vtn: new URL(vtnUrl).host, version, profile })

const unknownProgram = (id: string) => new Failure('notFound', `this organization has no OpenADR program ${shown(id)}`)
